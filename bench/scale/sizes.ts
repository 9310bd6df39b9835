import { execFileSync } from "node:child_process";
import postgres from "postgres";
import type { OwnNode } from "../../test/support/own-node.ts";
import { eventually } from "../../test/support/processes.ts";
import { say } from "../chaos/say.ts";
import type { Service } from "../chaos/service.ts";
import { quantile } from "../speed/closed-loop.ts";
import { Corpus } from "../speed/corpus.ts";
import { type Asker, askerOf, queryOf, search } from "./asker.ts";
import { built } from "./build.ts";
import { fill, type Share } from "./fill.ts";

/** The size that the others are compared with. */
const USUAL = 10_000;
const MEMORIES_OF_SMALL = 3;
const SMALL_ASKERS = 20;
/** Neither side's code nor its caches are warm before. */
const WARM_UP = 30;

export interface Sizes {
  /** How many memories the large owner has. */
  readonly large: number;
  /** How many owners of three memories there are beside it. */
  readonly small: number;
  readonly searches: number;
}

export interface Bench {
  readonly service: Service;
  readonly node: OwnNode;
  readonly index: string;
}

/** An index in memory has room for all of this. */
const ROOM_MB = 16_384;

const WITHOUT_ENGINE = Object.fromEntries(
  ["URL", "USERNAME", "PASSWORD", "INDEX_PREFIX", "SHARDS", "TIMEOUT_MS"].map((of) => [
    `ELASTICSEARCH_${of}`,
    "",
  ]),
);

type Askers = Readonly<Record<"large" | "usual" | "small", readonly Asker[]>>;

/** One owner of very many memories, one of ten thousand, and very many small ones, with the engine and without it. */
export async function measureSizes({ service, node, index }: Bench, sizes: Sizes) {
  const corpus = new Corpus();
  const shares = sharesOf(sizes);
  const memories = shares.reduce((sum, { count }) => sum + count, 0);
  await service.start();
  const database = await service.database();
  say(`${memories} memories are written`);
  const from = performance.now();
  await fill(database, corpus, shares);
  const filled = note("filled", { memories, ...sizes, seconds: secondsSince(from) });
  const askers: Askers = {
    large: [askerOf(service, shares[0] as Share)],
    usual: [askerOf(service, shares[1] as Share)],
    small: shares.slice(2, 2 + SMALL_ASKERS).map((share) => askerOf(service, share)),
  };
  say("the node starts, and the index is built");
  await node.start();
  const build = note("built", await built(database, memories, say));
  await recallIsWhole(service, askers.usual[0] as Asker);
  const engine = note("engine", {
    searches: await searchAll(service, corpus, askers, sizes.searches),
    diskMb: { index: await indexMegabytes(node, index), record: await recordMegabytes(database) },
    residentMb: { service: residentOf(service), node: nodeMegabytes(node) },
  });
  say("the same without the engine, with room for all");
  await node.kill();
  await service.restart({ ...WITHOUT_ENGINE, INDEX_MEMORY_MB: String(ROOM_MB) });
  const embedded = note("embedded", await measureEmbedded(service, corpus, askers, sizes.searches));
  say("and with the room that there is where nobody says");
  await service.restart({ INDEX_MEMORY_MB: "" });
  const full = note("full", await measureEmbedded(service, corpus, askers, sizes.searches));
  return { filled, build, engine, embedded, full };
}

/** The large owner's memories first, so that they are not what the others use a second time. */
function sharesOf({ large, small }: Sizes): Share[] {
  return [
    { name: "large", first: 0, count: large },
    { name: "usual", first: 0, count: USUAL },
    ...Array.from({ length: small }, (_, n) => ({
      name: `small-${n}`,
      first: n * MEMORIES_OF_SMALL,
      count: MEMORIES_OF_SMALL,
    })),
  ];
}

/** Searches of each size in turns, one at a time, each with words that were not asked before. */
async function searchAll(service: Service, corpus: Corpus, askers: Askers, count: number) {
  const sizes = Object.keys(askers) as (keyof Askers)[];
  const tookMs = new Map(sizes.map((size) => [size, [] as number[]]));
  let degraded = 0;
  for (let n = 0; n < count + WARM_UP; n++) {
    for (const size of sizes) {
      const asker = askers[size][n % askers[size].length] as Asker;
      const query = queryOf(corpus, asker.share, n);
      const from = performance.now();
      if (await search(service, { asker, query })) degraded++;
      if (n >= WARM_UP) tookMs.get(size)?.push(performance.now() - from);
    }
  }
  const figures = Object.fromEntries(
    sizes.map((size) => {
      const latencies = tookMs.get(size) as number[];
      return [size, { p50: rounded(quantile(latencies, 0.5)), p99: rounded(quantile(latencies, 0.99)) }];
    }),
  );
  const growth = rounded((figures.large?.p50 ?? 0) / (figures.usual?.p50 ?? 1));
  return { ...figures, growth, degraded };
}

/** The first search of the large owner makes its index. */
async function measureEmbedded(service: Service, corpus: Corpus, askers: Askers, count: number) {
  const before = residentOf(service);
  const [large] = askers.large as [Asker];
  const from = performance.now();
  const said = await saidOf(service, large, queryOf(corpus, large.share, 0));
  const firstSeconds = secondsSince(from);
  const searches = await searchAll(service, corpus, askers, count);
  return { firstSeconds, said, searches, residentMb: { before, after: residentOf(service) } };
}

/** What an answer says did not take part. */
async function saidOf(service: Service, asker: Asker, query: string): Promise<unknown> {
  const path = `/v1/memories/search?query=${encodeURIComponent(query)}`;
  const response = await fetch(service.url + path, { headers: { "x-api-key": asker.key } });
  const { degraded } = (await response.json()) as { degraded?: unknown };
  return degraded ?? null;
}

async function recallIsWhole(service: Service, asker: Asker): Promise<void> {
  const question = { asker, query: "what was decided about the bridge" };
  await eventually("recall to be whole", async () => !(await search(service, question)) || undefined, {
    everyMs: 250,
  });
}

async function indexMegabytes({ url, authorization }: OwnNode, index: string): Promise<number> {
  const response = await fetch(`${url}/${index}/_stats/store`, { headers: { authorization } });
  const { _all } = (await response.json()) as { _all: { primaries: { store: { size_in_bytes: number } } } };
  return megabytes(_all.primaries.store.size_in_bytes);
}

async function recordMegabytes(connection: Parameters<typeof fill>[0]): Promise<number> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  try {
    const [row] = await sql`select pg_database_size(current_database())::float8 as bytes`;
    return megabytes(row?.bytes as number);
  } finally {
    await sql.end();
  }
}

function residentOf(service: Service): number {
  return Math.round(service.residentMegabytes());
}

/** Its heap, and what it keeps outside of it; files that it maps count as far as they are in memory. */
function nodeMegabytes({ url }: OwnNode): number {
  const port = new URL(url).port;
  const rows = execFileSync("ps", ["-A", "-ww", "-o", "rss=,args="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const largest = rows
    .split("\n")
    .filter((row) => row.includes("org.elasticsearch") || row.includes(port))
    .map((row) => Number(row.trim().split(/\s+/)[0]));
  return Math.round(Math.max(0, ...largest) / 1024);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function secondsSince(from: number): number {
  return Number(((performance.now() - from) / 1000).toFixed(1));
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** A run takes an hour and more: what is known is told at once. */
function note<T>(name: string, figures: T): T {
  say(`${name} ${JSON.stringify(figures)}`);
  return figures;
}
