/** Counts by row, one for each term. */
export class CountRows {
  /** All rows, one after the other. */
  readonly counts: Float32Array;
  readonly termCount: number;
  readonly #rows: (Float32Array | undefined)[];
  readonly #nothing: Float32Array;

  constructor(counts: Float32Array, rowCount: number, termCount: number) {
    this.counts = counts;
    this.termCount = termCount;
    this.#rows = new Array(rowCount);
    this.#nothing = new Float32Array(termCount);
  }

  /**
   * A row in an array of its own, made when it is first asked for: a view of a larger array costs more than all that is read of
   * it. Many rows have nothing, and share one.
   */
  at(row: number): Float32Array {
    const known = this.#rows[row];
    if (known !== undefined) return known;
    const made = this.#copied(row * this.termCount);
    this.#rows[row] = made;
    return made;
  }

  #copied(from: number): Float32Array {
    const { counts, termCount } = this;
    let first = 0;
    while (first < termCount && counts[from + first] === 0) first++;
    if (first === termCount) return this.#nothing;
    const row = new Float32Array(termCount);
    for (let term = first; term < termCount; term++) row[term] = counts[from + term] as number;
    return row;
  }
}
