import { plainText } from "../language/characters.ts";
import { dividedWords } from "../language/exact-words.ts";
import type { Lexicon, TextTerm } from "../language/lexicon.ts";
import { type ExactPieces, exactPieces } from "./exact-terms.ts";
import { addressIn } from "./forms-of-address.ts";
import type { IndexDocument } from "./index-document.ts";

/** Data that an index keeps of a memory's text: its word pieces, and facts that the ranker needs. */
export interface DocumentWords {
  /** In word pieces, without the speaker's name in front; at least 1. */
  readonly length: number;
  /**
   * Number of occurrences of each piece. A piece that only occurs in the leading speaker's name has 0: a name in every
   * line is common, and no match by itself. The same holds for the name by which the text addresses someone (see
   * `addressIn`). Words that are distinctive as a whole have their own pieces (`exactPieces`).
   */
  readonly frequencies: ReadonlyMap<number, number>;
  readonly isQuestion: boolean;
  readonly asks: boolean;
  readonly mentionsTime: boolean;
}

/** The text of a memory or of one of its passages, with what names the memory. */
export interface NamedText extends Pick<IndexDocument, "content" | "source" | "keywords" | "path"> {
  /** The rest of this passage's last word, which the next passage contains. Only the whole word is distinctive. */
  readonly restOfWord?: string;
}

/** Names of a memory outside its text: its keywords and its path. */
export interface MemoryNames {
  readonly terms: readonly TextTerm[];
  readonly exact: ExactPieces;
}

export type NameReader = (document: NamedText) => MemoryNames;

/**
 * Creates a reader of memories' names that reads equal names once. Use one per batch, since it caches everything it
 * reads.
 */
export function createNameReader(lexicon: Lexicon): NameReader {
  const read = new Map<string, MemoryNames>();
  return ({ keywords, path }) => {
    const key = `${keywords}\n${path}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const names = { terms: lexicon.terms(`${keywords} ${path}`).terms, exact: exactPieces(key, lexicon) };
    read.set(key, names);
    return names;
  };
}

/**
 * Reads the words of a memory or of one of its passages. The memory's names, and the words inside words such as
 * "getUser", count once each if the text does not contain them.
 */
export function readDocumentWords(
  document: NamedText,
  lexicon: Lexicon,
  names = createNameReader(lexicon)(document),
): DocumentWords {
  const { bare, prefix, isQuestion, asks, mentionsTime } = readMemoryText(document.content, document.source);
  const { terms, length } = lexicon.terms(bare);
  const frequencies = new Map<number, number>();
  for (const { piece } of terms) frequencies.set(piece, (frequencies.get(piece) ?? 0) + 1);
  const divided = dividedWords(plainText(bare));
  const within = divided === "" ? [] : lexicon.terms(divided).terms;
  for (const named of [names.terms, within])
    for (const { piece } of named)
      if (lexicon.isContent(piece) && !frequencies.has(piece)) frequencies.set(piece, 1);
  for (const { piece } of prefix === null ? [] : lexicon.terms(prefix).terms) {
    if (!frequencies.has(piece)) frequencies.set(piece, 0);
  }
  const address = addressIn(bare, lexicon);
  if (address !== null) frequencies.set(address, 0);
  const exact = exactPieces(`${bare}${document.restOfWord ?? ""}`, lexicon);
  for (const pieces of [exact.wholes, names.exact.wholes, exact.parts, names.exact.parts])
    for (const piece of pieces) frequencies.set(piece, 1);
  return { length: Math.max(1, length), frequencies, isQuestion, asks, mentionsTime };
}

/** Facts about a memory's text for the ranker, read at indexing because the text itself is not kept. */
interface MemoryText {
  /** The text without the speaker's name in front. */
  readonly bare: string;
  /** The name in front, or null. */
  readonly prefix: string | null;
  /** The text ends with a question. */
  readonly isQuestion: boolean;
  /** The text contains a question anywhere. */
  readonly asks: boolean;
  /** The text says when something happened. */
  readonly mentionsTime: boolean;
}

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this) (?:week|month|year|night|weekend|morning|summer|winter|spring|fall|mon|tue|wed|thu|fri|sat|sun)\w*|recently|since|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|20\d\d|\d+(?:st|nd|rd|th))\b/i;
const QUESTION_MARK = /[?？؟]/;
/** A note after a question mark, such as "[shares a photo]". Bounded, to avoid quadratic time on "[[[[". */
const TRAILING_NOTE = /\s*\[[^[\]]{0,500}\]\s*$/;

/** Reads a memory's text. `source`: who said it. */
export function readMemoryText(content: string, source: string | null): MemoryText {
  const hasPrefix = source !== null && source !== "" && content.startsWith(`${source}: `);
  const bare = hasPrefix ? content.slice(source.length + 2) : content;
  return {
    bare,
    prefix: hasPrefix ? source : null,
    isQuestion: endsInQuestion(withoutNote(bare)),
    asks: QUESTION_MARK.test(bare),
    mentionsTime: TIME.test(bare),
  };
}

/** Whether a text's last character is a question mark, in any script that has its own. */
export function endsInQuestion(text: string): boolean {
  return QUESTION_MARK.test(text.slice(-1));
}

function withoutNote(text: string): string {
  const end = text.trimEnd();
  // Search for the note only at the end: a long text of blanks would make the pattern quadratic.
  return end.endsWith("]") ? end.slice(-600).replace(TRAILING_NOTE, "").trimEnd() : end;
}
