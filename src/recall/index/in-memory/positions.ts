import { grown } from "./memory-set.ts";

/** A set of positions of a view, made again and again: what it costs is by how many are in it, not by the view. */
export class Positions {
  #isIn = new Uint8Array(0);
  #members: number[] = [];

  /** Empties it, for a view of `size`. */
  begin(size: number): void {
    for (const member of this.#members) this.#isIn[member] = 0;
    this.#members = [];
    this.#isIn = grown(this.#isIn, size);
  }

  /** −1, which stands for no position, is left out. */
  add(position: number): void {
    if (position < 0 || this.#isIn[position] === 1) return;
    this.#isIn[position] = 1;
    this.#members.push(position);
  }

  addAll(positions: Int32Array): void {
    for (let at = 0; at < positions.length; at++) this.add(positions[at] as number);
  }

  /** What is in it, rising. */
  end(): Int32Array {
    return Int32Array.from(this.#members).sort();
  }
}
