import type { Random } from "../../../test/support/random.ts";
import { ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS, PLACES } from "./vocabulary.ts";

/** Things and people to say something about, none of them twice. */
export class Subjects {
  readonly #random: Random;
  readonly #given = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  one(about: "thing" | "person"): string {
    return this.#unused(() => (about === "thing" ? thing : person)(this.#random));
  }

  /** Another one that shares all words but one with this one, or has one letter changed. */
  like(subject: string): string {
    return this.#unused(() => {
      const words = subject.split(" ");
      const changeable = words.filter((word) => sortOf(word) !== undefined);
      const word = this.#random.pick(changeable);
      const sort = sortOf(word) ?? [];
      const other = this.#random.below(3) === 0 ? misspelt(word, this.#random) : this.#random.pick(sort);
      const at = words.indexOf(word);
      return words.with(at, other).join(" ");
    });
  }

  #unused(make: () => string): string {
    let subject = make();
    while (this.#given.has(subject)) subject = make();
    this.#given.add(subject);
    return subject;
  }
}

const thing = (random: Random) =>
  `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)} in ${random.pick(PLACES)}`;
const person = (random: Random) => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
const SORTS = [ADJECTIVES, NOUNS, PLACES, FIRST_NAMES, LAST_NAMES];
const sortOf = (word: string) => SORTS.find((sort) => sort.includes(word));

/** Another letter in place of one, but for the first. */
function misspelt(word: string, random: Random): string {
  const at = Math.min(word.length - 1, 1 + random.below(word.length));
  return word.slice(0, at) + random.pick([..."aeioulnrst"]) + word.slice(at + 1);
}
