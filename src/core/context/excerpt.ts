import { countTokens } from "./count-tokens.ts";
import { cutPlace, type Span, splitSentences, splitWords } from "./sentences.ts";

/** How to cut a text. */
export interface ExcerptRequest {
  readonly tokensMax: number;
  /** How much a sentence or word tells about what is asked: 0 or more. */
  readonly score: (part: string) => number;
  /** What a text costs where it will stand, its quoting included. */
  readonly measure: (text: string) => number;
}

/** A contiguous part of a text, "…" wherever something was cut off. */
export interface Excerpt {
  readonly text: string;
  /** By the request's `measure`; at most its `tokensMax`. */
  readonly tokens: number;
  /** Share of the whole text's score that is kept, of its length where nothing scores: 0..1. */
  readonly retention: number;
}

interface Part extends Span {
  readonly cost: number;
  readonly score: number;
}

const CUT = "…";
/**
 * A text with more characters than this a token is taken not to fit, without counting. Prose has four or five;
 * only endless runs of one character have more, and those are what is slow to count.
 */
const CHARACTERS_PER_TOKEN_MAX = 16;

/** Whether a text is so long for a budget that it is not even counted. */
export function isTooLongToCount(text: string, tokensMax: number): boolean {
  return text.length > CHARACTERS_PER_TOKEN_MAX * Math.max(0, tokensMax);
}

/**
 * The contiguous run of sentences that scores highest within the budget, the earliest of equals. Where the
 * best sentence alone is longer than the budget it is cut at words, and a word that is too long between
 * characters. The whole text, uncut, where it fits. null where not even one character with its marks does.
 */
export function excerptOf(text: string, request: ExcerptRequest): Excerpt | null {
  if (!isTooLongToCount(text, request.tokensMax)) {
    const tokens = request.measure(text);
    if (tokens <= request.tokensMax) return { text, tokens, retention: 1 };
  }
  if (text.trim() === "") return null;
  const sentences = partsOf(text, splitSentences(text), request);
  const total = sentences.reduce((sum, part) => sum + part.score, 0);
  const cut = cutToRun(text, sentences, request);
  return cut === null
    ? null
    : { ...cut, retention: total > 0 ? clamp(cut.score / total) : cut.text.length / text.length };
}

interface Cut {
  readonly text: string;
  readonly tokens: number;
  readonly score: number;
}

function cutToRun(text: string, sentences: readonly Part[], request: ExcerptRequest): Cut | null {
  const best = sentences.reduce((a, b) => (b.score > a.score ? b : a));
  const run = fittingRun(text, sentences, request);
  if (run !== null && (best.cost <= request.tokensMax || run.score >= best.score)) return run;
  const words = partsOf(text, splitWords(text, best), request);
  return fittingRun(text, words, request) ?? run ?? cutInsideWord(text, best, request);
}

/** The best run by the sum of its parts' costs, then shortened until it fits as it will really stand. */
function fittingRun(text: string, parts: readonly Part[], request: ExcerptRequest): Cut | null {
  let [from, to] = bestRun(parts, request.tokensMax - request.measure(CUT) + 1);
  while (from < to) {
    const cut = cutOut(text, (parts[from] as Part).start, (parts[to - 1] as Part).end);
    const tokens = request.measure(cut);
    const scoreOf = (list: readonly Part[]) => list.reduce((sum, part) => sum + part.score, 0);
    if (tokens <= request.tokensMax) return { text: cut, tokens, score: scoreOf(parts.slice(from, to)) };
    const excess = Math.max(1, Math.floor(((to - from) * (tokens - request.tokensMax)) / (2 * tokens)));
    if (scoreOf(parts.slice(from, from + excess)) < scoreOf(parts.slice(to - excess, to))) from += excess;
    else to -= excess;
  }
  return null;
}

/** Two pointers: for each end the longest run that the budget allows, and of these the best. */
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
    // The small share of the cost prefers the fuller of two runs that score alike.
    const worth = score + 1e-6 * cost;
    if (from <= at && worth > bestScore + 1e-9) {
      bestScore = worth;
      best = [from, at + 1];
    }
  });
  return best;
}

function cutInsideWord(text: string, within: Span, request: ExcerptRequest): Cut | null {
  let low = 1;
  let high = Math.min(within.end - within.start, Math.max(0, request.tokensMax) * CHARACTERS_PER_TOKEN_MAX);
  let found: Cut | null = null;
  // Not to the last character: each step counts the text again.
  while (low <= high && (found === null || high - low > low / 32)) {
    const middle = (low + high) >> 1;
    const end = cutPlace(text, within.start + middle);
    const cut = end > within.start ? cutOut(text, within.start, end) : "";
    const tokens = cut === "" ? 0 : request.measure(cut);
    if (tokens <= request.tokensMax) {
      if (cut !== "") found = { text: cut, tokens, score: 0 };
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

function cutOut(text: string, start: number, end: number): string {
  const kept = text.slice(start, end).trim();
  const isTail = text.slice(end).trim() === "";
  const isHead = text.slice(0, start).trim() === "";
  return `${isHead ? "" : CUT}${kept}${isTail ? "" : CUT}`;
}

function partsOf(text: string, spans: readonly Span[], request: ExcerptRequest): Part[] {
  return spans.map((span) => {
    const part = text.slice(span.start, span.end);
    const cost = isTooLongToCount(part, request.tokensMax) ? part.length : countTokens(part);
    return { ...span, cost, score: Math.max(0, request.score(part)) };
  });
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
