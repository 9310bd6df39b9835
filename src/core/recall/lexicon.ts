import { CHAT_WORDS, STOP_WORDS } from "./common-words.ts";
import { createNearPieces, type NearPieces } from "./near-pieces.ts";
import { readStaticTable } from "./static-table.ts";
import { createWordPieces } from "./word-pieces.ts";

/** What the service knows about words: how a text splits, which pieces are near, and their static vectors. */
export interface Lexicon {
  /** Dimension of `embed` and `embedQuery`. */
  readonly dimension: number;
  /** The word pieces of a text in order. Words that cannot be spelled have ids from the vocabulary's size on. */
  pieces(text: string): number[];
  /** The text of a piece, `##` before a continuation; undefined for a word outside the vocabulary. */
  word(piece: number): string | undefined;
  isStopWord(piece: number): boolean;
  /** Whether the piece is (part of) a word or number and no stop word. */
  isContent(piece: number): boolean;
  /** Factor on a query piece's weight: less than 1 for words of conversation. */
  chatWeight(piece: number): number;
  /** The piece itself and its near ones over the whole vocabulary, nearest first. */
  near(piece: number): NearPieces;
  /** The vector of a stored text, of length 1 (all zero when the text has no piece of the vocabulary). */
  embed(text: string): Float32Array;
  /** The vector of a query, each piece multiplied by its weight. Of length 1, or all zero. */
  embedQuery(text: string, weightOf: (piece: number) => number): Float32Array;
}

/** Source: recall.md, "Pieces of the query". */
const CHAT_WEIGHT = 0.3;
const WORD_START = /^(?:##|[\p{L}\p{N}_])/u;

/** Makes a lexicon from the bytes of a static embedding table (see `static-table.ts`), which it keeps. */
export function createLexicon(bytes: Uint8Array): Lexicon {
  const table = readStaticTable(bytes);
  const { words, dimension, scales, rows } = table;
  const vocabulary = new Map(words.map((word, piece) => [word, piece]));
  const pieces = createWordPieces(vocabulary);
  const stop = Uint8Array.from(words, (word) => Number(STOP_WORDS.has(word)));
  const content = Uint8Array.from(words, (word) => Number(!STOP_WORDS.has(word) && WORD_START.test(word)));
  const chat = new Set([...CHAT_WORDS].map((word) => vocabulary.get(word)));

  function weighted(text: string, weightOf: (piece: number) => number): Float32Array {
    const sum = new Float32Array(dimension);
    for (const piece of pieces(text)) {
      if (piece >= words.length) continue;
      const factor = (scales[piece] as number) * weightOf(piece);
      const start = piece * dimension;
      for (let d = 0; d < dimension; d++) sum[d] = (sum[d] as number) + factor * (rows[start + d] as number);
    }
    return toUnitLength(sum);
  }

  return {
    dimension,
    pieces,
    word: (piece) => words[piece],
    isStopWord: (piece) => stop[piece] === 1,
    isContent: (piece) => piece >= words.length || content[piece] === 1,
    chatWeight: (piece) => (chat.has(piece) ? CHAT_WEIGHT : 1),
    near: createNearPieces(table),
    embed: (text) => weighted(text, () => 1),
    embedQuery: weighted,
  };
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  const norm = Math.sqrt(squares);
  return norm > 1e-9 ? vector.map((component) => component / norm) : new Float32Array(vector.length);
}
