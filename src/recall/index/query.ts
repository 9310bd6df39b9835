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
  /** Factor on its weight; less than 1 for words of conversation. */
  readonly factor: number;
  /** Weight by its frequency in the language, factor included: the same in every scope. */
  readonly background: number;
  /** What it is a part of; null where it stands for itself. */
  readonly of: Whole | null;
  /** Counted for what the query names: without near pieces, and without a weight of its own. */
  readonly isExact: boolean;
  /** It is only in what the query names strictly. */
  readonly isNamed: boolean;
}

/** What the ranker and the indexes know of a query. */
export interface QueryAnalysis extends NamedDates {
  /** The query, cut to what is analysed. */
  readonly text: string;
  /** Every different piece, in order, stop words included. */
  readonly pieces: readonly number[];
  /** The pieces that are counted: no stop words or punctuation, unless there is nothing else. */
  readonly terms: readonly QueryTerm[];
  /** What it names. */
  readonly exact: readonly ExactTerm[];
  readonly sentences: readonly string[];
  /** Words that may be short for a name, or a misspelt one (see `possibleNames`). */
  readonly names: readonly QueryName[];
  /** It tells something rather than asking a question. */
  readonly isMessage: boolean;
  /** How much of it the vocabulary spells, 0 to 1; the rest is in other scripts. */
  readonly spelledShare: number;
  /** It asks when something happened. */
  readonly asksWhen: boolean;
}

/** More than any real question; a pasted document costs no more than this. */
const CHARACTERS_MAX = 8_000;
const PIECES_MAX = 2_000;
const TERMS_MAX = 256;
const SENTENCES_MAX = 32;
/** From this many words on a text with "I" and no question mark is a message. */
const MESSAGE_WORDS_MIN = 12;

const PRONOUN =
  /\b(?:i|i['’](?:m|ve|ll|d)|my|me|mine|we|we['’](?:re|ve|ll)|our|us|let['’]?s|you|your|you['’](?:ve|re|ll))\b/i;
const WHEN =
  /^\W*(?:when|what (?:date|day|month|year|time)|how long|how often)\b|\bwhen (?:did|is|was|does|will|are|were|has)\b/i;

/** Analyses a query. Any text is accepted; one without a piece has no terms. */
export function analyseQuery(query: string, lexicon: Lexicon): QueryAnalysis {
  const text = query.slice(0, CHARACTERS_MAX);
  const termOf = new Map<number, TextTerm>();
  for (const term of lexicon.terms(text).terms.slice(0, PIECES_MAX)) {
    if (term.share > (termOf.get(term.piece)?.share ?? 0)) termOf.set(term.piece, term);
  }
  const pieces = [...termOf.keys()];
  const content = pieces.filter((piece) => lexicon.isContent(piece));
  const share = (piece: number) => termOf.get(piece)?.share ?? 0;
  // Of a long text in parts of words those that count for most, so that its end is asked for as well.
  const counted = (content.length > 0 ? content : pieces)
    .toSorted((a, b) => share(b) - share(a))
    .slice(0, TERMS_MAX);
  const sentences = sentencesAsked(read(text)).slice(0, SENTENCES_MAX);
  const isMessage = tellsMoreThanItAsks(text, sentences);
  const exact = exactTerms(text, lexicon, isMessage);
  const unnamed = new Set(lexicon.terms(withoutStrict(text, exact)).terms.map(({ piece }) => piece));
  const words = counted.map((piece) => {
    const { share, of } = termOf.get(piece) as TextTerm;
    const factor = share * lexicon.chatWeight(piece);
    const background = factor * lexicon.backgroundWeight(piece);
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

/** The number of a list's item. */
const ITEM_NUMBER = /^\s{0,16}\p{N}{1,3}[.)]\s/u;
/** Two words, or as much without a space. */
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
