import { restOfWord } from "../language/exact-words.ts";
import type { Lexicon } from "../language/lexicon.ts";
import { type Passage, passagesOf } from "../language/passages.ts";
import {
  createNameReader,
  type DocumentWords,
  type NamedText,
  type NameReader,
  readDocumentWords,
} from "./document-words.ts";
import type { IndexDocument } from "./index-document.ts";
import { passageSteps } from "./vector-bytes.ts";

/** A passage of a memory as stored in indexes: its words, and the steps of its vector and of its multilingual one. */
export interface IndexedPassage {
  readonly words: DocumentWords;
  readonly steps: Int8Array | null;
  readonly multilingual: Int8Array | null;
}

/** Reads the passages of a memory, in order. `namesOf` reads its names; share one reader between many memories. */
export function readPassages(
  document: IndexDocument,
  lexicon: Lexicon,
  namesOf = createNameReader(lexicon),
): IndexedPassage[] {
  return withVectors(readPassageWords(document, lexicon, { namesOf }), document);
}

/**
 * Reads the words of a memory's passages, in order. The memory's names belong to every passage, and a leading speaker's
 * name only to the first. A word that continues in the next passage belongs to the passage in which it begins. A
 * passage for which `isRead` returns false gets no words, and an approximate length.
 */
export function readPassageWords(
  document: NamedText,
  lexicon: Lexicon,
  { isRead = () => true, namesOf = createNameReader(lexicon) }: ReadingHow = {},
): DocumentWords[] {
  const names = namesOf(document);
  const { content: text } = document;
  return passagesOf(text).map((place, at) => {
    const { start, end } = place;
    if (!isRead(place)) return unread(end - start);
    const passage = {
      ...document,
      content: text.slice(start, end),
      restOfWord: restOfWord(text, end, REST_MAX),
      source: at === 0 ? document.source : null,
    };
    return readDocumentWords(passage, lexicon, names);
  });
}

interface ReadingHow {
  readonly isRead?: (passage: Passage) => boolean;
  readonly namesOf?: NameReader;
}

/** A word that continues for longer is not indexed as a whole. Quotations are not longer either. */
const REST_MAX = 512;
/** UTF-16 units per word piece in typical texts. */
const UNITS_PER_PIECE = 5;

function unread(length: number): DocumentWords {
  return {
    length: Math.max(1, Math.round(length / UNITS_PER_PIECE)),
    frequencies: new Map(),
    isQuestion: false,
    asks: false,
    mentionsTime: false,
  };
}

/** Combines passages' words with their vectors, in order from the first. */
export function withVectors(
  words: readonly DocumentWords[],
  { vectors, multilingual }: Pick<IndexDocument, "vectors" | "multilingual">,
): IndexedPassage[] {
  const [steps, others] = [vectors, multilingual].map((stored) =>
    stored === null ? [] : passageSteps(stored),
  );
  return words.map((words, at) => ({
    words,
    steps: steps?.[at] ?? null,
    multilingual: others?.[at] ?? null,
  }));
}
