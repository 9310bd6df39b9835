import { type Statement, statementOf, statesTheSameValues } from "../memory/conflict.ts";
import { normalizedText, wordsOf } from "../memory/words.ts";
import { ReadingAllowance } from "./reading.ts";

/** What is compared of a memory. */
export interface Comparable {
  readonly content: string;
  /** Embedding of any length and norm, or null. */
  readonly vector: Float32Array | null;
}

/** Word pairs in common, of all of both, from which texts are the same; lower where their vectors agree. */
const PAIRS_SHARED_MIN = 0.9;
const PAIRS_SHARED_MIN_WITH_VECTOR = 0.6;
const COSINE_MIN = 0.95;
/** Texts that share nine tenths of their words always have at least this cosine; others are not compared. */
const COSINE_TO_COMPARE_MIN = 0.8;

/** How much of long texts one filter reads, in UTF-16 units. Those beyond are passed on uncompared. */
const READ_LENGTH_MAX = 2 ** 17;
/** How many memories are remembered to compare others with; of those that come later only equal texts are told. */
const REMEMBERED_MAX = 400;
/** How many word pairs one filter looks up. Unlike texts are told apart after a few, so that only a flood of likes is cut short. */
const LOOKUPS_MAX = 4_000_000;

/** A text, with what comparisons have computed of it so far. */
export interface ComparedText {
  readonly content: string;
  pairs?: ReadonlySet<string>;
  statement?: Statement;
}

interface Digest extends ComparedText {
  readonly direction: Float32Array | null;
}

/**
 * A filter that answers true for a memory that says what one seen before says, and remembers the others.
 *
 * The same: equal text (case and white space aside), or nine tenths of the word pairs in common (six tenths
 * where the vectors' cosine is .95 or more) and the same numbers, dates and negations: "port 8080" and
 * "port 9090" are kept, as a conflict to be seen. Word pairs and not words, so that "Ann leads Bob" and
 * "Bob leads Ann" are two memories. Where both have vectors, texts are read only if these are close.
 *
 * Give it the best first: its work is bounded, and what comes after that counts as not seen before.
 */
export function duplicateFilter(): (memory: Comparable) => boolean {
  const seen: Digest[] = [];
  const seenTexts = new Set<string>();
  const reading = new ReadingAllowance(READ_LENGTH_MAX);
  const lookups: Lookups = { left: LOOKUPS_MAX };
  return ({ content, vector }) => {
    if (!reading.allows(content.length)) return false;
    reading.spend(content.length);
    const text = plain(content);
    if (seenTexts.has(text)) return true;
    const digest: Digest = { content, direction: directionOf(vector) };
    if (seen.some((other) => isNearlySame(digest, other, lookups))) return true;
    if (seen.length < REMEMBERED_MAX) seen.push(digest);
    seenTexts.add(text);
    return false;
  };
}

/** How many more word pairs may be looked up. */
interface Lookups {
  left: number;
}

function isNearlySame(a: Digest, b: Digest, lookups: Lookups): boolean {
  if (lookups.left <= 0) return false;
  const cosine = cosineOf(a.direction, b.direction);
  if (cosine !== null && cosine < COSINE_TO_COMPARE_MIN) return false;
  return saysTheSame(a, b, cosine, lookups);
}

/** Equal but for case and white space. */
export function isSameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(content: string): string {
  return normalizedText(content).toLowerCase();
}

/** Whether two texts whose vectors have this cosine (null: one has none) share their word pairs, values and negations. */
export function saysTheSame(
  a: ComparedText,
  b: ComparedText,
  cosine: number | null,
  lookups: Lookups = { left: Number.POSITIVE_INFINITY },
): boolean {
  const sharedMin = cosine !== null && cosine >= COSINE_MIN ? PAIRS_SHARED_MIN_WITH_VECTOR : PAIRS_SHARED_MIN;
  if (!shareOfPairs(pairsOf(a), pairsOf(b), sharedMin, lookups)) return false;
  return statesTheSameValues(statementIn(a), statementIn(b));
}

function pairsOf(digest: ComparedText): ReadonlySet<string> {
  if (digest.pairs === undefined) {
    const words = wordsOf(digest.content);
    const pairs = new Set<string>();
    for (let i = 1; i < words.length; i++) pairs.add(`${words[i - 1]} ${words[i]}`);
    digest.pairs = pairs;
  }
  return digest.pairs;
}

function statementIn(digest: ComparedText): Statement {
  digest.statement ??= statementOf(digest.content);
  return digest.statement;
}

/** Whether the Jaccard index of two sets is at least `min`; unlike texts are told apart after a few words. */
function shareOfPairs(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  min: number,
  lookups: Lookups,
): boolean {
  // |A ∩ B| / |A ∪ B| ≥ m  ⇔  |A ∩ B| ≥ (|A| + |B|) · m / (1 + m)
  const sharedMin = ((a.size + b.size) * min) / (1 + min);
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  let missesLeft = smaller.size - sharedMin;
  if (smaller.size === 0 || missesLeft < 0) return false;
  for (const pair of smaller) {
    lookups.left--;
    if (!larger.has(pair) && --missesLeft < 0) return false;
  }
  return true;
}

/** The vector at length 1, so that comparing takes one pass; null where it has no direction. */
function directionOf(vector: Float32Array | null): Float32Array | null {
  if (vector === null) return null;
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) ** 2;
  const norm = Math.sqrt(sum);
  return norm > 0 && Number.isFinite(norm) ? vector.map((x) => x / norm) : null;
}

/** null where one has no vector or they are of different lengths. */
function cosineOf(a: Float32Array | null, b: Float32Array | null): number | null {
  if (a === null || b === null || a.length !== b.length) return null;
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i] as number) * (b[i] as number);
  return dot;
}
