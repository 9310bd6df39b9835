import { ReadingAllowance } from "./reading-allowance.ts";
import { type ComparedText, comparedText, saysAllOf, saysTheSame } from "./sameness.ts";

/** How much of long texts one search reads, in UTF-16 units. Further texts pass without comparison. */
const READ_LENGTH_MAX = 2 ** 17;
/** Number of sentences compared between texts. Beyond it, only equal texts are detected. */
const COMPARED_MAX = 200_000;

/** The compared fields of a memory. */
export interface Comparable {
  readonly id: string;
  readonly content: string;
}

/** A memory that repeats another. */
export interface Repetition<M extends Comparable> {
  readonly memory: M;
  /** A memory that says everything that `memory` says. */
  readonly saidBy: M;
  /** Whether `saidBy` says no more than `memory`. */
  readonly isEqual: boolean;
}

interface Seen<M extends Comparable> {
  readonly memory: M;
  readonly text: ComparedText;
}

/**
 * Finds memories that say nothing beyond a memory given earlier (see `saysAllOf`), and remembers the others.
 *
 * Pass the best first: the search is bounded, and memories beyond the bound count as new.
 */
export class RepetitionSearch<M extends Comparable> {
  readonly #byText = new Map<string, Seen<M>>();
  /** Memories that contain a sentence, in the order in which they were given. */
  readonly #bySentence = new Map<string, Seen<M>[]>();
  readonly #reading = new ReadingAllowance(READ_LENGTH_MAX);
  #comparable = COMPARED_MAX;

  /** The memory that this one repeats. null if it is new or over the reading budget. */
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

  /** The memories with the rarest of its sentences. No other memory can contain them all. */
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
