import type { Lexicon } from "./lexicon.ts";

/** A query piece that is counted in memories. */
export interface QueryTerm {
  readonly piece: number;
  /** Factor on its weight; less than 1 for words of conversation. */
  readonly factor: number;
}

/** What the ranker and the indexes know of a query. */
export interface QueryAnalysis {
  /** The query, cut to what is analysed. */
  readonly text: string;
  /** Every different piece, in order, stop words included. */
  readonly pieces: readonly number[];
  /** The pieces that are counted: no stop words or punctuation, unless there is nothing else. */
  readonly terms: readonly QueryTerm[];
  readonly sentences: readonly string[];
  /** What it names of a date: months 0–11, days 1–31, years in four digits. */
  readonly months: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
  /** 0 for a plain question, .5 when it speaks of I, we or you, 1 for a message rather than a question. */
  readonly conversation: 0 | 0.5 | 1;
  /** It asks when something happened. */
  readonly asksWhen: boolean;
}

/** More than any real question; a pasted document costs no more than this. */
const CHARACTERS_MAX = 8_000;
const PIECES_MAX = 2_000;
const TERMS_MAX = 256;
const SENTENCES_MAX = 32;
/** A long message mentions dates in passing. */
const DATE_CHARACTERS_MAX = 400;
/** From this many words on a text with "I" and no question mark is a message. */
const MESSAGE_WORDS_MIN = 12;

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** Months that are also plain words need their capital. */
const AMBIGUOUS_MONTHS: Readonly<Record<string, string>> = { may: "May", march: "March" };
const PRONOUN =
  /\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|we['’](?:re|ve|ll)|our|us|let['’]?s|you|your|you['’](?:ve|re|ll))\b/i;
const WHEN =
  /^\W*(?:when|what (?:date|day|month|year|time)|how long|how often)\b|\bwhen (?:did|is|was|does|will|are|were|has)\b/i;

/** Analyses a query. Any text is accepted; one without a piece has no terms. */
export function analyseQuery(query: string, lexicon: Lexicon): QueryAnalysis {
  const text = query.slice(0, CHARACTERS_MAX);
  const pieces = [...new Set(lexicon.pieces(text).slice(0, PIECES_MAX))];
  const content = pieces.filter((piece) => lexicon.isContent(piece));
  const counted = (content.length > 0 ? content : pieces).slice(0, TERMS_MAX);
  const sentences = splitSentences(text).slice(0, SENTENCES_MAX);
  return {
    text,
    pieces,
    terms: counted.map((piece) => ({ piece, factor: lexicon.chatWeight(piece) })),
    sentences,
    ...namedDates(text),
    conversation: conversationLevel(text, sentences),
    asksWhen: WHEN.test(text),
  };
}

function splitSentences(text: string): string[] {
  const parts = text.split(/(?<=[.!?])\s+|\n+/).map((part) => part.trim());
  const sentences = parts.filter((part) => /\S\s+\S/.test(part));
  return sentences.length > 0 ? sentences : [text];
}

function conversationLevel(text: string, sentences: readonly string[]): 0 | 0.5 | 1 {
  if (!PRONOUN.test(text)) return 0;
  const states = sentences.some((sentence) => !sentence.endsWith("?"));
  const isLong = sentences.length >= 2 || text.trim().split(/\s+/).length >= MESSAGE_WORDS_MIN;
  return states && isLong ? 1 : 0.5;
}

function namedDates(text: string): Pick<QueryAnalysis, "months" | "days" | "years"> {
  if (text.length >= DATE_CHARACTERS_MAX) return { months: new Set(), days: new Set(), years: new Set() };
  const words = new Set(text.match(/[A-Za-z]+/g) ?? []);
  const lower = new Set([...words].map((word) => word.toLowerCase()));
  const named = (month: string) => {
    const capital = AMBIGUOUS_MONTHS[month];
    return capital === undefined ? lower.has(month) : words.has(capital);
  };
  return {
    months: new Set(MONTHS.flatMap((month, index) => (named(month) ? [index] : []))),
    days: new Set([...text.matchAll(/\b([1-9]\d?)(?:st|nd|rd|th)?\b/g)].map((match) => Number(match[1]))),
    years: new Set([...text.matchAll(/\b(?:19|20)\d\d\b/g)].map((match) => Number(match[0]))),
  };
}
