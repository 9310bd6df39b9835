const DAY_MS = 86_400_000;

/** Days after which half of the possible loss of freshness has occurred. A working note ages faster than a fact. */
const HALF_LIFE_DAYS: Readonly<Record<string, number>> = { working: 7, episodic: 90, reminder: 30 };
const HALF_LIFE_DAYS_DEFAULT = 365;
/** Freshness of an infinitely old memory: a correct old fact beats a new one that matches half as well. */
const FRESHNESS_MIN = 0.6;

/** Inputs of a memory's value for a query. */
export interface ValueFactors {
  /** Absolute relevance to the query, clamped to 0..1; NaN counts as 0. */
  readonly relevance: number;
  readonly importance: number;
  readonly confidence: number;
  readonly memoryType: string;
  readonly occurredAtMs: number;
  /** Whether it is a working memory of the request's own session. */
  readonly isOwnSession?: boolean;
}

/** Factor for a working memory of the caller's own session. Equals the factor of the greatest importance. */
const OWN_SESSION = 1.25;

/** relevance × freshness × importance × confidence (see below), and a quarter more for the own session: 0..1.56. */
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
 * .6 + .4 · 2^(−age / half-life): 1 now and in the future, .8 after one half-life, never below .6. Half-lives: working
 * 7 days, reminder 30, episodic 90, everything else 365. An unknown age counts as infinite.
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

/** .75 + .5 · importance: the default .5 is neutral; 0 and 1 subtract or add a quarter. */
export function importanceFactor(importance: number): number {
  return 0.75 + 0.5 * unit(importance, 0.5);
}

/** √confidence: the default 1 is neutral, .25 halves the value, 0 makes it zero. */
export function confidenceFactor(confidence: number): number {
  return Math.sqrt(unit(confidence, 1));
}

function unit(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : Math.min(1, Math.max(0, value));
}
