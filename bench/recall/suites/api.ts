import type { ContextAnswer, SearchAnswer } from "../../../src/contract/recall.ts";

/** What the suites send of a memory. With `dedupe` it is remembered, otherwise stored as given. */
export interface Memory {
  readonly content: string;
  readonly path: string;
  readonly project_id?: string;
  readonly semantic_key?: string;
  readonly dedupe?: boolean;
  readonly provenance?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What a write was answered; `error` where it was refused. */
export interface Written {
  readonly id?: string;
  readonly status?: string;
  readonly deduplicated?: boolean;
  readonly reason?: string;
  readonly masked?: unknown;
  readonly error?: { readonly code: string; readonly detail: unknown };
}

export type SearchHit = SearchAnswer["results"][number];
/** A context as owners get it. */
export type Context = Extract<ContextAnswer, { answer_status: string }>;

const BATCH_ITEMS_MAX = 250;
/** Of the characters of one batch: a body may have 1 MiB. */
const BATCH_LENGTH_MAX = 300_000;

/** The public REST API of a service. A refusal throws, unless it is that of one item of a batch. */
export class Api {
  readonly #url: string;
  readonly #key: string;
  /** How many contexts each engine answered: a search engine that is too slow is answered for. */
  readonly engines = new Map<string, number>();

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { "x-api-key": this.#key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T;
    if (!response.ok)
      throw new Error(
        `${method} ${path.split("?")[0]} answered ${response.status}: ${JSON.stringify(answer)}`,
      );
    return answer;
  }

  /** Writes them in their order, in as many requests as it takes, and answers for each what was answered. */
  async write(memories: readonly Memory[]): Promise<Written[]> {
    const written: Written[] = [];
    for (const items of batchesOf(memories)) {
      const { results } = await this.send<{ results: Written[] }>("POST", "/v1/memories/batch", { items });
      written.push(...results);
    }
    return written;
  }

  /** Writes them, and throws unless each was stored as it is, as a memory of its own. Answers their ids. */
  async store(memories: readonly Memory[]): Promise<string[]> {
    const written = await this.write(memories);
    return written.map(({ id, error, masked, deduplicated }, at) => {
      if (id !== undefined && masked === undefined && deduplicated !== true) return id;
      throw new Error(
        `A memory was not stored as it is (${JSON.stringify(error ?? { masked, deduplicated })}): ${memories[at]?.content.slice(0, 200)}`,
      );
    });
  }

  async search(asked: {
    query: string;
    path: string;
    limit: number;
    asked_at?: string;
    time_zone?: string;
  }): Promise<readonly SearchHit[]> {
    return (await this.send<SearchAnswer>("POST", "/v1/memories/search", asked)).results;
  }

  async context(asked: {
    query: string;
    path: string;
    project_id?: string;
    max_items?: number;
    max_tokens?: number;
    threshold?: number;
    limit?: number;
  }): Promise<Context> {
    const context = await this.send<Context>("POST", "/v1/recall/context", asked);
    const { engine } = context.retrieval_plan;
    this.engines.set(engine, (this.engines.get(engine) ?? 0) + 1);
    return context;
  }

  /** All memories at a path that have this status. */
  async list(asked: { path: string; status: string }): Promise<{ id: string }[]> {
    const found: { id: string }[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const parameters = new URLSearchParams({
        ...asked,
        limit: "1000",
        ...(cursor === "" ? {} : { cursor }),
      });
      const page: { memories: { id: string }[]; next_cursor: string | null } = await this.send(
        "GET",
        `/v1/memories?${parameters}`,
      );
      found.push(...page.memories);
      cursor = page.next_cursor;
    }
    return found;
  }

  /** How many live memories there are at a path. */
  async count(path: string): Promise<number> {
    const { total } = await this.send<{ total: number }>(
      "GET",
      `/v1/memories?${new URLSearchParams({ path, limit: "1" })}`,
    );
    return total;
  }
}

function* batchesOf(memories: readonly Memory[]): Iterable<Memory[]> {
  let batch: Memory[] = [];
  let length = 0;
  for (const memory of memories) {
    if (
      batch.length === BATCH_ITEMS_MAX ||
      (length > 0 && length + memory.content.length > BATCH_LENGTH_MAX)
    ) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(memory);
    length += memory.content.length;
  }
  if (batch.length > 0) yield batch;
}
