import { comparedSentences } from "../language/compared.ts";
import { termsIn, wordsKey } from "./same-words.ts";

/** With less recognised text than this, it could come from anywhere. In UTF-16 units. */
const ECHO_LENGTH_MIN = 12;
/** A text of up to this length is also recognised as a whole, however its lines are broken. */
const WHOLE_LENGTH_MAX = 8192;

/**
 * Looks up a text as a whole, line by line, or sentence by sentence, and returns what was found. null if the text
 * contains anything that `find` does not know, or is too short to be conclusive. Stops at the first unknown sentence.
 */
export function whatIsKnown<T>(text: string, find: (piece: string) => T | null): T[] | null {
  const whole = wholeOf(text);
  const known = whole === null ? null : find(whole);
  if (whole !== null && known !== null) return whole.length < ECHO_LENGTH_MIN ? null : [known];
  return knownPieces(text, find);
}

/** Looks up each line of the text, or each sentence of it. null if one of them is unknown. */
function knownPieces<T>(text: string, find: (piece: string) => T | null): T[] | null {
  const found: T[] = [];
  let length = 0;
  for (const line of linesOf(text)) {
    const whole = wordsKey(line);
    for (const piece of find(whole) !== null ? [whole] : keysOf(comparedSentences(line))) {
      const noted = find(piece);
      if (noted === null) return null;
      found.push(noted);
      length += piece.length;
    }
  }
  return length < ECHO_LENGTH_MIN ? null : found;
}

/** The keys by which a text can be recognised later: as a whole, by its lines, and by their sentences. */
export function* piecesOf(text: string): Iterable<string> {
  const lines = text.split(LINE_BREAK);
  // Most texts have one line, which is the whole.
  const whole = lines.length === 1 ? null : wholeOf(text);
  if (whole !== null) yield whole;
  for (const line of lines) if (line !== "") yield* piecesOfLine(line, whole);
}

/** The keys of a line and of its sentences, without `known`. */
function* piecesOfLine(line: string, known: string | null): Iterable<string> {
  const sentences = comparedSentences(line);
  const terms = termsIn(line);
  const key = terms === line ? sentences.join("\n") : wordsKey(terms);
  if (key === "") return;
  if (key !== known) yield key;
  for (const sentence of keysOf(sentences)) if (sentence !== key) yield sentence;
}

/** null for a text that is too long to be compared as a whole, or empty. */
function wholeOf(text: string): string | null {
  return text.length > WHOLE_LENGTH_MAX ? null : wordsKey(text) || null;
}

/**
 * The service's own lines of a context text: those that quote no stored text. In its compact form, the header is the
 * beginning of the quoted line.
 */
export function ownLines(contextText: string): string {
  return contextText.replaceAll(/^[\da-z, -]*>.*/gm, "");
}

const LINE_BREAK = /[\n\r\u2028\u2029]/u;
const QUOTED = /^\s*(?:> ?)+/u;
/**
 * A leading sign before a number may be meant literally: "> 5" is not a quotation of "5", nor "- 18" a list item. So
 * only strip it before a letter. The header of a compact context text, such as `261122, directive a> `, is none.
 */
const QUOTED_WORDS = /^\s*(?:[\da-z, -]*[a-z]\d*> |(?:>|[*•-] ) ?(?=["'“‘(]?\p{L}))/u;

/** The lines of a text that may quote what was shown, without compact headers and quote prefixes such as "> ". */
function* linesOf(text: string): Iterable<string> {
  const lines = text.trim().split(LINE_BREAK);
  for (const line of lines) {
    const plain = line.replace(lines.length > 1 ? QUOTED : QUOTED_WORDS, "").replace(QUOTED_WORDS, "");
    if (plain.trim() !== "") yield plain;
  }
}

/** The keys of sentences as compared. Lazy, since the first decides for most lines. */
function* keysOf(sentences: readonly string[]): Iterable<string> {
  for (const sentence of sentences) {
    // As compared, a sentence is its own key, unless it has a lead-in.
    const key = termsIn(sentence) === sentence ? sentence : wordsKey(sentence);
    if (key !== "") yield key;
  }
}
