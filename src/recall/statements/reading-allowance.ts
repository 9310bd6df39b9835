/** A text of up to this many UTF-16 units is always read: that costs about as much as its header line. */
const SHORT_LENGTH_MAX = 512;

/**
 * Budget for reading long texts in one step of a pack, so that the work depends on the size of the answer and not on
 * that of the store. Texts arrive best first, so those left unread are worth the least.
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

  /** Whether a text of this length may be read. The last one may exceed the rest of the budget. */
  allows(length: number): boolean {
    return length <= SHORT_LENGTH_MAX || this.#left > 0;
  }

  /** Records that this much of a text has been read. */
  spend(length: number): void {
    if (length > SHORT_LENGTH_MAX) this.#left -= length;
  }
}
