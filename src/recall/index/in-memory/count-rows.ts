/** Counts by row, with one count per term. */
export class CountRows {
  /** All rows, concatenated. */
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
   * A row as its own array, created on first access: a subarray of a larger array costs more than all reads of it. All
   * rows without counts share one array.
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
