import type { RequestId } from "@modelcontextprotocol/server";

/** Running calls, which clients can cancel by request number. */
export interface RunningCalls {
  /** Runs a call. The signal aborts when its client cancels it, which is impossible without a number. */
  during<T>(
    client: string,
    number: RequestId | undefined,
    work: (cancelled?: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Cancels a client's call. No-op if there is none, or if the number is ambiguous. */
  abort(client: string, number: RequestId): void;
}

/**
 * Protocol revisions before 2026-07-28 cancel by a message, which arrives here as a separate request. Only the request
 * number identifies the call, and clients count from 0. If two clients with the same credential, address and name have
 * running calls with the same number, neither is cancelled.
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

/** Returns the request numbers that the messages of a body cancel. */
export function cancelledBy(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    const number = method === "notifications/cancelled" ? params?.requestId : undefined;
    return typeof number === "string" || typeof number === "number" ? [number] : [];
  });
}
