import { plainText } from "./characters.ts";
import { lineSpans, type Span, sentenceSpans } from "./sentences.ts";
import { comparedSentences, wordsIn } from "./words.ts";

/**
 * A text as it is read, wherever it comes from: a memory, a query, an excerpt. Each view is made when it is first asked for,
 * and kept.
 */
export class Reading {
  readonly text: string;
  #plain?: string;
  #spans?: readonly Span[];
  #lines?: readonly Span[];
  #sentences?: readonly string[];
  #written?: readonly string[];
  #words?: readonly string[];

  constructor(text: string) {
    this.text = text;
  }

  /** See `plainText`. */
  get plain(): string {
    this.#plain ??= plainText(this.text);
    return this.#plain;
  }

  /** Where its sentences stand (see `sentenceSpans`). */
  get spans(): readonly Span[] {
    this.#spans ??= sentenceSpans(this.text);
    return this.#spans;
  }

  /** Its sentences, divided at line breaks as well (see `lineSpans`). */
  get lines(): readonly Span[] {
    this.#lines ??= lineSpans(this.text);
    return this.#lines;
  }

  /** Its sentences as they are compared, without the capitals of plain words (see `comparedSentences`). */
  get sentences(): readonly string[] {
    this.#sentences ??= comparedSentences(this.text, this.spans, "folded");
    return this.#sentences;
  }

  /** The same with the capitals of plain words. */
  get written(): readonly string[] {
    this.#written ??= comparedSentences(this.text, this.spans, "kept");
    return this.#written;
  }

  /** Its words and numbers (see `wordsIn`). */
  get words(): readonly string[] {
    this.#words ??= wordsIn(this.text);
    return this.#words;
  }
}

/** Reads a text. Everything that looks into texts does so through this. */
export function read(text: string): Reading {
  return new Reading(text);
}
