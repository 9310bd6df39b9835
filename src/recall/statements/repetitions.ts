import { ReadingAllowance } from "./reading-allowance.ts";
import { type ComparedText, comparedText, saysAllOf, saysTheSame } from "./sameness.ts";

/** How much of long texts one search for repetitions reads, in UTF-16 units. Those beyond are passed on uncompared. */
const READ_LENGTH_MAX = 2 ** 17;
/** How many sentences are gone through to compare one text with another, beyond which only equal texts are told. */
const COMPARED_MAX = 200_000;

/** What is compared of a memory. */
export interface Comparable {
  readonly id: string;
  readonly content: string;
}

/** A memory that repeats another one. */
export interface Repetition<M extends Comparable> {
  readonly memory: M;
  /** Says all that the memory says. */
  readonly saidBy: M;
  /** It says no more. */
  readonly isEqual: boolean;
}

interface Seen<M extends Comparable> {
  readonly memory: M;
  readonly text: ComparedText;
}

/**
 * Finds memories that say nothing which one given before does not say (see `saysAllOf`), and remembers the others.
 *
 * Give it the best first: its work is bounded, and what comes after that counts as new.
 */
export class RepetitionSearch<M extends Comparable> {
  readonly #byText = new Map<string, Seen<M>>();
  /** Those that have a sentence, in the order in which they were given. */
  readonly #bySentence = new Map<string, Seen<M>[]>();
  readonly #reading = new ReadingAllowance(READ_LENGTH_MAX);
  #comparable = COMPARED_MAX;

  /** What the memory repeats; null where it is new, or there is no reading it. */
  find(memory: M): Repetition<M> | null {
    const { length } = memory.content;
    if (!this.#reading.allows(length)) return null;
    this.#reading.spend(length);
    const text = comparedText(memory.content);
    const key = text.sentences.join("\n");
    const same = this.#byText.get(key);
    if (same && saysTheSame(same.text, text)) return { memory, saidBy: same.memory, isEqual: true };
    const longer = this.#longer(text);
    if (longer) return { memory, saidBy: longer.memory, isEqual: false };
    this.#remember(key, { memory, text });
    return null;
  }

  #longer(text: ComparedText): Seen<M> | undefined {
    return this.#rarest(text).find((seen) => {
      this.#comparable -= seen.text.sentences.length + text.sentences.length;
      return this.#comparable >= 0 && saysAllOf(seen.text, text);
    });
  }

  /** Those that have the one of its sentences which fewest have: nobody else can say all of them. */
  #rarest({ sentences }: ComparedText): readonly Seen<M>[] {
    let rarest: readonly Seen<M>[] | null = null;
    for (const sentence of sentences) {
      const having = this.#bySentence.get(sentence) ?? [];
      if (rarest === null || having.length < rarest.length) rarest = having;
      if (having.length === 0) break;
    }
    return rarest ?? [];
  }

  #remember(key: string, seen: Seen<M>): void {
    this.#byText.set(key, seen);
    for (const sentence of new Set(seen.text.sentences)) {
      const having = this.#bySentence.get(sentence);
      if (having) having.push(seen);
      else this.#bySentence.set(sentence, [seen]);
    }
  }
}
