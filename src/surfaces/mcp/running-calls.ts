import type { RequestId } from "@modelcontextprotocol/server";

/** The calls that are being carried out, so that a client can let one go by its number. */
export interface RunningCalls {
  /** Carries a call out; the signal aborts when its client lets it go. Without a number nobody can. */
  during<T>(
    client: string,
    number: RequestId | undefined,
    work: (cancelled?: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Lets a client's call go; nothing happens where none runs, or more than one that it may be. */
  abort(client: string, number: RequestId): void;
}

/**
 * Revisions before 2026-07-28 cancel by a message, which is a request of its own here. Nothing but the number says which call is
 * meant, and clients count from nought: where two that share a credential, an address and a name have the same number on the way,
 * neither is let go.
 */
export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<AbortController>>();
  const keyOf = (client: string, number: RequestId) => JSON.stringify([client, number]);
  return {
    async during(client, number, work) {
      if (number === undefined) return work();
      const key = keyOf(client, number);
      const own = new AbortController();
      const same = running.get(key) ?? new Set();
      running.set(key, same.add(own));
      try {
        return await work(own.signal);
      } finally {
        same.delete(own);
        if (same.size === 0) running.delete(key);
      }
    },
    abort(client, number) {
      const [meant, ...others] = running.get(keyOf(client, number)) ?? [];
      if (others.length === 0) meant?.abort();
    },
  };
}

/** The numbers of the calls that a body's messages let go. */
export function cancelledBy(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    const number = method === "notifications/cancelled" ? params?.requestId : undefined;
    return typeof number === "string" || typeof number === "number" ? [number] : [];
  });
}
