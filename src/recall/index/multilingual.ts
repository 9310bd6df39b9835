import type { QueryVectors } from "./query-embedding.ts";

/** The multilingual encoder, for queries. Its methods return null if the service has no such encoder. */
export interface MultilingualModel {
  languageOf(text: string): string | null;
  /** Rejects if the encoder does not answer. */
  query(whole: string, sentences: readonly string[]): Promise<QueryVectors | null>;
}

/** A query as the multilingual encoder reads it. */
export interface MultilingualQuery {
  /** ISO 639-1 code; null if it is unclear. */
  readonly language: string | null;
  /** Encodes the query, which takes milliseconds. Returns null if the encoder does not answer. */
  vectors(): Promise<QueryVectors | null>;
}

/** The language of the lexicon and of the built-in table of word vectors. */
export const TABLE_LANGUAGE = "en";

/** The languages that the multilingual encoder was made for. Of others it only knows words that these share. */
const SUPPORTED_LANGUAGES: ReadonlySet<string> = new Set(
  "ar de en es fr it ja ko nl pl pt ru th tr zh".split(" "),
);

/** False if the query is in a language that the encoder does not support. */
export function supportsLanguage(queryLanguage: string | null): boolean {
  return queryLanguage === null || SUPPORTED_LANGUAGES.has(queryLanguage);
}

/** Mean length of a scope's passages, in word pieces, from which matching words alone may rank them badly. */
const LONG_PASSAGES_MIN = 60;

/**
 * True if a query must also be compared by multilingual vectors: it is not in English, or the scope has long memories or
 * memories in another language that the encoder supports. Searches of short English memories skip this cost.
 */
export function needsMultilingual(
  { language }: Pick<MultilingualQuery, "language">,
  { languages, meanLength }: { readonly languages: readonly string[]; readonly meanLength: number },
): boolean {
  const isOther = (one: string | null) => one !== null && one !== TABLE_LANGUAGE;
  const isOtherSupported = (one: string) => isOther(one) && SUPPORTED_LANGUAGES.has(one);
  return meanLength >= LONG_PASSAGES_MIN || isOther(language) || languages.some(isOtherSupported);
}
