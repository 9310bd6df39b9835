import { askedAfter, type Memory, type Space } from "./data-set.ts";
import { type Figures, figuresOf } from "./figures.ts";

const HITS = 20;

/** The public REST API of a service. */
export class Service {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async #send(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(this.#url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": this.#key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok)
      throw new Error(`${path.split("?")[0]} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  store(space: string, memory: Memory): Promise<unknown> {
    return this.#send("/v1/memories", {
      content: memory.content,
      path: `bench/${space}`,
      source: memory.speaker,
      metadata: { ref: memory.ref, occurred_at: memory.created_at },
      provenance: { session_id: memory.session },
    });
  }

  /** The refs of the hits, best first. */
  async search(space: string, query: string, retrievers: string): Promise<string[]> {
    const parameters = new URLSearchParams({ query, path: `bench/${space}`, limit: String(HITS) });
    if (retrievers !== "hybrid") parameters.set("retrievers", retrievers);
    const { results } = await this.#send(`/v1/memories/search?${parameters}`);
    return (results as { metadata: { ref: string } }[]).map((result) => result.metadata.ref);
  }
}

/** Stores a space in order and asks each query at its time. Figures of each query, by retrievers. */
export async function replay(
  service: Service,
  space: Space,
  modes: readonly string[],
): Promise<Map<string, Figures[]>> {
  const figures = new Map<string, Figures[]>(modes.map((mode) => [mode, []]));
  const asked = space.queries.filter((query) => query.relevant.length > 0);
  for (let stored = 0; stored <= space.memories.length; stored += 1) {
    for (const query of asked.filter((candidate) => askedAfter(candidate, space) === stored)) {
      for (const mode of modes) {
        const refs = await service.search(space.space, query.query, mode);
        figures.get(mode)?.push(figuresOf(refs, query.relevant));
      }
    }
    const memory = space.memories[stored];
    if (memory) await service.store(space.space, memory);
  }
  return figures;
}
