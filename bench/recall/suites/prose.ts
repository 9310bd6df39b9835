import type { Random } from "../../../test/support/random.ts";
import { rareWord } from "./rare-words.ts";
import { ADJECTIVES, ADVERBS, FIRST_NAMES, NOUNS, PLACES, VERBS, WEEKDAYS } from "./vocabulary.ts";

/** No sentence is longer, in UTF-16 units. */
export const SENTENCE_LENGTH_MAX = 300;
const TOPIC_NOUNS = 14;
const TOPIC_SHARE = 0.6;
/** Of the other nouns: a text of some length has words that hardly any other has. */
const RARE_SHARE = 0.4;
const SENTENCES_IN_PARAGRAPH = 6;

/**
 * English sentences about one subject, made by a grammar: they are plain and mean little, but have the words, the lengths
 * and the repetitions of notes. They hold no digit, and no sign but those of sentences, so no identifier.
 */
export class Prose {
  readonly #random: Random;
  /** A text comes back to the same few things. */
  readonly #topic: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#topic = Array.from({ length: TOPIC_NOUNS }, () => random.pick(NOUNS));
  }

  sentence(): string {
    return this.#random.pick(SENTENCES)(this);
  }

  /** Sentences of at least so many UTF-16 units together, and at most a sentence more. */
  sentences(lengthMin: number): string[] {
    const made: string[] = [];
    for (let length = 0; length < lengthMin; length += (made.at(-1)?.length ?? 0) + 1)
      made.push(this.sentence());
    return made;
  }

  noun(): string {
    if (this.#random.next() < TOPIC_SHARE) return this.#random.pick(this.#topic);
    return this.#random.next() < RARE_SHARE ? rareWord(this.#random) : this.#random.pick(NOUNS);
  }

  thing(): string {
    return `${this.#random.pick(ADJECTIVES)} ${this.noun()}`;
  }

  one(words: readonly string[]): string {
    return this.#random.pick(words);
  }
}

/** Sentences as one text, in paragraphs. */
export function asText(sentences: readonly string[]): string {
  return sentences
    .map((sentence, at) => (at === 0 ? "" : at % SENTENCES_IN_PARAGRAPH === 0 ? "\n\n" : " ") + sentence)
    .join("");
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const SENTENCES: readonly ((prose: Prose) => string)[] = [
  (p) => `${p.one(FIRST_NAMES)} ${p.one(VERBS)} the ${p.thing()} and ${p.one(VERBS)} the ${p.noun()}.`,
  (p) => `The ${p.thing()} was ${p.one(ADVERBS)} ${p.one(VERBS)} by ${p.one(FIRST_NAMES)}.`,
  (p) => `On ${p.one(WEEKDAYS)} we ${p.one(VERBS)} the ${p.noun()} near the ${p.thing()}.`,
  (p) => `There is a ${p.thing()} beside the ${p.noun()} in ${p.one(PLACES)}.`,
  (p) => `${capital(p.one(ADVERBS))} the ${p.noun()} needed a ${p.thing()}, so ${p.one(FIRST_NAMES)} stayed.`,
  (p) => `Nobody knew why the ${p.thing()} had been ${p.one(VERBS)} before the ${p.noun()} was ready.`,
  (p) => `After the ${p.noun()} came the ${p.thing()}, and with it a ${p.thing()}.`,
  (p) =>
    `${p.one(FIRST_NAMES)} said that the ${p.noun()} looks ${p.one(ADJECTIVES)} next to the ${p.noun()}.`,
  (p) =>
    `While the ${p.thing()} was being ${p.one(VERBS)}, two people from ${p.one(PLACES)} ${p.one(VERBS)} the ${p.noun()}.`,
  (p) => `It would help if the ${p.noun()} were as ${p.one(ADJECTIVES)} as the ${p.noun()}.`,
  (p) => `The plan for the ${p.noun()} in ${p.one(PLACES)} is ${p.one(ADVERBS)} ${p.one(VERBS)}.`,
  (p) => `Most of the ${p.thing()} is still where ${p.one(FIRST_NAMES)} left it, under the ${p.noun()}.`,
  (p) =>
    `We ${p.one(VERBS)} three kinds of ${p.noun()}: a ${p.thing()}, a ${p.thing()} and one that was ${p.one(VERBS)} in ${p.one(PLACES)}.`,
  (p) => `Without the ${p.thing()} the whole ${p.noun()} would have to be ${p.one(VERBS)} ${p.one(ADVERBS)}.`,
  (p) => `Somebody should ask ${p.one(FIRST_NAMES)} about the ${p.noun()} and the ${p.thing()}.`,
  (p) => `A ${p.thing()} costs more than a ${p.noun()}, but it was ${p.one(ADVERBS)} ${p.one(VERBS)}.`,
  (p) => `The ${p.noun()} in ${p.one(PLACES)} was ${p.one(VERBS)}; the one in ${p.one(PLACES)} was not.`,
  (p) => `What matters for the ${p.thing()} is that its ${p.noun()} stays ${p.one(ADJECTIVES)}.`,
  (p) =>
    `${p.one(FIRST_NAMES)} and ${p.one(FIRST_NAMES)} ${p.one(VERBS)} a ${p.thing()} for the ${p.noun()}.`,
  (p) => `In the end the ${p.noun()} was ${p.one(ADJECTIVES)}, and everybody went back to the ${p.thing()}.`,
];
