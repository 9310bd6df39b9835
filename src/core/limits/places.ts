import { calledOff, DomainError } from "../error.ts";

/** How many requests may run at once, and how many may wait. */
export interface PlaceBounds {
  /** For one credential. */
  readonly perCredential: number;
  /** For one end user of a party's application. */
  readonly perMember: number;
  /** For all credentials of one party. */
  readonly perParty: number;
  /** For all parties together. */
  readonly total: number;
  readonly waitingPerParty: number;
  readonly waitingTotal: number;
  readonly waitMs: number;
}

/** The sender of a request that needs a slot. */
export interface Requester {
  /** The credential's key for counting; null without a credential. */
  readonly credential: string | null;
  /** See `partyOf`. */
  readonly party: string;
  /** The end user of the party's application, if any. The end users of a party share what the party has. */
  readonly member?: string | null;
}

/** Calls the task after that many milliseconds, unless the returned function is called first. */
export type After = (ms: number, task: () => void) => () => void;

/** Releases a slot. Idempotent. */
export type Leave = () => void;

/** Totals for operators, without names. */
export interface PlaceFigures {
  readonly running: number;
  readonly waiting: number;
  /** Since the process started. */
  readonly refused: number;
}

/** Limits the number of requests that run at once. */
export interface Places {
  /**
   * Resolves when the request may run, with the function that releases its slot. Rejects with `overloaded` if too many
   * wait or it has waited too long, and with `calledOff` if its sender disconnects while it waits.
   */
  take(who: Requester, signal?: AbortSignal): Promise<Leave>;
  figures(): PlaceFigures;
}

/** `Retry-After` of a refusal. By then all requests that wait now have been answered or refused. */
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  readonly credential: string | null;
  readonly member: string | null;
  readonly enter: () => void;
  /** Ends its wait without a slot. */
  readonly refuse: () => void;
}

/**
 * While slots are free, requests run at once. Otherwise a party's requests wait in order, but skip those of a
 * credential or end user that already has its maximum of slots. The next slot goes to the waiting party with the fewest
 * running requests; the tie-break is the one served longest ago. Within a party it goes to the end user with the fewest.
 * If too many wait in total, the last request of the party with the most waiting is refused in favour of a party with
 * fewer, so that a few parties cannot fill the queue. The same holds among the end users of a party.
 */
export function createPlaces(bounds: PlaceBounds, after: After): Places {
  const byParty = new Map<string, number>();
  const byCredential = new Map<string, number>();
  const byMember = new Map<string, number>();
  /** Waiting requests by party. Parties are ordered by arrival or last service; no queue is empty. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;
  let refused = 0;

  const runningOf = (party: string, member: string | null) =>
    member === null ? 0 : (byMember.get(memberKey(party, member)) ?? 0);

  const isFree = ({ credential, party, member = null }: Requester) =>
    running < bounds.total &&
    runningOf(party, member) < bounds.perMember &&
    (byParty.get(party) ?? 0) < bounds.perParty &&
    (credential === null || (byCredential.get(credential) ?? 0) < bounds.perCredential);

  function enter({ credential, party, member = null }: Requester): Leave {
    running += 1;
    add(byParty, party, 1);
    if (member !== null) add(byMember, memberKey(party, member), 1);
    if (credential !== null) add(byCredential, credential, 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      running -= 1;
      add(byParty, party, -1);
      if (member !== null) add(byMember, memberKey(party, member), -1);
      if (credential !== null) add(byCredential, credential, -1);
      admitWaiting();
    };
  }

  /** Starts waiting requests while there are slots: the first eligible request of the party with the fewest running. */
  function admitWaiting(): void {
    while (running < bounds.total) {
      let next: { party: string; first: Waiting } | undefined;
      for (const [party, queue] of queues) {
        if (next && (byParty.get(party) ?? 0) >= (byParty.get(next.party) ?? 0)) continue;
        const first = firstOf(party, queue);
        if (first) next = { party, first };
      }
      if (!next) return;
      next.first.enter();
    }
  }

  /** The first request of the end user with the fewest running, of those that may run. */
  function firstOf(party: string, queue: readonly Waiting[]): Waiting | undefined {
    let first: Waiting | undefined;
    for (const one of queue) {
      if (first && runningOf(party, one.member) >= runningOf(party, first.member)) continue;
      if (isFree({ ...one, party })) first = one;
    }
    return first;
  }

  /**
   * Refuses the last request of the party's end user with the most waiting in favour of this one. Returns false if this
   * one would then have as many waiting.
   */
  function displaceWithin(party: string, member: string | null): boolean {
    const byWaiting = new Map<string | null, Waiting[]>();
    for (const one of queues.get(party) ?? [])
      byWaiting.set(one.member, [...(byWaiting.get(one.member) ?? []), one]);
    const most = longestOf(byWaiting.values());
    if ((byWaiting.get(member)?.length ?? 0) + 1 >= most.length) return false;
    most.at(-1)?.refuse();
    return true;
  }

  function leaveQueue(party: string, one: Waiting, isServed: boolean): void {
    const rest = (queues.get(party) ?? []).filter((other) => other !== one);
    if (isServed || rest.length === 0) queues.delete(party);
    if (rest.length > 0) queues.set(party, rest);
    waiting -= 1;
  }

  /**
   * Refuses the last request of the party with the most waiting in favour of this party. Returns false if this party
   * would then have as many waiting.
   */
  function displaceFor(party: string): boolean {
    const longest = longestOf(queues.values());
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
    const { credential, party, member = null } = who;
    return new Promise((resolve, reject) => {
      const settle = (isServed: boolean) => {
        leaveQueue(party, one, isServed);
        cancel();
        signal?.removeEventListener("abort", goAway);
      };
      const one: Waiting = {
        credential,
        member,
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
      const { party, member = null } = who;
      if ((queues.get(party)?.length ?? 0) >= bounds.waitingPerParty && !displaceWithin(party, member))
        throw overloaded("Too many requests of yours are waiting already.");
      if (waiting >= bounds.waitingTotal && !displaceFor(party))
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

/** A party is an id, or a network, neither of which has line breaks. */
function memberKey(party: string, member: string): string {
  return `${party}\n${member}`;
}

function longestOf(queues: Iterable<readonly Waiting[]>): readonly Waiting[] {
  let longest: readonly Waiting[] = [];
  for (const queue of queues) if (queue.length > longest.length) longest = queue;
  return longest;
}
