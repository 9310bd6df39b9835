import { normalForm } from "../../recall/language/normal-form.ts";
import type { Tensors } from "./safetensors.ts";

const UNKNOWN = 0;
const START = 1;
const END = 2;
/** Stands for the space before a word. */
const WORD_START = "\u2581";
/** How much less probable an unknown character is than the rarest piece, as a logarithm: SentencePiece's figure. */
const UNKNOWN_PENALTY = 10;

/** Maximum pieces of a text, without the marks at both ends. */
export const PIECES_MAX = 512;
/** Text that is read, in UTF-16 units: twice as much as `PIECES_MAX` pieces of the languages with the longest ones. */
const TEXT_UNITS_MAX = 4096;

const CACHED_WORDS_MAX = 10_000;
const CACHED_WORD_UNITS_MAX = 32;

/** Whether most of a text's pieces are unknown: it is in a script that the model was not made for. */
export function isMostlyUnknown(pieces: readonly number[]): boolean {
  const unknown = pieces.filter((piece) => piece === UNKNOWN).length;
  // Without the marks at both ends.
  return unknown > (pieces.length - 2) / 2;
}

/** Divides text into word pieces: those whose product of probabilities is greatest, as SentencePiece's unigram model. */
export class WordPieces {
  private readonly numbers = new Map<string, number>();
  private readonly scores: Float32Array;
  private readonly unknownScore: number;
  private readonly longest: number;
  private readonly cache = new Map<string, readonly number[]>();

  constructor(tensors: Tensors) {
    const pieces = new TextDecoder().decode(tensors.bytes("pieces.text")).split("\n");
    this.scores = tensors.float32("pieces.scores");
    let lowest = 0;
    let longest = 1;
    for (const [number, piece] of pieces.entries()) {
      if (number <= END) continue;
      this.numbers.set(piece, number);
      longest = Math.max(longest, piece.length);
      lowest = Math.min(lowest, this.scores[number] as number);
    }
    this.longest = longest;
    this.unknownScore = lowest - UNKNOWN_PENALTY;
  }

  /** Returns the numbers of a text's pieces between the marks, up to `PIECES_MAX`. An empty text counts as unknown. */
  encode(text: string): number[] {
    const pieces: number[] = [];
    for (const word of wordsOf(text)) {
      pieces.push(...this.encodeWord(WORD_START + word));
      if (pieces.length >= PIECES_MAX) break;
    }
    if (pieces.length === 0) pieces.push(UNKNOWN);
    return [START, ...pieces.slice(0, PIECES_MAX), END];
  }

  private encodeWord(word: string): readonly number[] {
    const cached = this.cache.get(word);
    if (cached !== undefined) return cached;
    const pieces = this.bestPieces(word);
    if (word.length <= CACHED_WORD_UNITS_MAX) {
      if (this.cache.size >= CACHED_WORDS_MAX) this.cache.clear();
      this.cache.set(word, pieces);
    }
    return pieces;
  }

  /** Viterbi: the best division up to each place extends the best one up to an earlier place by one piece. */
  private bestPieces(word: string): number[] {
    const scores = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
    const starts = new Int32Array(word.length + 1);
    const pieces = new Int32Array(word.length + 1);
    scores[0] = 0;
    const extend = (start: number, end: number, piece: number, score: number) => {
      const sum = (scores[start] as number) + score;
      if (sum <= (scores[end] as number)) return;
      scores[end] = sum;
      starts[end] = start;
      pieces[end] = piece;
    };
    for (let start = 0; start < word.length; start++) {
      if (scores[start] === Number.NEGATIVE_INFINITY) continue;
      const character = start + ((word.codePointAt(start) as number) > 0xffff ? 2 : 1);
      let isKnown = false;
      for (let end = start + 1; end <= Math.min(word.length, start + this.longest); end++) {
        const piece = this.numbers.get(word.slice(start, end));
        if (piece === undefined) continue;
        extend(start, end, piece, this.scores[piece] as number);
        if (end === character) isKnown = true;
      }
      if (!isKnown) extend(start, character, UNKNOWN, this.unknownScore);
    }
    return readBack(word.length, starts, pieces);
  }
}

/** Follows the best division from its end to its start. */
function readBack(length: number, starts: Int32Array, pieces: Int32Array): number[] {
  const found: number[] = [];
  for (let end = length; end > 0; end = starts[end] as number) found.push(pieces[end] as number);
  return found.reverse();
}

function wordsOf(text: string): string[] {
  const normal = normalForm(text.slice(0, TEXT_UNITS_MAX).toWellFormed(), "NFKC");
  return normal.split(/[\s\u200b\ufeff]+/u).filter((word) => word !== "");
}
