import { execFileSync } from "node:child_process";
import { Client, HttpConnection } from "@elastic/elasticsearch";
import { uuidv7 } from "uuidv7";
import { createElasticsearchClient } from "../../src/adapters/elasticsearch/client.ts";
import { createSearchEngine } from "../../src/adapters/elasticsearch/search-engine.ts";
import { loadLexicon } from "../../src/adapters/embedding/builtin.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { createIncarnations } from "../../src/adapters/postgres/database/incarnation.ts";
import { createIndexGenerations } from "../../src/adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../../src/adapters/postgres/recall/index-source.ts";
import { buildIndex } from "../../src/core/projection/build-index.ts";
import type { OwnNode } from "../../test/support/own-node.ts";
import { say } from "../chaos/say.ts";
import type { Service } from "../chaos/service.ts";
import { Corpus } from "../speed/corpus.ts";
import { fill, sharesOf } from "./fill.ts";
import type { Place } from "./recall.ts";

const OWNERS = 100;
const ROUNDS = 3;
const FLOORS_SENT = 2;
const ALIAS = "recollect-builds";

/**
 * How many memories a second an index is built of, the comparison with the record included, and how many the plain client
 * gets into the node: the very requests that the build sent, into an index that is made alike. In turns.
 */
export async function measureBuilds(
  { service, node, place }: { service: Service; node: OwnNode; place: Place },
  memories: number,
) {
  await service.start();
  const address = await service.database();
  await fill(address, new Corpus(), sharesOf(memories, OWNERS));
  await node.start();
  const lexicon = await loadLexicon();
  const sql = connect(address, 4);
  const client = createElasticsearchClient({
    nodes: [place.node],
    auth: place.auth,
    ca: null,
    requestTimeoutMs: 30_000,
  });
  const plain = new Client({ node: place.node, auth: place.auth, Connection: HttpConnection, maxRetries: 0 });
  const sent = recorded(client);
  const [generation] = await sql`select max(id) as id from embedding_generations`;
  const engine = createSearchEngine({ client, alias: ALIAS, lexicon, replicas: 0, database: "bench" });
  const ports = {
    engine,
    source: createIndexSource(sql, generation?.id as number),
    generations: createIndexGenerations(sql),
    incarnations: createIncarnations(sql),
    clock: Date.now,
    newId: uuidv7,
  };
  const target = {
    embeddingGeneration: generation?.id as number,
    dimension: lexicon.dimension,
    shards: 1,
    memoriesPerShard: 500_000,
  };
  const usage = async () => ({
    own: cpuMs(),
    node: await nodeCpuMs(plain),
    database: databaseCpuMs(),
  });

  async function build() {
    sent.length = 0;
    const from = performance.now();
    await buildIndex(ports, target);
    const took = performance.now() - from;
    for (const { name } of await ports.generations.live()) {
      await ports.generations.forget(name);
      await engine.drop(name);
    }
    return took;
  }

  async function floor() {
    const name = `${ALIAS}-floor`;
    const of = { incarnation: "none", log: 0n };
    await engine.create(name, { dimension: lexicon.dimension, shards: 1, of });
    const from = performance.now();
    const waiting = [...sent];
    const send = async () => {
      for (let bulkBody = waiting.shift(); bulkBody !== undefined; bulkBody = waiting.shift())
        await plain.transport.request(
          { method: "POST", path: `/${name}/_bulk`, bulkBody, querystring: { filter_path: "errors" } },
          { requestTimeout: 60_000 },
        );
    };
    await Promise.all(Array.from({ length: FLOORS_SENT }, send));
    await plain.indices.refresh({ index: name });
    const took = performance.now() - from;
    await engine.drop(name);
    return took;
  }

  try {
    say("warms up");
    await build();
    await floor();
    const rounds: Record<string, unknown>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await usage();
      const buildMs = await build();
      const between = await usage();
      const floorMs = await floor();
      const after = await usage();
      const each = (ms: number) => Number(((1000 * ms) / memories).toFixed(0));
      const spent = (from: typeof before, to: typeof before) => ({
        own: each(to.own - from.own),
        node: each(to.node - from.node),
        database: each(to.database - from.database),
      });
      const figures = {
        perSecond: { build: rate(memories, buildMs), floor: rate(memories, floorMs) },
        ratio: Number((floorMs / buildMs).toFixed(2)),
        microseconds: { build: spent(before, between), floor: spent(between, after) },
      };
      say(JSON.stringify(figures));
      rounds.push(figures);
    }
    return { memories, rounds };
  } finally {
    await client.close();
    await plain.close();
    await sql.end();
  }
}

/** What the client sends in bulk, as long as it is wanted. */
function recorded(client: ReturnType<typeof createElasticsearchClient>): string[] {
  const sent: string[] = [];
  const { transport } = client;
  const request = transport.request.bind(transport) as (...of: unknown[]) => Promise<unknown>;
  transport.request = ((params: { bulkBody?: string }, ...others: unknown[]) => {
    if (typeof params.bulkBody === "string") sent.push(params.bulkBody);
    return request(params, ...others);
  }) as typeof transport.request;
  return sent;
}

function rate(memories: number, ms: number): number {
  return Math.round((1000 * memories) / ms);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function nodeCpuMs(client: Client): Promise<number> {
  const { nodes } = await client.nodes.stats({ metric: "process" });
  return Object.values(nodes).reduce((sum, { process }) => sum + Number(process?.cpu?.total_in_millis), 0);
}

/** Of all processes of databases on this machine: only one should be busy. */
function databaseCpuMs(): number {
  const rows = execFileSync("ps", ["-A", "-o", "cputimes=,comm="], { encoding: "utf8" });
  return rows
    .split("\n")
    .filter((row) => row.endsWith("postgres"))
    .reduce((sum, row) => sum + 1000 * Number(row.trim().split(/\s+/)[0]), 0);
}
