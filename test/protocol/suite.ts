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
 * The suites that the arguments choose: those whose names contain one of the words, all where there are none; of these every
 * nth where `--shard=i/n` is among them.
 */
function chosen(suites: readonly Suite[], args: readonly string[]): Suite[] {
  const words = args.filter((argument) => !argument.startsWith("--"));
  const named = suites.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const [, shard, shards] = /^--shard=(\d+)\/(\d+)$/m.exec(args.join("\n")) ?? [];
  return shards === undefined ? named : named.filter((_, at) => at % Number(shards) === Number(shard) - 1);
}

/**
 * Runs the suites that the arguments choose, and writes a line for each with its seconds, after all it wrote where it
 * failed. Then `end`, which is told how many failed, and last the counts. Answers how many failed.
 */
export async function runSuites(
  suites: readonly Suite[],
  args: readonly string[],
  end: (failed: number) => Promise<void>,
): Promise<number> {
  let [passed, failed] = [0, 0];
  for (const { name, run } of chosen(suites, args)) {
    const began = performance.now();
    const outcome = await run().catch((error: unknown) => ({
      passed: false,
      counts: "it did not run",
      output: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }));
    if (outcome.passed) passed += 1;
    else failed += 1;
    if (!outcome.passed) say(outcome.output);
    const seconds = ((performance.now() - began) / 1000).toFixed();
    say(`${outcome.passed ? "passed" : "FAILED"}  ${name}: ${outcome.counts} (${seconds} s)`);
  }
  await end(failed);
  say(`${passed} passed, ${failed} failed`);
  return failed;
}
