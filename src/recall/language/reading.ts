import { plainText } from "./characters.ts";
import { comparedSentences } from "./compared.ts";
import { lineSpans, type Span, sentenceSpans } from "./sentences.ts";
import { wordsIn } from "./words.ts";

/**
 * A text with its derived views, whatever its origin: a memory, a query, an excerpt. Each view is computed on first
 * access and cached.
 */
export class Reading {
  readonly text: string;
  #plain?: string;
  #spans?: Span[];
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

  /** The spans of its sentences (see `sentenceSpans`). */
  get spans(): Span[] {
    this.#spans ??= sentenceSpans(this.text);
    return this.#spans;
  }

  /** The spans of its sentences, also divided at line breaks (see `lineSpans`). */
  get lines(): readonly Span[] {
    this.#lines ??= lineSpans(this.text);
    return this.#lines;
  }

  /** Its sentences as compared, without the capitals of plain words (see `comparedSentences`). */
  get sentences(): readonly string[] {
    this.#sentences ??= comparedSentences(this.text, "folded", this.spans);
    return this.#sentences;
  }

  /** The same with the capitals of plain words. */
  get written(): readonly string[] {
    this.#written ??= comparedSentences(this.text, "kept", this.spans);
    return this.#written;
  }

  /** Its words and numbers (see `wordsIn`). */
  get words(): readonly string[] {
    this.#words ??= wordsIn(this.text);
    return this.#words;
  }
}

/**
 * Reads a text. All analysis of texts uses this, or the same functions directly if a published client has to include
 * them.
 */
export function read(text: string): Reading {
  return new Reading(text);
}
