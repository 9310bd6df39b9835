import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { NONE, TokenVocabulary } from "./token-vocabulary.ts";

const PIECE = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, "gu");
/** UTF-8 needs at most three bytes per UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;
/** Long enough for nearly every piece of ordinary text. */
const PIECE_UNITS_USUAL = 32;

const SPACE = 0x20;
const APOSTROPHE = 0x27;

let vocabulary: TokenVocabulary | undefined;
let readVocabulary = (): Uint8Array => {
  throw new Error("Tokens cannot be counted before `provideVocabulary` was called.");
};

/** Says how to read the file `o200k_base.tiktoken`, which the engine cannot do itself. It is read at the first count. */
export function provideVocabulary(read: () => Uint8Array): void {
  readVocabulary = read;
}

/**
 * The exact number of `o200k_base` tokens of a text as sent to a model. Special tokens such as `<|endoftext|>` are
 * treated as plain text and never throw. An unpaired surrogate counts as U+FFFD.
 *
 * The encoding first splits text by a pattern and merges only inside the pieces, so the sum over the pieces is exact.
 * Linear for any text, unlike the library's own counter, which is quadratic in one long piece (200,000 "a" took it 54
 * s). No text is retained. The first call builds the vocabulary.
 *
 * Counts add up at line ends: if `a` ends in a line feed and `b` begins with neither white space nor "/", then
 * `countTokens(a + b)` is `countTokens(a) + countTokens(b)`. No piece of the pattern extends from a line break to any
 * other character. The context text is built of such lines.
 */
export function countTokens(text: string): number {
  return measureTokens(text, Number.POSITIVE_INFINITY).tokens;
}

/** A text's token count, up to a limit. */
interface TokenMeasure {
  /** Exact if within the limit, otherwise Infinity. */
  readonly tokens: number;
  /**
   * Length of the text covered by the allowed tokens, in UTF-16 units: all of it unless it has more tokens. A character
   * whose tokens are not all allowed is excluded.
   */
  readonly length: number;
}

/** Counts a text's tokens. Reads no further than the end of the piece that exceeds the limit. */
export function measureTokens(text: string, tokensMax: number): TokenMeasure {
  const encoder = new PieceEncoder();
  let tokens = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = pieceEnd(text, start);
    const before = tokens;
    tokens += encoder.encode(text, start, end);
    if (tokens > tokensMax)
      return {
        tokens: Number.POSITIVE_INFINITY,
        length: start + encoder.unitsOf(Math.max(0, tokensMax - before)),
      };
  }
  return { tokens, length: text.length };
}

/** The end of the piece that begins at `start`. The pattern skips no character, so the next piece begins there. */
function pieceEnd(text: string, start: number): number {
  const end = asciiWordEnd(text, start);
  if (end !== NONE) return end;
  PIECE.lastIndex = start;
  PIECE.test(text);
  return PIECE.lastIndex;
}

/**
 * A fast path for the most common pieces, ten times as fast as the pattern: a word of ASCII letters, optionally
 * preceded by a space. Returns NONE if there is no such word, or if the next character may belong to it.
 */
function asciiWordEnd(text: string, start: number): number {
  const from = text.charCodeAt(start) === SPACE ? start + 1 : start;
  let at = from;
  while (at < text.length && isUpper(text.charCodeAt(at))) at++;
  while (at < text.length && isLower(text.charCodeAt(at))) at++;
  const after = at < text.length ? text.charCodeAt(at) : SPACE;
  return at > from && after < 0x80 && after !== APOSTROPHE ? at : NONE;
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

/**
 * Byte pair encoding of one piece at a time, with backtracking: takes the longest token that can stand beside the
 * previous one. If there is none, it shortens the previous token. A position from which encoding failed is never
 * retried, which makes it linear. The result equals that of merging, because an encoding is correct if each two
 * adjacent tokens are, and `staysApart` checks these.
 *
 * The algorithm of https://github.com/github/rust-gems/tree/main/crates/bpe.
 */
class PieceEncoder {
  readonly #vocabulary: TokenVocabulary;
  #bytes: Uint8Array | undefined;
  readonly #tokens: number[] = [];

  constructor() {
    vocabulary ??= new TokenVocabulary(readVocabulary());
    this.#vocabulary = vocabulary;
  }

  /** Number of tokens of a piece of a text. */
  encode(text: string, from: number, to: number): number {
    const vocabulary = this.#vocabulary;
    const tokens = this.#tokens;
    tokens.length = 0;
    if (to - from <= PIECE_UNITS_USUAL && vocabulary.hasAscii(text, from, to)) return 1;
    const room = Math.max(to - from, PIECE_UNITS_USUAL) * BYTES_PER_UNIT_MAX;
    if (this.#bytes === undefined || room > this.#bytes.length) this.#bytes = new Uint8Array(room);
    const bytes = this.#bytes;
    const end = writeUtf8(text, from, to, bytes);
    let deadEnds: Uint8Array | undefined;
    let at = 0;
    let token = vocabulary.longestMatch(bytes, at, end);
    while (at < end) {
      const before = tokens.length === 0 ? NONE : (tokens[tokens.length - 1] as number);
      for (; token !== NONE; token = vocabulary.prefixOf(token)) {
        if (deadEnds?.[at + (vocabulary.lengths[token] as number)] === 1) continue;
        if (before === NONE || vocabulary.staysApart(before, token)) break;
      }
      if (token !== NONE) {
        const length = vocabulary.lengths[token] as number;
        // In a long run of one character, try the previous token first: longer ones fail at every position of the run.
        do {
          tokens.push(token);
          at += length;
        } while (
          isRepeated(bytes, at, length, end) &&
          deadEnds?.[at + length] !== 1 &&
          vocabulary.staysApart(token, token)
        );
      } else {
        deadEnds ??= new Uint8Array(end);
        deadEnds[at] = 1;
        at -= vocabulary.lengths[tokens.pop() as number] as number;
      }
      if (at < end) token = vocabulary.longestMatch(bytes, at, end);
    }
    return tokens.length;
  }

  /** Length, in UTF-16 units, of the first `tokenCount` tokens of the last encoded piece. Must be fewer than it has. */
  unitsOf(tokenCount: number): number {
    const bytes = this.#bytes;
    if (tokenCount === 0 || bytes === undefined) return 0;
    let end = 0;
    for (const token of this.#tokens.slice(0, tokenCount)) end += this.#vocabulary.lengths[token] as number;
    // Go back to the beginning of a character: continuation bytes are 10xxxxxx.
    while (((bytes[end] as number) & 0xc0) === 0x80) end--;
    let units = 0;
    for (let at = 0; at < end; at++) {
      const byte = bytes[at] as number;
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  }
}

/** Whether the bytes from `at` on repeat the `length` bytes before it. */
function isRepeated(bytes: Uint8Array, at: number, length: number, end: number): boolean {
  if (at + length > end) return false;
  for (let i = at; i < at + length; i++) if (bytes[i] !== bytes[i - length]) return false;
  return true;
}

/** Writes a range of a text as UTF-8, with U+FFFD for an unpaired surrogate. Returns the number of bytes. */
function writeUtf8(text: string, from: number, to: number, bytes: Uint8Array): number {
  let length = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[length++] = unit;
    } else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 0x3f);
    } else {
      const point = text.codePointAt(at) as number;
      if (point >= 0x10000) {
        at++;
        bytes[length++] = 0xf0 | (point >> 18);
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[length++] = 0x80 | (point & 0x3f);
      } else {
        const shown = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
        bytes[length++] = 0xe0 | (shown >> 12);
        bytes[length++] = 0x80 | ((shown >> 6) & 0x3f);
        bytes[length++] = 0x80 | (shown & 0x3f);
      }
    }
  }
  return length;
}
