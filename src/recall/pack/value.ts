const DAY_MS = 86_400_000;

/** Days after which freshness has taken away half of what it can. A working note ages faster than a fact. */
const HALF_LIFE_DAYS: Readonly<Record<string, number>> = { working: 7, episodic: 90, reminder: 30 };
const HALF_LIFE_DAYS_DEFAULT = 365;
/** What an infinitely old memory keeps: an old fact that is right beats a new one that matches half as well. */
const FRESHNESS_MIN = 0.6;

/** What the value of a memory for a query is computed from. */
export interface ValueFactors {
  /** Absolute relevance to the query, 0..1; anything else counts as 0 (1 if above). */
  readonly relevance: number;
  readonly importance: number;
  readonly confidence: number;
  readonly memoryType: string;
  readonly occurredAtMs: number;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession?: boolean;
}

/** A working memory of the caller's own session is preferred by as much as the greatest importance adds. */
const OWN_SESSION = 1.25;

/** relevance × freshness × importance × confidence, each factor as below, and a quarter more for the own session: 0..1.56. */
export function memoryValue(memory: ValueFactors, nowMs: number): number {
  return (
    unit(memory.relevance, 0) *
    freshness(nowMs - memory.occurredAtMs, memory.memoryType) *
    importanceFactor(memory.importance) *
    confidenceFactor(memory.confidence) *
    (memory.isOwnSession === true ? OWN_SESSION : 1)
  );
}

/**
 * .6 + .4 · 2^(−age / half-life): 1 now and for what lies ahead, .8 after one half-life, never below .6.
 * Half-lives: working 7 days, reminder 30, episodic 90, everything else 365. An unknown age counts as old.
 */
export function freshness(ageMs: number, memoryType: string): number {
  if (Number.isNaN(ageMs)) return FRESHNESS_MIN;
  const halfLifeMs =
    DAY_MS *
    (Object.hasOwn(HALF_LIFE_DAYS, memoryType)
      ? (HALF_LIFE_DAYS[memoryType] as number)
      : HALF_LIFE_DAYS_DEFAULT);
  return FRESHNESS_MIN + (1 - FRESHNESS_MIN) * 2 ** -(Math.max(0, ageMs) / halfLifeMs);
}

/** .75 + .5 · importance: the default .5 is neutral, 0 and 1 take or give a quarter. */
export function importanceFactor(importance: number): number {
  return 0.75 + 0.5 * unit(importance, 0.5);
}

/** √confidence: the default 1 is neutral, .25 halves, only 0 annihilates. */
export function confidenceFactor(confidence: number): number {
  return Math.sqrt(unit(confidence, 1));
}

function unit(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : Math.min(1, Math.max(0, value));
}
