import { foldedText, plainText } from "../language/characters.ts";
import { cutPlace, cutPlaceAfter } from "../language/cut-place.ts";
import { matchIn } from "../language/exact-words.ts";
import { isStopWord } from "../language/lexicon.ts";
import { type Named, namedIn } from "../language/named.ts";
import { partsOfText, splitWords } from "../language/parts.ts";
import type { Passage } from "../language/passages.ts";
import { read } from "../language/reading.ts";
import { UNSPACED_SCRIPTS } from "../language/scripts.ts";
import type { Span } from "../language/sentences.ts";
import type { Steps } from "../work.ts";
import { countTokens, measureTokens } from "./count-tokens.ts";

/** How to cut a text. */
interface ExcerptRequest {
  /** How relevant a sentence or word is to the query: 0 or more. */
  readonly score: (part: string) => number;
  /** Tokens of a text as it will be shown, quoting included; Infinity if more than `tokensMax`. */
  readonly measure: (text: string, tokensMax?: number) => number;
  /** How much of the text is considered, from its beginning or from the passage on, in UTF-16 units. */
  readonly lengthMax?: number;
  /** The part that matches the query. The excerpt is filled up from its surroundings. null: anywhere. */
  readonly passage?: Passage | null;
  /** Tokens of the whole text, if known; Infinity if it must not be shown whole. */
  readonly wholeTokens?: number;
}

/** A contiguous part of a text, with "…" at each cut. */
interface Excerpt {
  readonly text: string;
  /** By the request's `measure`; at most the allowed number. */
  readonly tokens: number;
  /** Share of the whole text's score that is kept, or of its length if nothing scores: 0..1. */
  readonly retention: number;
}

interface Part extends Span {
  readonly cost: number;
  readonly score: number;
}

const CUT = "…";
/**
 * A text with more characters per token than this is assumed not to fit, without counting. Prose has four or five; only
 * long runs of one character have more.
 */
export const CHARACTERS_PER_TOKEN_MAX = 16;

/** Whether a text is too long for a budget to be worth counting. */
export function isTooLongToCount(text: string, tokensMax: number): boolean {
  return text.length > CHARACTERS_PER_TOKEN_MAX * Math.max(0, tokensMax);
}

/**
 * Excerpts of one text. The text is read once for all of them. Each is measured a few times, never beyond what fits.
 */
export class Excerpts {
  readonly #text: string;
  readonly #request: ExcerptRequest;
  #sentences: readonly Part[] | undefined;
  #words: readonly Part[] | undefined;

  constructor(text: string, request: ExcerptRequest) {
    this.#text = text;
    this.#request = request;
  }

  /**
   * The contiguous run of sentences with the highest score within the budget; the earliest on a tie. A best sentence
   * longer than the budget is cut between words, and a word that is too long between characters. Returns the whole text
   * uncut if it fits, and null if not even one character does.
   */
  *within(tokensMax: number): Steps<Excerpt | null> {
    const text = this.#text;
    if (!isTooLongToCount(text, tokensMax)) {
      const tokens = this.#request.wholeTokens ?? this.#request.measure(text, tokensMax);
      if (tokens <= tokensMax) return { text, tokens, retention: 1 };
    }
    if (text.trim() === "") return null;
    this.#sentences ??= yield* this.#read();
    const sentences = this.#sentences;
    const total = scoreOf(sentences);
    const cut = yield* this.#cutToRun(sentences, tokensMax);
    return cut === null
      ? null
      : { ...cut, retention: total > 0 ? clamp(cut.score / total) : cut.text.length / text.length };
  }

  *#read(): Steps<readonly Part[]> {
    const text = this.#text;
    const { lengthMax = text.length, passage } = this.#request;
    const start = cutPlace(text, Math.max(0, Math.min(passage?.start ?? 0, text.length - lengthMax)));
    const end = cutPlace(text, start + lengthMax);
    // Split at the passage's ends, even inside a sentence, so that each part is wholly inside or outside the passage.
    const ends = [passage?.start ?? 0, passage?.end ?? 0].filter((at) => at > start && at < end);
    const places = [start, ...ends].flatMap((from, at) =>
      partsOfText(text.slice(from, ends[at] ?? end)).map((span) => ({
        start: from + span.start,
        end: from + span.end,
      })),
    );
    return yield* partsOf(text, places, this.#request);
  }

  *#cutToRun(sentences: readonly Part[], tokensMax: number): Steps<Cut | null> {
    const best = sentences.reduce((a, b) => (b.score > a.score ? b : a));
    const run = fittingRun(this.#text, sentences, this.#request, tokensMax);
    if (run !== null && (best.cost <= tokensMax || run.score > best.score)) return run;
    const isAsGood = run !== null && run.score === best.score;
    if (isAsGood && run.tokens >= tokensMax / 2) return run;
    this.#words ??= yield* partsOf(this.#text, splitWords(this.#text, best), this.#request);
    const words = fittingRun(this.#text, this.#words, this.#request, tokensMax);
    if (words !== null && !(isAsGood && run.tokens >= words.tokens)) return words;
    return run ?? cutInsideWord(this.#text, best, this.#request, tokensMax);
  }
}

interface Cut {
  readonly text: string;
  readonly tokens: number;
  readonly score: number;
}

/** The best run by the sum of its parts' costs, shortened until its actual text fits. */
function fittingRun(
  text: string,
  parts: readonly Part[],
  { measure }: ExcerptRequest,
  tokensMax: number,
): Cut | null {
  let [from, to] = bestRun(parts, tokensMax - measure(CUT) + 1);
  while (from < to) {
    const cut = cutOut(text, (parts[from] as Part).start, (parts[to - 1] as Part).end);
    const tokens = measure(cut);
    if (tokens <= tokensMax) return { text: cut, tokens, score: scoreOf(parts.slice(from, to)) };
    // Drop half of the excess: few steps, and no more cut away than necessary.
    const excess = Math.max(1, Math.floor(((to - from) * (tokens - tokensMax)) / (2 * tokens)));
    if (scoreOf(parts.slice(from, from + excess)) < scoreOf(parts.slice(to - excess, to))) from += excess;
    else to -= excess;
  }
  return null;
}

function scoreOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.score, 0);
}

/** Two pointers: finds the longest run within the budget for each end, and returns the best of these. */
function bestRun(parts: readonly Part[], costMax: number): [number, number] {
  let best: [number, number] = [0, 0];
  let bestScore = -1;
  let from = 0;
  let cost = 0;
  let score = 0;
  parts.forEach((part, at) => {
    cost += part.cost;
    score += part.score;
    while (cost > costMax && from <= at) {
      cost -= (parts[from] as Part).cost;
      score -= (parts[from] as Part).score;
      from++;
    }
    // The small share of the cost prefers the fuller of two runs with equal scores.
    const worth = score + 1e-6 * cost;
    if (from <= at && worth > bestScore + 1e-9) {
      bestScore = worth;
      best = [from, at + 1];
    }
  });
  return best;
}

/** As much of the beginning of a word as fits. A character with too many combining marks is cut between them. */
function cutInsideWord(
  text: string,
  within: Span,
  { measure }: ExcerptRequest,
  tokensMax: number,
): Cut | null {
  const lengthMax = Math.max(0, tokensMax) * CHARACTERS_PER_TOKEN_MAX;
  const word = text.slice(within.start, Math.min(within.end, within.start + lengthMax));
  let allowed = tokensMax - measure(CUT) + 1;
  // The text around the word can change how its end is tokenised, rarely by more than a token.
  for (let step = 1; allowed > 0; step *= 2) {
    const reach = within.start + measureTokens(word, allowed).length;
    if (reach === within.start) return null;
    const cut = cutOut(text, within.start, cutPlaceAfter(text, within.start, reach));
    const tokens = measure(cut);
    if (tokens <= tokensMax) return { text: cut, tokens, score: 0 };
    allowed -= Math.max(step, tokens - tokensMax);
  }
  return null;
}

function cutOut(text: string, start: number, end: number): string {
  const kept = text.slice(start, end).trim();
  const isTail = text.slice(end).trim() === "";
  const isHead = text.slice(0, start).trim() === "";
  return `${isHead ? "" : CUT}${kept}${isTail ? "" : CUT}`;
}

function* partsOf(
  text: string,
  spans: readonly Span[],
  { score, passage = null }: ExcerptRequest,
): Steps<Part[]> {
  const parts: Part[] = [];
  for (const span of spans) {
    yield;
    const part = text.slice(span.start, span.end);
    parts.push({ ...span, cost: countTokens(part), score: scoreAt(span, Math.max(0, score(part)), passage) });
  }
  return parts;
}

/** Score of a sentence inside the passage that has none of the words: more than any sentence outside gets. */
const PASSAGE_SCORE = 0.01;

function scoreAt({ start, end }: Span, score: number, passage: Passage | null): number {
  if (passage === null) return score;
  const middle = (start + end) / 2;
  return middle >= passage.start && middle < passage.end ? score + PASSAGE_SCORE : 0;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** Words are cut to this many letters before comparison: a crude, language-independent stemmer. */
const STEM_LENGTH = 5;
/** Longer than any real question. Pasted documents are truncated. */
const QUERY_LENGTH_MAX = 8_000;

/**
 * Returns a scorer of sentences for excerpts: the number of distinct query words found. A word of six or more letters
 * counts fully, a shorter one in proportion. Stop words count only if the query has no other words. Anything that the
 * query names literally, such as an identifier, counts for more than all of its words. 0 for a sentence with none of
 * them.
 */
export function queryScorer(query: string): (sentence: string) => number {
  const words = [...new Set(tellingParts(query.slice(0, QUERY_LENGTH_MAX)))];
  const telling = words.filter((word) => !isStopWord(word));
  const weights = new Map((telling.length > 0 ? telling : words).map((word) => [stem(word), weightOf(word)]));
  const named = namedIn(query);
  const ofNamed = weights.size + 1;
  return (sentence) => {
    let score = ofNamed * namedScore(named, sentence);
    for (const found of new Set(tellingParts(sentence).map(stem))) score += weights.get(found) ?? 0;
    return score;
  };
}

/** The words of a text. In text without spaces, pairs of characters: a single one says little. */
function tellingParts(text: string): string[] {
  const { words } = read(text);
  const isCharacter = (at: number) => UNSPACED_CHARACTER.test(words[at] ?? "");
  return words.flatMap((word, at) => {
    if (!isCharacter(at)) return [word];
    if (isCharacter(at + 1)) return [word + words[at + 1]];
    return isCharacter(at - 1) ? [] : [word];
  });
}

const UNSPACED_CHARACTER = new RegExp(`^[${UNSPACED_SCRIPTS}]$`, "u");

function namedScore(named: readonly Named[], sentence: string): number {
  if (named.length === 0) return 0;
  const plain = plainText(sentence);
  const folded = foldedText(plain);
  return named.reduce((sum, { text }) => sum + matchIn(plain, folded, text), 0);
}

function stem(word: string): string {
  return word.slice(0, STEM_LENGTH);
}

function weightOf(word: string): number {
  return /^\p{N}/u.test(word) ? 1 : Math.min(1, (word.length + 1) / 6);
}
