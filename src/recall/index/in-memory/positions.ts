import { grown } from "./memory-set.ts";

/**
 * A reusable set of positions of a view. Resetting takes time proportional to the number of members, not to the size of
 * the view.
 */
export class Positions {
  #isIn = new Uint8Array(0);
  #members: number[] = [];

  /** Empties the set, for a view of `size`. */
  begin(size: number): void {
    for (const member of this.#members) this.#isIn[member] = 0;
    this.#members = [];
    this.#isIn = grown(this.#isIn, size);
  }

  /** Ignores −1, which means no position. */
  add(position: number): void {
    if (position < 0 || this.#isIn[position] === 1) return;
    this.#isIn[position] = 1;
    this.#members.push(position);
  }

  addAll(positions: Int32Array): void {
    for (let at = 0; at < positions.length; at++) this.add(positions[at] as number);
  }

  /** The members, ascending. */
  end(): Int32Array {
    return Int32Array.from(this.#members).sort();
  }
}
