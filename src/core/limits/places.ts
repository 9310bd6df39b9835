import { DomainError } from "../error.ts";
import { calledOff } from "./pace.ts";

/** How many requests run at once, and how many wait for that. */
export interface PlaceBounds {
  /** For one credential. */
  readonly perCredential: number;
  /** For one party with all its credentials. */
  readonly perParty: number;
  /** For all parties together. */
  readonly total: number;
  readonly waitingPerParty: number;
  readonly waitingTotal: number;
  readonly waitMs: number;
}

/** The sender of a request that needs a slot. */
export interface Requester {
  /** The key that the credential counts under; null without one. */
  readonly credential: string | null;
  /** See `partyOf`. */
  readonly party: string;
}

/** Calls the task after so many milliseconds, unless the answered function was called before. */
export type After = (ms: number, task: () => void) => () => void;

/** Gives a place back. Giving it back again does nothing. */
export type Leave = () => void;

/** Totals for operators, which name nobody. */
export interface PlaceFigures {
  readonly running: number;
  readonly waiting: number;
  /** Since the process began. */
  readonly refused: number;
}

/** Bounds what runs at once. */
export interface Places {
  /**
   * Resolves when the request may run, to what gives its place back. Rejects with `overloaded` where too many wait
   * or it has waited for too long, and like `calledOff` where its sender goes away while it waits.
   */
  take(who: Requester, signal?: AbortSignal): Promise<Leave>;
  figures(): PlaceFigures;
}

/** When a client that was refused should come back: what waits now has been answered or refused by then. */
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  readonly credential: string | null;
  readonly enter: () => void;
  /** Ends its wait without a place. */
  readonly refuse: () => void;
}

/**
 * Places are given at once while there are any. Beyond that a party's requests wait in their order, but do not wait for
 * those of a credential that has all the places it may have; and of the parties that wait, the one goes next that has
 * the fewest running, of equals the one that was served longest ago. Where too many wait in all, the last of the party
 * with the most waiting makes way for one that has fewer: a few parties cannot keep all others from waiting.
 */
export function createPlaces(bounds: PlaceBounds, after: After): Places {
  const byParty = new Map<string, number>();
  const byCredential = new Map<string, number>();
  /** By party, in the order in which they came or were served. None is empty. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;
  let refused = 0;

  const isFree = ({ credential, party }: Requester) =>
    running < bounds.total &&
    (byParty.get(party) ?? 0) < bounds.perParty &&
    (credential === null || (byCredential.get(credential) ?? 0) < bounds.perCredential);

  function enter({ credential, party }: Requester): Leave {
    running += 1;
    add(byParty, party, 1);
    if (credential !== null) add(byCredential, credential, 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      running -= 1;
      add(byParty, party, -1);
      if (credential !== null) add(byCredential, credential, -1);
      letIn();
    };
  }

  /** The first of those that wait in each party for whom there is a place; of the party with the fewest running. */
  function letIn(): void {
    while (running < bounds.total) {
      let next: { party: string; first: Waiting } | undefined;
      for (const [party, queue] of queues) {
        if (next && (byParty.get(party) ?? 0) >= (byParty.get(next.party) ?? 0)) continue;
        const first = queue.find(({ credential }) => isFree({ credential, party }));
        if (first) next = { party, first };
      }
      if (!next) return;
      next.first.enter();
    }
  }

  function leaveQueue(party: string, one: Waiting, isServed: boolean): void {
    const rest = (queues.get(party) ?? []).filter((other) => other !== one);
    if (isServed || rest.length === 0) queues.delete(party);
    if (rest.length > 0) queues.set(party, rest);
    waiting -= 1;
  }

  /** False where a party that asks would then have more waiting than the one that makes way for it. */
  function makeWayFor(party: string): boolean {
    const longest = [...queues.values()].reduce(
      (most, queue) => (queue.length > most.length ? queue : most),
      [],
    );
    if ((queues.get(party)?.length ?? 0) + 1 >= longest.length) return false;
    longest.at(-1)?.refuse();
    return true;
  }

  function overloaded(why: string): DomainError {
    refused += 1;
    return new DomainError("overloaded", `${why} Try again in ${RETRY_AFTER_SECONDS} seconds.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  function wait(who: Requester, signal: AbortSignal | undefined): Promise<Leave> {
    const { credential, party } = who;
    return new Promise((resolve, reject) => {
      const settle = (isServed: boolean) => {
        leaveQueue(party, one, isServed);
        cancel();
        signal?.removeEventListener("abort", goAway);
      };
      const one: Waiting = {
        credential,
        enter() {
          settle(true);
          resolve(enter(who));
        },
        refuse() {
          settle(false);
          reject(overloaded("The service has too much to do."));
        },
      };
      const goAway = () => {
        settle(false);
        reject(calledOff());
      };
      const cancel = after(bounds.waitMs, one.refuse);
      signal?.addEventListener("abort", goAway);
      queues.set(party, [...(queues.get(party) ?? []), one]);
      waiting += 1;
    });
  }

  return {
    async take(who, signal) {
      if (signal?.aborted) throw calledOff();
      if (isFree(who)) return enter(who);
      if ((queues.get(who.party)?.length ?? 0) >= bounds.waitingPerParty)
        throw overloaded("Too many requests of yours are waiting already.");
      if (waiting >= bounds.waitingTotal && !makeWayFor(who.party))
        throw overloaded("The service has too much to do.");
      return wait(who, signal);
    },
    figures: () => ({ running, waiting, refused }),
  };
}

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
