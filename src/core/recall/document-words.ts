import type { IndexDocument } from "./index-document.ts";
import type { Lexicon } from "./lexicon.ts";
import { readMemoryText } from "./memory-text.ts";

/** What an index keeps of a memory's text: its word pieces, and what the ranker reads off it. */
export interface DocumentWords {
  /** In word pieces, without the speaker's name in front; at least 1. */
  readonly length: number;
  /**
   * How often each piece occurs. A speaker's name in front counts as had but not as said (0): a name in every line is
   * common, and is no match by itself.
   */
  readonly frequencies: ReadonlyMap<number, number>;
  readonly isQuestion: boolean;
  readonly asks: boolean;
  readonly mentionsTime: boolean;
}

/** Reads the words of a memory. Its keywords and path count once each, where its text does not have them. */
export function readDocumentWords(document: IndexDocument, lexicon: Lexicon): DocumentWords {
  const { bare, prefix, isQuestion, asks, mentionsTime } = readMemoryText(document.content, document.source);
  const pieces = lexicon.pieces(bare);
  const frequencies = new Map<number, number>();
  for (const piece of pieces) frequencies.set(piece, (frequencies.get(piece) ?? 0) + 1);
  for (const piece of lexicon.pieces(`${document.keywords} ${document.path}`)) {
    if (lexicon.isContent(piece) && !frequencies.has(piece)) frequencies.set(piece, 1);
  }
  for (const piece of prefix === null ? [] : lexicon.pieces(prefix)) {
    if (!frequencies.has(piece)) frequencies.set(piece, 0);
  }
  return { length: Math.max(1, pieces.length), frequencies, isQuestion, asks, mentionsTime };
}
