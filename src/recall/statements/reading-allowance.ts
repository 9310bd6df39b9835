/** A text of at most so many UTF-16 units is always read: that costs about what its header line does. */
const SHORT_LENGTH_MAX = 512;

/**
 * How much of long texts one step of a pack may read, so that its work grows with what it may answer and not with what is
 * stored. Texts come best first, so that those for which nothing is left are worth least.
 */
export class ReadingAllowance {
  #left: number;

  /** In UTF-16 units. */
  constructor(length: number) {
    this.#left = length;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Whether a text of this length may be read; the last one may be longer than what is left. */
  allows(length: number): boolean {
    return length <= SHORT_LENGTH_MAX || this.#left > 0;
  }

  /** Notes that so much of a text has been read. */
  spend(length: number): void {
    if (length > SHORT_LENGTH_MAX) this.#left -= length;
  }
}
