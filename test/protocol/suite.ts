/** How a suite ended. */
export interface Outcome {
  readonly passed: boolean;
  /** Its own counts, in one line. */
  readonly counts: string;
  /** All it wrote. */
  readonly output: string;
}

/** A suite that counts as one test. */
export interface Suite {
  readonly name: string;
  run(): Promise<Outcome>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs the suites whose names contain one of the words, all where there are none, and writes a line for each, after all it
 * wrote where it failed. Then `end`, which is told how many failed, and last the counts. Answers how many failed.
 */
export async function runSuites(
  suites: readonly Suite[],
  words: readonly string[],
  end: (failed: number) => Promise<void>,
): Promise<number> {
  let [passed, failed] = [0, 0];
  for (const { name, run } of suites) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const outcome = await run().catch((error: unknown) => ({
      passed: false,
      counts: "it did not run",
      output: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }));
    if (outcome.passed) passed += 1;
    else failed += 1;
    if (!outcome.passed) say(outcome.output);
    say(`${outcome.passed ? "passed" : "FAILED"}  ${name}: ${outcome.counts}`);
  }
  await end(failed);
  say(`${passed} passed, ${failed} failed`);
  return failed;
}
