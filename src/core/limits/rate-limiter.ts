import { type LimitCategory, RATE_WINDOW_SECONDS, rateCategories } from "../../contract/rate-limit.ts";
import { DomainError } from "../error.ts";

/** Fixed quotas per minute for anonymous requests from one network, independent of the operator's settings. */
const STRANGERS = { registration: 20, authentication: 60 } as const;

/** Returns the quotas of every category from the operator's settings. */
export function quotasOf(limits: { dataPlane: number; writes: number; reads: number }): Quotas {
  return { data: limits.dataPlane, write: limits.writes, read: limits.reads, ...STRANGERS };
}

/** How many requests each category allows in a window. */
export type Quotas = Readonly<Record<LimitCategory, number>>;

/** A requester's status in the category with the least left. */
export interface RateLimitStatus {
  readonly category: LimitCategory;
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  readonly isExceeded: boolean;
  /** When the window ends, in seconds since the epoch. */
  readonly resetsAt: number;
  /** Seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number;
}

/**
 * Returns the status of the category with the least left; of equal ones, the narrower. It is exceeded if any category is,
 * since an exceeded one has less left than any other.
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

/** For a request that was counted twice, returns the status with less left; of equal ones, the later. */
export function withLeastLeft(
  first: RateLimitStatus | null,
  second: RateLimitStatus | null,
): RateLimitStatus | null {
  if (first === null || second === null) return first ?? second;
  return second.remaining <= first.remaining ? second : first;
}

const narrowness = (category: LimitCategory) => rateCategories.indexOf(category);

/** The error `rate_limited`: a window is used up. Nothing was read or changed. */
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

/** The sender of a request, for counting. */
export interface Requester {
  /** The credential's key for counting; null without a credential. */
  readonly limitKey: string | null;
  /** The network of a request; null if the surface does not know it. All such requests count as one network. */
  readonly network: string | null;
}

export interface RateLimiter {
  /**
   * Counts a request in each of the categories and returns the requester's status; null if unknown. Rejects with
   * `RateLimited` if a category is used up; the request is counted nevertheless.
   *
   * If the counts are unavailable, requests pass, since they need the same database and fail by themselves.
   * Registrations are refused (`dependency_unavailable`).
   */
  admit(requester: Requester, categories: readonly LimitCategory[]): Promise<RateLimitStatus | null>;
  /** Returns the use of these keys in the current window. Rejects if the counts are unavailable. */
  usage(limitKeys: readonly string[]): Promise<RateUsage>;
}

/** Categories that count by credential. Registrations and refused credentials count by network. */
export const credentialCategories = ["data", "read", "write"] as const satisfies readonly LimitCategory[];

export interface RateUsage {
  /** In the order of `credentialCategories`. */
  readonly limits: readonly number[];
  /** For each key, in order: its requests in each category. */
  readonly used: readonly (readonly number[])[];
  /** In milliseconds since the epoch. */
  readonly endsAt: number;
}

/** `report` is called once when the counts become unavailable. */
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
 * Returns the credential or network to count by. Registrations count by network even with a credential, since
 * registering is an easy way to get one.
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

/** Counts of the window that contains the hit. */
export interface CountedHits {
  /** For each key, in order: the hits in this window, including this one. */
  readonly counts: readonly number[];
  /** The end of the window, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Milliseconds until the window ends, by the counter's clock. */
  readonly millisecondsLeft: number;
}

/** Counts hits in fixed one-minute windows, shared by all servers that count together. */
export interface RateCounter {
  /**
   * Counts one hit under each key. Concurrent hits under one key get distinct counts, from 1 without gaps. Rejects if
   * the counts are unavailable.
   */
  hit(keys: readonly string[]): Promise<CountedHits>;
  /** Returns the count of each key in the current window, 0 by default, without counting a hit. */
  read(keys: readonly string[]): Promise<CountedHits>;
}
