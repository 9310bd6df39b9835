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
