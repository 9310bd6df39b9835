import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Fetches of clients' documents and keys from addresses that untrusted requests name. The total is limited, and each
 * fetch counts for its requester, so that no one can use up the limit for others.
 */
export interface DocumentFetches {
  /** Runs work whose fetches count for a requester: a network or an account; null if unknown. */
  for<T>(somebody: string | null, work: () => Promise<T>): Promise<FetchedFor<T>>;
  /** Returns false, and records a refusal, if the current requester has used up its share. */
  mayFetch(): boolean;
  /** Fetches, and counts the fetch. Rejects if `mayFetch` is false. */
  readonly fetch: typeof fetch;
}

/** Result of the work, and when to retry if a fetch was refused. */
export interface FetchedFor<T> {
  readonly result: T;
  readonly retryAfterSeconds: number | null;
}

/** better-auth allows 120 fetches per minute, 16 at a time, for all requesters together. */
const FETCHES_MAX = 20;
const WINDOW_MS = 60_000;
const AT_A_TIME_MAX = 4;

/** A requester's fetches within the last minute, and those in progress. */
interface Share {
  begun: number[];
  running: number;
}

interface Work {
  readonly somebody: string | null;
  retryAfterSeconds: number | null;
}

export function createDocumentFetches(fetchOutbound: typeof fetch): DocumentFetches {
  const current = new AsyncLocalStorage<Work>();
  // No more entries than fetches in a minute, which better-auth limits.
  const shares = new Map<string, Share>();

  const shareOf = (somebody: string, now: number): Share => {
    for (const [name, share] of shares) {
      share.begun = share.begun.filter((begun) => begun > now - WINDOW_MS);
      if (share.begun.length === 0 && share.running === 0) shares.delete(name);
    }
    return shares.get(somebody) ?? { begun: [], running: 0 };
  };

  const waitOf = ({ begun, running }: Share, now: number): number | null => {
    if (begun.length >= FETCHES_MAX) return Math.ceil(((begun[0] as number) + WINDOW_MS - now) / 1000);
    return running >= AT_A_TIME_MAX ? 1 : null;
  };

  const mayFetch = (): boolean => {
    const work = current.getStore();
    if (!work || work.somebody === null) return true;
    const now = performance.now();
    const wait = waitOf(shareOf(work.somebody, now), now);
    work.retryAfterSeconds = wait ?? work.retryAfterSeconds;
    return wait === null;
  };

  const counted = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (!mayFetch()) throw new Error("Whoever asked has had their share of documents.");
    const somebody = current.getStore()?.somebody ?? null;
    if (somebody === null) return fetchOutbound(input, init);
    const now = performance.now();
    const share = shareOf(somebody, now);
    shares.set(somebody, share);
    share.begun.push(now);
    share.running += 1;
    try {
      return await fetchOutbound(input, init);
    } finally {
      share.running -= 1;
    }
  };

  return {
    async for(somebody, work) {
      const store: Work = { somebody, retryAfterSeconds: null };
      const result = await current.run(store, work);
      return { result, retryAfterSeconds: store.retryAfterSeconds };
    },
    mayFetch,
    fetch: counted as typeof fetch,
  };
}
