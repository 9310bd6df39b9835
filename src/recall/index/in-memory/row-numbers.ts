import { grown } from "./memory-set.ts";

const NONE = -1;

/**
 * Numbers for those positions (or memories, or sessions) of a view that have a row, made again and again: what it costs is by
 * how many have one, not by the view.
 */
export class RowNumbers {
  /** By position; −1 for those without a row, and beyond the view anything. */
  of = new Int32Array(0);
  #numbered: number[] = [];

  get count(): number {
    return this.#numbered.length;
  }

  /** Forgets the numbers, for a view of `size`. */
  begin(size: number): void {
    for (const position of this.#numbered) this.of[position] = NONE;
    this.#numbered = [];
    const held = this.of.length;
    this.of = grown(this.of, size);
    if (this.of.length > held) this.of.fill(NONE, held);
  }

  /** The number of a position, the next one if it has none; −1 for no position. */
  number(position: number): number {
    if (position < 0) return NONE;
    const known = this.of[position] as number;
    if (known !== NONE) return known;
    this.of[position] = this.#numbered.length;
    this.#numbered.push(position);
    return this.#numbered.length - 1;
  }
}
