import { wordsOf } from "../memory/words.ts";
import { countTokens } from "./count-tokens.ts";

/** How to cut a text. */
interface ExcerptRequest {
  readonly tokensMax: number;
  /** How much a sentence or word tells about what is asked: 0 or more. */
  readonly score: (part: string) => number;
  /** What a text costs where it will stand, its quoting included. */
  readonly measure: (text: string) => number;
}

/** A contiguous part of a text, "…" wherever something was cut off. */
interface Excerpt {
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

/** A stretch of a text, in UTF-16 units, the end not included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Sentences longer than this are divided into clauses, in UTF-16 units. */
const SENTENCE_LENGTH_MAX = 300;
const ABBREVIATIONS = new Set(
  "mr mrs ms dr prof st vs etc e.g i.e eg ie cf approx no fig inc ltd co jr sr dept est z.b bzw usw ca".split(
    " ",
  ),
);
/** Matched without a look ahead: a pattern that can fail after a long run would be quadratic on "....". */
const SENTENCE_END = /[.!?…]+["'”’)\]»]*|[。！？｡]+["'”’」』）]*|[\n\r\u2028\u2029]+/gu;
const CLAUSE_END = /[;:,]["'”’)\]»]*|[，；：、]+/gu;

/**
 * Divides a text into sentences; the spans cover it without gaps, white space belonging to what it follows.
 * A line end always divides, so code and lists go by lines. A full stop divides where white space follows and
 * the next sentence does not begin in lower case, but not after an abbreviation, an initial or the number of a
 * list item; CJK full stops need no space. Very long sentences are divided into clauses.
 *
 * Not `Intl.Segmenter`: it divides after "Dr.", differs with the runtime's ICU and is some fifty times slower.
 */
export function splitSentences(text: string): Span[] {
  const sentences = splitAfter(text, { start: 0, end: text.length }, SENTENCE_END, isSentenceEnd);
  return sentences.flatMap((sentence) =>
    sentence.end - sentence.start <= SENTENCE_LENGTH_MAX
      ? [sentence]
      : splitAfter(text, sentence, CLAUSE_END, isClauseEnd),
  );
}

/** Divides a stretch of a text into words, each with the white space after it. */
function splitWords(text: string, within: Span): Span[] {
  const spans: Span[] = [];
  for (const match of text.slice(within.start, within.end).matchAll(/\S+\s*|\s+/gu)) {
    const start = within.start + match.index;
    spans.push({ start, end: start + match[0].length });
  }
  return spans;
}

/**
 * The last place at or before `at` where a text may be cut: never inside a surrogate pair, nor between a
 * character and what attaches to it (combining marks, joiners, variation selectors, skin tones).
 */
export function cutPlace(text: string, at: number): number {
  let place = Math.min(at, text.length);
  while (place > 0 && place < text.length && !isCharacterStart(text, place)) place--;
  return place;
}

function isCharacterStart(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const unitBefore = text.charCodeAt(at - 1);
  if (unit >= 0xdc00 && unit <= 0xdfff && unitBefore >= 0xd800 && unitBefore <= 0xdbff) return false;
  if (unitBefore === 0x200d) return false;
  return !/^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u.test(text.slice(at, at + 2));
}

type EndTest = (text: string, ending: string, at: number, from: number) => boolean;

function splitAfter(text: string, within: Span, endings: RegExp, isEnd: EndTest): Span[] {
  const spans: Span[] = [];
  const part = text.slice(within.start, within.end);
  let start = 0;
  for (const match of part.matchAll(endings)) {
    if (match.index < start || !isEnd(part, match[0], match.index, start)) continue;
    let end = match.index + match[0].length;
    while (end < part.length && isSpace(part.charCodeAt(end))) end++;
    spans.push({ start: within.start + start, end: within.start + end });
    start = end;
  }
  if (start < part.length) spans.push({ start: within.start + start, end: within.end });
  return spans;
}

function isSentenceEnd(text: string, ending: string, at: number, from: number): boolean {
  if (!/^[.!?…]/.test(ending)) return true;
  const after = at + ending.length;
  if (after >= text.length) return true;
  if (!isSpace(text.charCodeAt(after))) return false;
  if (/^\s*\p{Ll}/u.test(text.slice(after, after + 8))) return false;
  return !ending.startsWith(".") || !isAbbreviated(text.slice(Math.max(from, at - 12), at), at - from);
}

/** Of the words before a full stop: an abbreviation, an initial, or the number that begins a list item. */
function isAbbreviated(before: string, length: number): boolean {
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? "";
  if (/^\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())) return true;
  return length <= 3 && /^\p{N}+$/u.test(word);
}

function isClauseEnd(text: string, ending: string, at: number, from: number): boolean {
  const after = at + ending.length;
  const isDivider = !/^[;:,]/.test(ending) || after >= text.length || isSpace(text.charCodeAt(after));
  return isDivider && after - from >= SENTENCE_LENGTH_MAX / 4;
}

function isSpace(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    unit === 0xa0 ||
    unit === 0x3000 ||
    unit === 0x2028 ||
    unit === 0x2029
  );
}

/** Words that are cut to this many letters before they are compared: a stemmer's poor, language-free relation. */
const STEM_LENGTH = 5;
const FUNCTION_WORDS = new Set(
  "a an the is are was were be do does did to of in on at for and or it i you we my your our what when where who which how why that this with from by as".split(
    " ",
  ),
);

/**
 * A scorer of sentences for `excerptOf`: the number of the query's distinct words found, a word of six or more
 * letters counting fully and a shorter one in proportion. Function words count only in a query of nothing else.
 * 0 for a sentence with none of them.
 */
export function queryScorer(query: string): (sentence: string) => number {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word));
  const weights = new Map((telling.length > 0 ? telling : words).map((word) => [stem(word), weightOf(word)]));
  return (sentence) => {
    let score = 0;
    for (const found of new Set(wordsOf(sentence).map(stem))) score += weights.get(found) ?? 0;
    return score;
  };
}

function stem(word: string): string {
  return word.slice(0, STEM_LENGTH);
}

function weightOf(word: string): number {
  return /^\p{N}/u.test(word) ? 1 : Math.min(1, (word.length + 1) / 6);
}
