import type { LimitCategory } from "../../contract/rate-limit.ts";
import { DomainError } from "../error.ts";
import type { RateCounter } from "./rate-counter.ts";
import { RateLimited } from "./rate-limited.ts";
import { type Quotas, type Standing, standingOf } from "./standing.ts";

/** Requests that strangers may make in a minute from one address, whatever the operator sets for the rest. */
const STRANGERS = { registration: 20, authentication: 60 } as const;

/** The quotas of every category, given those that an operator sets. */
export function quotasOf(limits: { dataPlane: number; writes: number; reads: number }): Quotas {
  return { data: limits.dataPlane, write: limits.writes, read: limits.reads, ...STRANGERS };
}

/** Who makes a request, as far as its counting is concerned. */
export interface Requester {
  /** What the credential counts as; null without one. */
  readonly limitKey: string | null;
  /** The network a request comes from; null where the door does not know, and all such count as one. */
  readonly network: string | null;
}

export interface RateLimiter {
  /**
   * Counts a request in each of the categories and answers how the requester stands; null where that is not known.
   * Rejects with `RateLimited` where a category is used up; the request has counted all the same.
   *
   * Where the counts cannot be reached, requests pass: what they ask for stands on the same database and would fail by
   * itself. Registrations do not (`dependency_unavailable`): a stranger needs nothing but to be let in.
   */
  admit(requester: Requester, categories: readonly LimitCategory[]): Promise<Standing | null>;
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
      let standing: Standing;
      try {
        const keys = categories.map((category) => `${category} ${subjectOf(requester, category)}`);
        standing = standingOf(quotas, categories, await counter.hit(keys));
        isFailing = false;
      } catch (error) {
        if (!isFailing) report(error);
        isFailing = true;
        if (categories.includes("registration")) throw closed(error);
        return null;
      }
      if (standing.isExceeded) throw new RateLimited(standing);
      return standing;
    },
  };
}

/** Whose window it is. A credential is easily had by registering, so registrations count by network even with one. */
function subjectOf({ limitKey, network }: Requester, category: LimitCategory): string {
  const isOfNetwork = limitKey === null || Object.hasOwn(STRANGERS, category);
  return isOfNetwork ? `from ${network ?? "nowhere"}` : limitKey;
}

function closed(cause: unknown): DomainError {
  return new DomainError("dependency_unavailable", "Nobody can be registered just now: try again soon.", {
    cause,
  });
}
