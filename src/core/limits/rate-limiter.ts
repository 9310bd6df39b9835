import { type LimitCategory, RATE_WINDOW_SECONDS, rateCategories } from "../../contract/rate-limit.ts";
import { DomainError } from "../error.ts";

/** Requests that strangers may make in a minute from one address, whatever the operator sets for the rest. */
const STRANGERS = { registration: 20, authentication: 60 } as const;

/** The quotas of every category, given those that an operator sets. */
export function quotasOf(limits: { dataPlane: number; writes: number; reads: number }): Quotas {
  return { data: limits.dataPlane, write: limits.writes, read: limits.reads, ...STRANGERS };
}

/** How many requests each category allows in a window. */
export type Quotas = Readonly<Record<LimitCategory, number>>;

/** How a requester stands in the category that has the least left. */
export interface RateLimitStatus {
  readonly category: LimitCategory;
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  readonly isExceeded: boolean;
  /** When the window ends, in seconds since the epoch. */
  readonly resetsAt: number;
  /** Until then: 1 or more. */
  readonly retryAfterSeconds: number;
}

/**
 * Returns the status of the category with the least left; of two that have as much, the narrower one. It is exceeded if
 * any category is, since an exceeded one has less left than any other.
 */
export function rateLimitStatusOf(
  quotas: Quotas,
  categories: readonly LimitCategory[],
  counted: CountedHits,
): RateLimitStatus {
  const [least] = categories
    .map((category, at) => ({ category, left: quotas[category] - (counted.counts[at] ?? 0) }))
    .sort((a, b) => a.left - b.left || narrowness(a.category) - narrowness(b.category));
  if (!least) throw new Error("A request that counts in no category has no status.");
  return {
    category: least.category,
    limit: quotas[least.category],
    remaining: Math.max(0, least.left),
    isExceeded: least.left < 0,
    resetsAt: Math.round(counted.endsAt / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(counted.millisecondsLeft / 1000)),
  };
}

/** For a request that was counted twice, returns the status with less left; the later one if both have as much. */
export function withLeastLeft(
  first: RateLimitStatus | null,
  second: RateLimitStatus | null,
): RateLimitStatus | null {
  if (first === null || second === null) return first ?? second;
  return second.remaining <= first.remaining ? second : first;
}

const narrowness = (category: LimitCategory) => rateCategories.indexOf(category);

/** `rate_limited`: a window is used up. Nothing was looked up or changed. */
export class RateLimited extends DomainError {
  readonly status: RateLimitStatus;

  constructor(status: RateLimitStatus) {
    const { category, limit, retryAfterSeconds } = status;
    super(
      "rate_limited",
      `Too many requests of the category ${category}: ${limit} are allowed in ${RATE_WINDOW_SECONDS} seconds. The next window begins in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    );
    this.status = status;
  }
}

/** The sender of a request, as far as counting is concerned. */
export interface Requester {
  /** The key that the credential counts under; null without one. */
  readonly limitKey: string | null;
  /** The network a request comes from; null if the surface does not know. All such requests count as one. */
  readonly network: string | null;
}

export interface RateLimiter {
  /**
   * Counts a request in each of the categories and answers how the requester stands; null where that is not known.
   * Rejects with `RateLimited` where a category is used up; the request has counted all the same.
   *
   * If the counts cannot be reached, requests pass: they need the same database and fail by themselves. Registrations do
   * not pass (`dependency_unavailable`): they need nothing else.
   */
  admit(requester: Requester, categories: readonly LimitCategory[]): Promise<RateLimitStatus | null>;
  /**
   * Returns what the holders of these keys have used in the present window. Rejects if the counts cannot be reached.
   */
  usage(limitKeys: readonly string[]): Promise<RateUsage>;
}

/** Categories that count by credential; registrations and refusals count by network. */
export const credentialCategories = ["data", "read", "write"] as const satisfies readonly LimitCategory[];

export interface RateUsage {
  /** In the order of `credentialCategories`. */
  readonly limits: readonly number[];
  /** For each of the keys, in their order: its requests in each category. */
  readonly used: readonly (readonly number[])[];
  /** In milliseconds since the epoch. */
  readonly endsAt: number;
}

/** `report` is told once when the counts cannot be reached any more. */
export function createRateLimiter({
  counter,
  quotas,
  report,
}: {
  counter: RateCounter;
  quotas: Quotas;
  report: (error: unknown) => void;
}): RateLimiter {
  let isFailing = false;
  return {
    async admit(requester, categories) {
      let status: RateLimitStatus;
      try {
        const keys = categories.map((category) => keyOf(requester, category));
        status = rateLimitStatusOf(quotas, categories, await counter.hit(keys));
        isFailing = false;
      } catch (error) {
        if (!isFailing) report(error);
        isFailing = true;
        if (categories.includes("registration")) throw closed(error);
        return null;
      }
      if (status.isExceeded) throw new RateLimited(status);
      return status;
    },
    async usage(limitKeys) {
      const keys = limitKeys.flatMap((limitKey) =>
        credentialCategories.map((category) => keyOf({ limitKey, network: null }, category)),
      );
      const { counts, endsAt } = await counter.read(keys);
      const { length } = credentialCategories;
      return {
        limits: credentialCategories.map((category) => quotas[category]),
        used: limitKeys.map((_, at) => counts.slice(at * length, (at + 1) * length)),
        endsAt,
      };
    },
  };
}

/** Returns the key that a requester counts under in a category. */
const keyOf = (requester: Requester, category: LimitCategory) =>
  `${category} ${subjectOf(requester, category)}`;

/**
 * Credential or network. Registering is an easy way to a credential, so registrations count by network even with one.
 */
function subjectOf({ limitKey, network }: Requester, category: LimitCategory): string {
  const isOfNetwork = limitKey === null || Object.hasOwn(STRANGERS, category);
  return isOfNetwork ? `from ${network ?? "nowhere"}` : limitKey;
}

function closed(cause: unknown): DomainError {
  return new DomainError(
    "dependency_unavailable",
    "Agents cannot register at the moment. Try again in a few seconds.",
    {
      cause,
    },
  );
}

/** Counts of the window that a hit fell into. */
export interface CountedHits {
  /** For each key, in the order they were given: the hits of this window up to and including this one. */
  readonly counts: readonly number[];
  /** The end of the window, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Until then, by the clock that the windows go by. */
  readonly millisecondsLeft: number;
}

/** Hits in fixed windows of a minute, shared by all that must count together. */
export interface RateCounter {
  /**
   * Counts one hit under each of the keys. Of the hits under one key in one window each is told another number, from 1
   * on without a gap, however many come at once. Rejects where the counts cannot be reached.
   */
  hit(keys: readonly string[]): Promise<CountedHits>;
  /** Returns the count of each key in the present window, 0 by default. Counts nothing itself. */
  read(keys: readonly string[]): Promise<CountedHits>;
}
