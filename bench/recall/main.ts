import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type Figures, figuresOf, mean } from "./figures.ts";

/**
 * Remembers and recalls data sets through the public REST API and prints recall figures.
 *
 *   RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url http://127.0.0.1:8787] [--retrievers hybrid,lexical,dense] FILE...
 *
 * A file is `{name, license, spaces: [{space, memories, queries}]}`, as JSON or gzipped JSON. A query with `after` is
 * asked when only the first `after` memories of its space are stored. Run it on an empty service.
 */
interface Memory {
  readonly ref: string;
  readonly content: string;
  readonly created_at: string;
  readonly session: string;
  readonly speaker: string;
}

interface Query {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly after?: number | null;
}

interface Space {
  readonly space: string;
  readonly memories: readonly Memory[];
  readonly queries: readonly Query[];
}

interface DataSet {
  readonly name: string;
  readonly license: string;
  readonly spaces: readonly Space[];
}

const HITS = 20;

class Client {
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
async function replay(
  client: Client,
  space: Space,
  modes: readonly string[],
): Promise<Map<string, Figures[]>> {
  const figures = new Map<string, Figures[]>(modes.map((mode) => [mode, []]));
  const asked = space.queries.filter((query) => query.relevant.length > 0);
  const at = (query: Query) => query.after ?? space.memories.length;
  for (let stored = 0; stored <= space.memories.length; stored += 1) {
    for (const query of asked.filter((candidate) => at(candidate) === stored)) {
      for (const mode of modes) {
        const refs = await client.search(space.space, query.query, mode);
        figures.get(mode)?.push(figuresOf(refs, query.relevant));
      }
    }
    const memory = space.memories[stored];
    if (memory) await client.store(space.space, memory);
  }
  return figures;
}

function report(name: string, mode: string, spaces: readonly Figures[][]): void {
  const all = spaces.flat();
  const perSpace = spaces.map((figures) => mean(figures).recall10);
  const f = mean(all);
  const percent = (share: number) => (100 * share).toFixed(1).padStart(5);
  console.log(
    `${name.padEnd(10)} ${mode.padEnd(8)} ${percent(f.recall5)} ${percent(f.recall10)} ${percent(f.recall20)} | ` +
      `${percent(f.any10)} ${percent(f.all10)} | ${percent(f.ndcg10)} ${percent(f.mrr)} | ` +
      `${percent(Math.min(...perSpace))} ..${percent(Math.max(...perSpace))}  (${all.length} queries)`,
  );
}

function options(argv: readonly string[]): { url: string; modes: string[]; files: string[] } {
  const files: string[] = [];
  let url = "http://127.0.0.1:8787";
  let modes = ["hybrid", "lexical", "dense"];
  for (let at = 0; at < argv.length; at += 1) {
    if (argv[at] === "--url") url = argv[++at] ?? url;
    else if (argv[at] === "--retrievers") modes = (argv[++at] ?? "").split(",");
    else files.push(argv[at] as string);
  }
  return { url, modes, files };
}

async function main(): Promise<void> {
  const { url, modes, files } = options(process.argv.slice(2));
  const key = process.env.RECOLLECT_API_KEY;
  if (!key || files.length === 0) {
    console.error(
      "Usage: RECOLLECT_API_KEY=... npm run -s bench:recall -- [--url URL] [--retrievers hybrid,lexical,dense] FILE...",
    );
    process.exit(2);
  }
  console.log(
    "set        ranked   R@5   R@10  R@20  | any@10 all@10 | nDCG@10 MRR | R@10 of the worst and best space",
  );
  for (const file of files) {
    const bytes = await readFile(file);
    const data = JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")) as DataSet;
    const bySpace: Map<string, Figures[]>[] = [];
    for (const space of data.spaces) {
      console.error(
        `${data.name} (${data.license}): ${space.space}, ${space.memories.length} memories, ${space.queries.length} queries`,
      );
      bySpace.push(await replay(new Client(url, key), space, modes));
    }
    for (const mode of modes)
      report(
        data.name,
        mode,
        bySpace.map((figures) => figures.get(mode) ?? []),
      );
  }
}

await main();
