import type { IndexDocument } from "./index-document.ts";
import type { Lexicon } from "./lexicon.ts";

/** What an index keeps of a memory's text: its word pieces, and what the ranker reads off it. */
export interface DocumentWords {
  /** In word pieces, without the speaker's name in front; at least 1. */
  readonly length: number;
  /**
   * How often each piece occurs. A piece that only the speaker's name in front has is there with 0: a name in every line
   * is common, and no match by itself.
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

/** What the ranker reads off a memory's text when it is indexed: the text itself is not kept. */
interface MemoryText {
  /** The text without its speaker's name in front. */
  readonly bare: string;
  /** The name in front, or null. */
  readonly prefix: string | null;
  /** It ends in a question. */
  readonly isQuestion: boolean;
  /** It has a question anywhere. */
  readonly asks: boolean;
  /** It says when something happened. */
  readonly mentionsTime: boolean;
}

const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this) (?:week|month|year|night|weekend|morning|summer|winter|spring|fall|mon|tue|wed|thu|fri|sat|sun)\w*|recently|since|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|20\d\d|\d+(?:st|nd|rd|th))\b/i;
/** What may follow a question's mark, as "[shares a photo]". Bounded, so that it cannot run away on "[[[[". */
const TRAILING_NOTE = /\s*\[[^[\]]{0,500}\]\s*$/;

/** Reads a memory's text; `source` is who said it. */
export function readMemoryText(content: string, source: string | null): MemoryText {
  const hasPrefix = source !== null && source !== "" && content.startsWith(`${source}: `);
  const bare = hasPrefix ? content.slice(source.length + 2) : content;
  return {
    bare,
    prefix: hasPrefix ? source : null,
    isQuestion: withoutNote(bare).endsWith("?"),
    asks: bare.includes("?"),
    mentionsTime: TIME.test(bare),
  };
}

function withoutNote(text: string): string {
  const end = text.trimEnd();
  // The note is searched for at the end only: a long text of blanks would make the pattern quadratic.
  return end.endsWith("]") ? end.slice(-600).replace(TRAILING_NOTE, "").trimEnd() : end;
}
