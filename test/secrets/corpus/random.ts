const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";

/** Sets of characters that tokens are made of. */
export const ALPHABETS = {
  alnum: LOWER + LOWER.toUpperCase() + DIGITS,
  word: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_`,
  urlSafe: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`,
  base64: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
  lower: LOWER,
  lowerDigits: LOWER + DIGITS,
  upperDigits: LOWER.toUpperCase() + DIGITS,
} as const;

/** Chance that is the same each time: a corpus is to be what it was when its counts were published. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, `bound`. Mulberry32. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * bound);
  }

  /** Of so many characters from `least` to `most`. */
  text(alphabet: keyof typeof ALPHABETS, least: number, most = least): string {
    const length = least + this.below(most - least + 1);
    return Array.from({ length }, () => this.of([...ALPHABETS[alphabet]])).join("");
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
