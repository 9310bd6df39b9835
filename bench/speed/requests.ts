import { closedLoop } from "./closed-loop.ts";
import type { Corpus } from "./corpus.ts";
import type { FloorSlice } from "./floor.ts";
import type { HttpClient } from "./http-client.ts";
import type { Contestant } from "./interleave.ts";

/** A number that rises with each use: of the next memory, or of the next query. */
export interface Counter {
  next: number;
}

/** `POST /v1/memories` or the like, each a memory that is not there yet. */
export function storing(
  clients: readonly HttpClient[],
  corpus: Corpus,
  stored: Counter,
  path = "/v1/memories",
): Contestant {
  return (count) => {
    const memories = Array.from({ length: count }, () => corpus.memory(stored.next++));
    return closedLoop(clients.length, count, async (client) => {
      await clients[client]?.post(path, memories.pop());
    });
  };
}

/** A search as the defaults have it, each with a query of its own. */
export function search(client: HttpClient | undefined, corpus: Corpus, asked: Counter) {
  return client?.post("/v1/memories/search", { query: corpus.query(asked.next++) });
}

/** The same for a context. */
export function context(client: HttpClient | undefined, corpus: Corpus, asked: Counter) {
  return client?.post("/v1/recall/context", { query: corpus.query(asked.next++) });
}

export type Read = "search" | "context";
export const READS: Readonly<Record<Read, typeof search>> = { search, context };

/** The same work for all clients, over and over. */
export function repeating(
  clients: readonly HttpClient[],
  work: (client: HttpClient | undefined) => Promise<unknown> | undefined,
): Contestant {
  return (count) =>
    closedLoop(clients.length, count, async (client) => {
      await work(clients[client]);
    });
}

/** A slice that the floor's process runs and times itself. */
export function inFloor(
  floor: HttpClient | undefined,
  path: string,
  slice: (count: number) => FloorSlice,
): Contestant {
  return async (count) => {
    const answer = await floor?.post(path, slice(count));
    return JSON.parse(answer?.body.toString() ?? "null");
  };
}
