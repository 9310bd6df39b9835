import { writtenWords } from "../language/compared.ts";
import { type NamedDates, namedDates } from "../language/dates.ts";
import type { Lexicon, TextTerm } from "../language/lexicon.ts";
import { possibleNames, type QueryName } from "../language/names.ts";
import { type Reading, read } from "../language/reading.ts";
import type { Whole } from "../language/script-terms.ts";
import { UNSPACED_SCRIPTS } from "../language/scripts.ts";
import { endsInQuestion } from "./document-words.ts";
import { type ExactTerm, exactTerms, piecesOf, withoutStrict } from "./exact-terms.ts";

/** A query piece that is counted in memories. */
export interface QueryTerm {
  readonly piece: number;
  /** Factor on its weight; below 1 for conversational words. */
  readonly factor: number;
  /** Weight by its frequency in the language, including the factor. The same in every scope. */
  readonly background: number;
  /** The word or run that it is a part of; null if it stands for itself. */
  readonly of: Whole | null;
  /** Counted only for what the query names: without near pieces and without its own weight. */
  readonly isExact: boolean;
  /** Occurs only in what the query names strictly. */
  readonly isNamed: boolean;
}

/** Analysis of a query for the ranker and the indexes. */
export interface QueryAnalysis extends NamedDates {
  /** The query, truncated to the analysed length. */
  readonly text: string;
  /** Every distinct piece in order, stop words included. */
  readonly pieces: readonly number[];
  /** The counted pieces: no stop words or punctuation, unless there is nothing else. */
  readonly terms: readonly QueryTerm[];
  /** Words and phrases that the query names literally. */
  readonly exact: readonly ExactTerm[];
  readonly sentences: readonly string[];
  /** Words that may be a short or misspelt name (see `possibleNames`). */
  readonly names: readonly QueryName[];
  /** True if it makes statements rather than asking a question. */
  readonly isMessage: boolean;
  /** The share of it that the vocabulary spells, 0 to 1. The rest is in other scripts. */
  readonly spelledShare: number;
  /** True if it asks when something happened. */
  readonly asksWhen: boolean;
}

/** Longer than any real question. Bounds the cost of a pasted document. */
const CHARACTERS_MAX = 8_000;
const PIECES_MAX = 2_000;
const TERMS_MAX = 256;
const SENTENCES_MAX = 32;
/** A text of at least this many words, with "I" and without a question mark, is a message. */
const MESSAGE_WORDS_MIN = 12;

const PRONOUN =
  /\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|we['’](?:re|ve|ll)|our|us|let['’]?s|you|your|you['’](?:ve|re|ll))\b/i;
const WHEN =
  /^\W*(?:when|what (?:date|day|month|year|time)|how long|how often)\b|\bwhen (?:did|is|was|does|will|are|were|has)\b/i;

/** Analyses a query. Accepts any text; a text without pieces has no terms. */
export function analyseQuery(query: string, lexicon: Lexicon): QueryAnalysis {
  const text = query.slice(0, CHARACTERS_MAX);
  const termOf = new Map<number, TextTerm>();
  const inOrder = lexicon.terms(text).terms.slice(0, PIECES_MAX);
  for (const term of inOrder) {
    if (term.share > (termOf.get(term.piece)?.share ?? 0)) termOf.set(term.piece, term);
  }
  const pieces = [...termOf.keys()];
  const content = pieces.filter((piece) => lexicon.isContent(piece));
  const share = (piece: number) => termOf.get(piece)?.share ?? 0;
  // For a long text split into parts of words, keep the terms that count most, so that its end is represented too.
  const counted = (content.length > 0 ? content : pieces)
    .toSorted((a, b) => share(b) - share(a))
    .slice(0, TERMS_MAX);
  const sentences = sentencesAsked(read(text)).slice(0, SENTENCES_MAX);
  const isMessage = tellsMoreThanItAsks(text, sentences);
  const exact = exactTerms(text, lexicon, isMessage);
  const namesStrictly = exact.some(({ isStrict }) => isStrict);
  const unnamed = new Set(
    (namesStrictly ? lexicon.terms(withoutStrict(text, exact)).terms : inOrder).map(({ piece }) => piece),
  );
  const weights = lexicon.backgroundWeights(inOrder);
  const words = counted.map((piece) => {
    const { share, of } = termOf.get(piece) as TextTerm;
    const factor = share * lexicon.chatWeight(piece);
    const background = factor * (weights.get(piece) as number);
    return { piece, factor, background, of, isExact: false, isNamed: !unnamed.has(piece) };
  });
  const named = piecesOf(exact);
  return {
    text,
    pieces: [...new Set([...pieces, ...named])],
    terms: [
      ...words,
      ...named.map((piece) => ({ piece, factor: 0, background: 0, of: null, isExact: true, isNamed: false })),
    ],
    exact,
    sentences,
    names: possibleNames(text, lexicon),
    ...namedDates(text),
    isMessage,
    spelledShare: lexicon.spelledShare(text),
    asksWhen: WHEN.test(text),
  };
}

/** The query with one more piece counted in memories, which adds nothing to what they match. */
export function withCounted(query: QueryAnalysis, piece: number): QueryAnalysis {
  const term = { piece, factor: 0, background: 0, of: null, isExact: true, isNamed: false };
  return { ...query, terms: [...query.terms, term] };
}

const ITEM_NUMBER = /^\s{0,16}\p{N}{1,3}[.)]\s/u;
/** Two words, or the equivalent without a space. */
const SENTENCE = new RegExp(String.raw`\S\s+\S|[${UNSPACED_SCRIPTS}]{4}`, "u");

function sentencesAsked({ text, lines }: Reading): string[] {
  const parts = lines.map(({ start, end }) => text.slice(start, end).replace(ITEM_NUMBER, "").trim());
  const sentences = parts.filter((part) => SENTENCE.test(part));
  return sentences.length > 0 ? sentences : [text];
}

function tellsMoreThanItAsks(text: string, sentences: readonly string[]): boolean {
  if (!PRONOUN.test(text)) return false;
  const states = sentences.some((sentence) => !endsInQuestion(sentence));
  return states && (sentences.length >= 2 || writtenWords(text).length >= MESSAGE_WORDS_MIN);
}
