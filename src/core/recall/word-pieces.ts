/**
 * Splits a text into word pieces as BERT-uncased does: accents stripped, lower case, punctuation and CJK
 * characters on their own, then the longest piece of the vocabulary first.
 *
 * Equal to Hugging Face's `BertNormalizer`, `BertPreTokenizer` and `WordPiece`, except for characters that
 * entered Unicode after version 8 and are not emoji: there the engine's own Unicode tables decide.
 */
export interface WordPieces {
  /** The pieces in order. A word that the vocabulary cannot spell has the stable id of `unknownPiece`. */
  (text: string): number[];
}

/** Longer words are not split: they are unknown as a whole, as in BERT. Counted in code points. */
const WORD_LENGTH_MAX = 100;

/** Spelling a word costs dozens of look-ups, and texts repeat their words. */
const CACHED_WORDS_MAX = 20_000;

const UNKNOWN = "[UNK]";
const ASCII_ONLY = /^[\t\n\r\x20-\x7e]*$/;
const REMOVED = /[\ufffd\p{Cf}\p{Co}]|[^\P{Cc}\t\n\r]/gu;
/** The blocks that BERT calls Chinese: U+2B820..U+2B91F is missing there, and so it is here. */
const IDEOGRAPH =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const ACCENT = /\p{Mn}/gu;
const WORD = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;
const PUNCTUATION = /^[\p{P}$+<=>^`|~]$/u;

/** Makes the splitter for a vocabulary, which maps a piece's text (`##` for a continuation) to its id. */
export function createWordPieces(vocabulary: ReadonlyMap<string, number>): WordPieces {
  const spelled = new Map<string, readonly number[]>();
  const pieceLengthMax = longest(vocabulary);
  return (text) => {
    const pieces: number[] = [];
    for (const word of normalised(text).match(WORD) ?? []) {
      let spelling = spelled.get(word);
      if (spelling === undefined) {
        spelling = spell(word, vocabulary, pieceLengthMax) ?? [unknownPiece(word, vocabulary)];
        if (spelled.size >= CACHED_WORDS_MAX) spelled.clear();
        spelled.set(word, spelling);
      }
      for (const piece of spelling) pieces.push(piece);
    }
    return pieces;
  };
}

/**
 * An id beyond the vocabulary for a word that it cannot spell, so that such words still match themselves.
 * Unknown punctuation names nothing and stays `[UNK]`.
 */
function unknownPiece(word: string, vocabulary: ReadonlyMap<string, number>): number {
  if (PUNCTUATION.test(word)) return vocabulary.get(UNKNOWN) ?? 0;
  let hash = 0x811c9dc5; // FNV-1a, 32 bits
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  // 30 bits keep the id a small integer in every engine.
  return vocabulary.size + (hash >>> 2);
}

function normalised(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const spaced = text.replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  // BERT lower-cases character by character; JavaScript would end a word with "ς".
  return spaced.normalize("NFD").replace(ACCENT, "").replaceAll("Σ", "σ").toLowerCase();
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
