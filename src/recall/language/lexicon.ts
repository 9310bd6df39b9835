import { ASCII_ONLY } from "./characters.ts";
import { type NearPieces, readNearPieces } from "./near-pieces.ts";
import { normalForm } from "./normal-form.ts";
import {
  type AddTerm,
  addLatinParts,
  addMarkedWords,
  addRun,
  isLatinWord,
  type ScriptText,
  splitScripts,
  type Whole,
} from "./script-terms.ts";
import { wordSet } from "./word-lists.ts";
import { CHAT, STOP } from "./words/english.ts";

/** The service's knowledge of words: how a text splits, which pieces are near each other, and their static vectors. */
export interface Lexicon {
  /** Dimension of `embed` and `embedQuery`. */
  readonly dimension: number;
  /** The word pieces of a text in order. Words that cannot be spelled get ids above the vocabulary's. */
  pieces(text: string): number[];
  /**
   * The terms that a text is compared by, in word order: pieces, and parts of words that the vocabulary cannot spell.
   */
  terms(text: string): TextTerms;
  /**
   * The id, beyond the vocabulary, of a key that stands for a whole word. Two keys collide with a probability of one in
   * a billion.
   */
  keyPiece(key: string): number;
  /** The text of a piece, with `##` before a continuation; undefined for a word outside the vocabulary. */
  word(piece: number): string | undefined;
  /** The piece, beyond the vocabulary, of a name used to address someone. No text contains it as a word. */
  addressPiece(name: string): number;
  isStopWord(piece: number): boolean;
  /** Whether the piece is (part of) a word or number, and no stop word. */
  isContent(piece: number): boolean;
  /** Factor on a query piece's weight: below 1 for conversational words. */
  chatWeight(piece: number): number;
  /**
   * Weight of each piece of a text by its frequency in general English, independent of any store: −ln of the probability
   * that a memory has it by chance. A word of several pieces weighs as its rarest one, shared among them.
   */
  backgroundWeights(terms: readonly TextTerm[]): ReadonlyMap<number, number>;
  /** The share of a text that the vocabulary spells, 0 to 1 by length in words. The rest is in other scripts. */
  spelledShare(text: string): number;
  /** The piece itself and those near it in the whole vocabulary, nearest first. */
  near(piece: number): NearPieces;
  /** The vector of a stored text, of length 1. All zero if the vocabulary spells less than half of the text. */
  embed(text: string): Float32Array;
  /** The vector of a query, with each piece multiplied by its weight. */
  embedQuery(text: string, weightOf: (piece: number) => number): Float32Array;
  /** Clears the cache of words seen in texts, so that nothing of erased texts remains. */
  forgetWords(): void;
}

/** A term of a text. `share`: what it counts as a fraction of a word. */
export interface TextTerm {
  readonly piece: number;
  readonly share: number;
  /** The word or run that it is a part of; null if it stands for itself. */
  readonly of: Whole | null;
}

export interface TextTerms {
  readonly terms: readonly TextTerm[];
  /** In word pieces. Text that has none is counted in words. */
  readonly length: number;
}

/** Source: recall.md, "Pieces of the query". */
const CHAT_WEIGHT = 0.3;

/**
 * BERT's vocabulary lists special tokens and single characters first, then all other pieces by descending frequency.
 */
const MOST_FREQUENT = "the";
/**
 * Share of memories with the piece at a rank, by chance: `c / (c + rank)`, after Zipf. c is about a tenth of a memory's
 * number of words, so this is for short ones. With more, a question about what all memories share finds less: "school" is
 * a frequent word.
 */
const BACKGROUND_RANK = 1;
/** Rank assumed for pieces without one: single characters, and everything outside the vocabulary. */
const NEUTRAL_RANK = 5000;
/** The background weight of pieces without a rank, in nats. */
export const NEUTRAL_WEIGHT = weightOfRank(NEUTRAL_RANK);

function weightOfRank(rank: number): number {
  return Math.log(1 + rank / BACKGROUND_RANK);
}

/**
 * If the vocabulary spells less than this share of a text, the few known words are not its subject: it has no vector.
 */
export const SPELLED_SHARE_MIN = 0.5;
/** A piece that continues a word. Digits tell something by themselves: a number is rarer than each of its parts. */
const CONTINUATION = /^##\D/;
const WORD_START = /^(?:##|[\p{L}\p{N}_])/u;

/** The bytes of a static embedding table (see `StaticTable`), and of its near pieces (see `readNearPieces`). */
export interface LexiconBytes {
  readonly table: Uint8Array;
  readonly near: Uint8Array;
}

/** Creates a lexicon. It keeps a reference to the table's bytes. Throws if the bytes are malformed. */
export function createLexicon(bytes: LexiconBytes, spelled: SpellingCache): Lexicon {
  const { words, dimension, scales, rows } = readStaticTable(bytes.table);
  const vocabulary = new Map(words.map((word, piece) => [word, piece]));
  const pieces = createWordPieces(vocabulary, spelled);
  const stop = Uint8Array.from(words, (word) => Number(STOP_WORDS.has(word)));
  const content = Uint8Array.from(words, (word) => Number(!STOP_WORDS.has(word) && WORD_START.test(word)));
  const chat = new Set([...CHAT_WORDS].map((word) => vocabulary.get(word)));
  const mostFrequent = vocabulary.get(MOST_FREQUENT) ?? words.length;

  function backgroundWeight(piece: number): number {
    const isRanked = piece >= mostFrequent && piece < words.length;
    return isRanked ? weightOfRank(piece - mostFrequent + 1) : NEUTRAL_WEIGHT;
  }

  function backgroundWeights(terms: readonly TextTerm[]): ReadonlyMap<number, number> {
    const weights = new Map<number, number>();
    for (let start = 0, end = 0; start < terms.length; start = end) {
      do end++;
      while (CONTINUATION.test(words[terms[end]?.piece ?? words.length] ?? ""));
      const ofWord = terms.slice(start, end).map(({ piece }) => backgroundWeight(piece));
      const share = Math.max(...ofWord) / ofWord.reduce((sum, weight) => sum + weight, 0);
      for (const [at, weight] of ofWord.entries()) {
        const { piece } = terms[start + at] as TextTerm;
        weights.set(piece, Math.max(weights.get(piece) ?? 0, share * weight));
      }
    }
    return weights;
  }

  function spelledShareOf(spelled: number, { runs }: ScriptText): number {
    let others = 0;
    for (const run of runs) others += addRun(run, () => {});
    return spelled + others === 0 ? 1 : spelled / (spelled + others);
  }

  function weighted(text: string, weightOf: (piece: number) => number): Float32Array {
    const sum = new Float32Array(dimension);
    const split = splitScripts(text);
    const spelled = pieces(split.spelled);
    if (split.runs.length > 0 && spelledShareOf(wordCount(spelled), split) < SPELLED_SHARE_MIN) return sum;
    for (const piece of spelled) {
      if (piece >= words.length) continue;
      const factor = (scales[piece] as number) * weightOf(piece);
      const start = piece * dimension;
      for (let d = 0; d < dimension; d++) sum[d] = (sum[d] as number) + factor * (rows[start + d] as number);
    }
    return toUnitLength(sum);
  }

  /** Counts words. Punctuation does not count. */
  function wordCount(spelled: readonly number[]): number {
    return spelled.filter((piece) => piece >= words.length || WORD_START.test(words[piece] as string)).length;
  }

  const wholes: (TextTerm | undefined)[] = [];
  /** Shares one term object per vocabulary piece between all texts, since there are very many of them. */
  function wholeTerm(piece: number): TextTerm {
    if (piece >= words.length) return { piece, share: 1, of: null };
    const whole = wholes[piece] ?? { piece, share: 1, of: null };
    wholes[piece] = whole;
    return whole;
  }

  function terms(text: string): TextTerms {
    const split = splitScripts(text);
    const found: TextTerm[] = [];
    const add: AddTerm = (term, share, of) => found.push({ piece: words.length + term, share, of });
    let length = 0;
    const inOrder = pieces.words(split.spelled);
    const spellings = inOrder.map(pieces.spelling);
    const hasParts = areForeign(spellings);
    for (let at = 0; at < spellings.length; at++) {
      const { pieces: spelled, isForeign } = spellings[at] as Spelling;
      length += spelled.length;
      for (const piece of spelled) found.push(wholeTerm(piece));
      if (hasParts && isForeign === true) addLatinParts(inOrder[at] as string, add);
    }
    addMarkedWords(split, add);
    for (const run of split.runs) length += addRun(run, add);
    return { terms: found, length };
  }

  return {
    dimension,
    pieces,
    terms,
    keyPiece: (key) => hashedPiece(`\u0001${key}`, words.length),
    word: (piece) => words[piece],
    addressPiece: (name) => hashedPiece(`\u0001${name}`, words.length),
    isStopWord: (piece) => stop[piece] === 1,
    isContent: (piece) => piece >= words.length || content[piece] === 1,
    chatWeight: (piece) => (chat.has(piece) ? CHAT_WEIGHT : 1),
    backgroundWeights,
    spelledShare(text) {
      const split = splitScripts(text);
      return split.runs.length === 0 ? 1 : spelledShareOf(wordCount(pieces(split.spelled)), split);
    },
    near: readNearPieces(bytes.near, { dimension, rows }),
    embed: (text) => weighted(text, () => 1),
    embedQuery: weighted,
    forgetWords: () => pieces.forget(),
  };
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  const norm = Math.sqrt(squares);
  return norm > 1e-9 ? vector.map((component) => component / norm) : new Float32Array(vector.length);
}

/**
 * Whether the vocabulary, which is English, has at most half of the Latin words. True for hardly one in thirty English
 * texts, and for nearly all in German, French, Finnish and so on. Words of fewer than four letters are ignored: the
 * vocabulary has those of most languages.
 */
function areForeign(spellings: readonly Spelling[]): boolean {
  let balance = 0;
  for (const { isForeign } of spellings) if (isForeign !== null) balance += isForeign ? 1 : -1;
  return balance >= 0;
}

/** English words that carry no topic. They are neither counted nor weighted in a query. */
const STOP_WORDS = wordSet(STOP);

/** Whether a lower-case word is an English one that carries no topic. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const CHAT_WORDS = wordSet(CHAT);

/**
 * Splits a text into word pieces as BERT-uncased does: accents stripped, lower case, punctuation and CJK characters on
 * their own, then the longest piece of the vocabulary first.
 *
 * Equal to Hugging Face's `BertNormalizer`, `BertPreTokenizer` and `WordPiece`, except for characters that entered
 * Unicode after version 8 and are not emoji: for those, the JavaScript engine's Unicode tables decide. The pieces are
 * in order. A word that the vocabulary cannot spell has the stable id of `unknownPiece`.
 */
interface WordPieces {
  (text: string): number[];
  /** The words of a text, in lower case and without accents. */
  words(text: string): readonly string[];
  /** Spelling of one of these words. */
  spelling(word: string): Spelling;
  /** Clears the cache of words. */
  forget(): void;
}

/** How the vocabulary spells a word. */
export interface Spelling {
  readonly pieces: readonly number[];
  /**
   * For a Latin word: whether the vocabulary lacks it or has it only in several pieces. null for any other word, which
   * does not indicate a language.
   */
  readonly isForeign: boolean | null;
}

/** Longer words are not split but unknown as a whole, as in BERT. Counted in code points. */
const WORD_LENGTH_MAX = 100;

/** Caches how words are spelled: spelling takes dozens of lookups, and texts repeat their words. Should be bounded. */
export interface SpellingCache {
  get(word: string): Spelling | undefined;
  set(word: string, spelling: Spelling): void;
  clear(): void;
}

/** Longer words are not cached. They rarely repeat, and a text without spaces is one such word. */
const KEPT_LENGTH_MAX = 32;

const UNKNOWN = "[UNK]";
const REMOVED = /[\ufffd\p{Cf}\p{Co}]|[^\P{Cc}\t\n\r]/gu;
/** The blocks that BERT calls Chinese. BERT leaves out U+2B820..U+2B91F, so this does too. */
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const ACCENT = /\p{Mn}/gu;
const WORD = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;
/** Equivalent to `WORD` for ASCII text, in a fraction of the time. */
const ASCII_WORD = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;
const PUNCTUATION = /^[\p{P}$+<=>^`|~]$/u;

/** Creates the splitter for a vocabulary, which maps a piece's text (`##` for a continuation) to its id. */
function createWordPieces(vocabulary: ReadonlyMap<string, number>, spelled: SpellingCache): WordPieces {
  const pieceLengthMax = longest(vocabulary);
  const spelling = (word: string): Spelling => {
    const known = spelled.get(word);
    if (known !== undefined) return known;
    const pieces = spell(word, vocabulary, pieceLengthMax) ?? [unknownPiece(word, vocabulary)];
    const isSpelledOut = pieces.length > 1 || (pieces[0] as number) >= vocabulary.size;
    const found = { pieces, isForeign: isLatinWord(word) ? isSpelledOut : null };
    if (word.length <= KEPT_LENGTH_MAX) spelled.set(word, found);
    return found;
  };
  const words = (text: string) => wordsIn(normalised(text));
  const split = (text: string) => {
    const pieces: number[] = [];
    for (const word of words(text)) for (const piece of spelling(word).pieces) pieces.push(piece);
    return pieces;
  };
  return Object.assign(split, { words, spelling, forget: () => spelled.clear() });
}

/**
 * An id beyond the vocabulary for a word that it cannot spell, so that such words still match themselves. Unknown
 * punctuation carries no meaning and stays `[UNK]`.
 */
function unknownPiece(word: string, vocabulary: ReadonlyMap<string, number>): number {
  if (PUNCTUATION.test(word)) return vocabulary.get(UNKNOWN) ?? 0;
  return hashedPiece(word, vocabulary.size);
}

function hashedPiece(word: string, vocabularySize: number): number {
  let hash = 0x811c9dc5; // FNV-1a, 32 bits
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  // 30 bits keep the id a small integer in every engine.
  return vocabularySize + (hash >>> 2);
}

function wordsIn(normal: string): readonly string[] {
  return normal.match(ASCII_ONLY.test(normal) ? ASCII_WORD : WORD) ?? [];
}

function normalised(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const spaced = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  // Strip accents first, so that a text with any number of them can be normalised. BERT lower-cases character by
  // character; JavaScript would end a word with "ς".
  return normalForm(spaced.replace(ACCENT, ""), "NFD").replace(ACCENT, "").replaceAll("Σ", "σ").toLowerCase();
}

function spell(
  word: string,
  vocabulary: ReadonlyMap<string, number>,
  pieceLengthMax: number,
): number[] | null {
  if (word.length > WORD_LENGTH_MAX && Array.from(word).length > WORD_LENGTH_MAX) return null;
  const pieces: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + pieceLengthMax);
    let piece: number | undefined;
    for (; end > start; end--) {
      const part = word.slice(start, end);
      piece = vocabulary.get(start === 0 ? part : `##${part}`);
      if (piece !== undefined) break;
    }
    if (piece === undefined) return null;
    pieces.push(piece);
    start = end;
  }
  return pieces;
}

function longest(vocabulary: ReadonlyMap<string, number>): number {
  let length = 1;
  for (const word of vocabulary.keys()) length = Math.max(length, word.length);
  return length;
}

/**
 * A static embedding table: one int8 row and one float32 scale per word piece.
 *
 * Format: `MSE1` | u32 header length | header JSON `{dim, vocab, vocabBytes}` | vocabulary joined by `\n`,
 * padded to 4 bytes | float32 scale[vocab] | int8 row[vocab × dim]; little endian.
 */
export interface StaticTable {
  readonly dimension: number;
  readonly words: readonly string[];
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

const MAGIC = "MSE1";

/** Reads a table. Throws if the bytes are not a table or are truncated. */
export function readStaticTable(bytes: Uint8Array): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  if (bytes.length < 8 || text.decode(bytes.subarray(0, 4)) !== MAGIC)
    throw new Error("Not a static embedding table.");
  const vocabularyAt = 8 + view.getUint32(4, true);
  const header = JSON.parse(text.decode(bytes.subarray(8, vocabularyAt))) as Record<string, unknown>;
  const [dimension, count, wordBytes] = [header.dim, header.vocab, header.vocabBytes].map(Number);
  if (!dimension || !count || !wordBytes) throw new Error("The static embedding table lacks its dimensions.");
  const scalesAt = vocabularyAt + Math.ceil(wordBytes / 4) * 4;
  const rowsAt = scalesAt + 4 * count;
  if (bytes.length < rowsAt + count * dimension) throw new Error("The static embedding table is cut short.");
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row++) scales[row] = view.getFloat32(scalesAt + 4 * row, true);
  return {
    dimension,
    words: text.decode(bytes.subarray(vocabularyAt, vocabularyAt + wordBytes)).split("\n"),
    scales,
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, count * dimension),
  };
}
