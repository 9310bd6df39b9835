import type { QueryVectors } from "./query-embedding.ts";

/** Reads queries by the multilingual encoder. Returns null without one. */
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

/** The language of the words and of the built-in table of vectors. */
export const TABLE_LANGUAGE = "en";

/** The languages that the multilingual encoder reads. In others it knows what they share with these. */
const READ_LANGUAGES: ReadonlySet<string> = new Set(
  "ar de en es fr it ja ko nl pl pt ru th tr zh".split(" "),
);

/** Whether the encoder may read a query's language. */
export function isRead(queryLanguage: string | null): boolean {
  return queryLanguage === null || READ_LANGUAGES.has(queryLanguage);
}

/** Mean length of passages, in word pieces, from which a scope's texts may be too long for its words to decide. */
const LENGTH_MIN = 60;

/**
 * Whether a scope's memories need a comparison by multilingual vectors: the query is not in English, or one of them is in
 * another language that the encoder reads, or they are long. Short English memories do not, so that searching them costs
 * nothing more.
 */
export function needsMultilingual(
  { language }: Pick<MultilingualQuery, "language">,
  { languages, meanLength }: { readonly languages: readonly string[]; readonly meanLength: number },
): boolean {
  const isOther = (one: string | null) => one !== null && one !== TABLE_LANGUAGE;
  const isOtherRead = (one: string) => isOther(one) && READ_LANGUAGES.has(one);
  return meanLength >= LENGTH_MIN || isOther(language) || languages.some(isOtherRead);
}
