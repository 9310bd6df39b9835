import { grown } from "./memory-set.ts";

const NONE = -1;

/**
 * Numbers for those positions (or memories, or sessions) of a view that have a row. Reusable: resetting takes time
 * proportional to the number of rows, not to the size of the view.
 */
export class RowNumbers {
  /** By position; −1 if it has no row. Undefined content beyond the view. */
  of = new Int32Array(0);
  #numbered: number[] = [];

  get count(): number {
    return this.#numbered.length;
  }

  /** Clears the numbers, for a view of `size`. */
  begin(size: number): void {
    for (const position of this.#numbered) this.of[position] = NONE;
    this.#numbered = [];
    const held = this.of.length;
    this.of = grown(this.of, size);
    if (this.of.length > held) this.of.fill(NONE, held);
  }

  /** The number of a position. Assigns the next one if it has none. −1 for no position. */
  number(position: number): number {
    if (position < 0) return NONE;
    const known = this.of[position] as number;
    if (known !== NONE) return known;
    this.of[position] = this.#numbered.length;
    this.#numbered.push(position);
    return this.#numbered.length - 1;
  }
}
