import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { onTestFinished } from "vitest";
import { createElasticsearchClient } from "../../../src/adapters/elasticsearch/client.ts";
import { createSearchEngine } from "../../../src/adapters/elasticsearch/search-engine.ts";
import { createIncarnations } from "../../../src/adapters/postgres/database/incarnation.ts";
import { databaseIdentity } from "../../../src/adapters/postgres/database/service-secret.ts";
import { createIndexTail } from "../../../src/adapters/postgres/recall/index-feed.ts";
import { createIndexGenerations } from "../../../src/adapters/postgres/recall/index-generations.ts";
import { createIndexSource } from "../../../src/adapters/postgres/recall/index-source.ts";
import { createOutbox, createProjectionStatus } from "../../../src/adapters/postgres/recall/outbox.ts";
import { buildIndex } from "../../../src/core/projection/build-index.ts";
import type { IndexGeneration } from "../../../src/core/projection/index-generations.ts";
import { ownerOfRoute, routesOf } from "../../../src/core/projection/owner-spread.ts";
import { project } from "../../../src/core/projection/project.ts";
import { openProxy } from "../../faults/proxy.ts";
import { ask, NODE, type Node, ownIndices } from "../../support/elasticsearch.ts";
import { lexicon } from "../../support/recall-fixtures.ts";
import { openWorld } from "../../support/world.ts";

export type Stand = Awaited<ReturnType<typeof openStand>>;

/**
 * A service that knows of no search engine, and the parts of the projection on its database: what they do happens when
 * a test asks for it. `through`: the address at which the engine is reached.
 */
export async function openStand({
  through,
  shards = 1,
  memoriesPerShard = 500_000,
}: {
  through?: string;
  shards?: number;
  memoriesPerShard?: number;
} = {}) {
  const node = NODE as Node;
  const indices = ownIndices();
  const world = await openWorld();
  const { sql, generation, ports: served } = world.service;
  const client = createElasticsearchClient({
    nodes: [through ?? node.url],
    auth: null,
    ca: null,
    requestTimeoutMs: 30_000,
  });
  onTestFinished(async () => {
    await client.close();
    await world.close();
    await indices.remove();
  });
  const engine = createSearchEngine({
    client,
    alias: indices.prefix,
    lexicon,
    replicas: 0,
    database: await databaseIdentity(sql),
  });
  const ports = {
    source: createIndexSource(sql, generation),
    engine,
    generations: createIndexGenerations(sql),
    incarnations: createIncarnations(sql),
    clock: Date.now,
    newId: uuidv7,
  };
  const target = {
    embeddingGeneration: generation,
    dimension: served.embedder.generation.dimension,
    shards,
    memoriesPerShard,
  };
  const outbox = createOutbox(sql, { generation, hasEngine: true });
  const status = createProjectionStatus(sql);
  const active = async () =>
    (await ports.generations.live()).find(({ state }) => state === "active") as IndexGeneration;

  /** One round of a worker: what it took, and what became of it. */
  async function round(embedder = served.embedder, limit = 2000) {
    const { lease, lines } = await outbox.claim(limit);
    const search = { engine, generations: ports.generations };
    const index = { refresh: async () => {} };
    const { outcomes, failure } = await project({ ...ports, embedder, index, search }, lines);
    await outbox.settle(lease, outcomes);
    return { lines, outcomes: [...outcomes.values()].map(({ kind }) => kind), failure };
  }

  /** The document of this id where this owner's are; null where there is none, "removed" for what is left of one. */
  async function held(id: string, ownerId: string) {
    const { name: index, spread } = await active();
    const routing = encodeURIComponent(routesOf(spread, ownerId).join(","));
    const { body } = await ask(node, "POST", `/${index}/_search?routing=${routing}&version=true`, {
      query: { ids: { values: [id] } },
      docvalue_fields: ["revision", "owner", "deleted"],
    });
    const hits = body.hits.hits.filter((hit: { _routing: string }) => ownerOfRoute(hit._routing) === ownerId);
    if (hits.length === 0) return null;
    const { fields, _version: version } = hits[0];
    return { version, revision: fields.revision[0] as number, isRemoved: fields.deleted[0] === true };
  }

  return {
    node,
    world,
    sql,
    generation,
    indices,
    engine,
    client,
    ports,
    target,
    outbox,
    status,
    active,
    tail: createIndexTail(sql),
    round,
    held,
    build: (how = {}) => buildIndex(ports, target, how),
    /** The next index, made otherwise. */
    buildOf: (other: typeof target, how = {}) => buildIndex(ports, other, how),
    /** Rounds until nothing is due. */
    async work() {
      while ((await round()).lines.length > 0);
    },
    /** How many documents of the active index have this word in their text. */
    async countOf(word: string): Promise<number> {
      const { body } = await ask(node, "POST", `/${(await active()).name}/_count`, {
        query: { match: { content: word } },
      });
      return body.count;
    },
    /** Which of these words are in files of the index, and in which; null where its node is on another machine. */
    async filesHolding(uuid: string, words: readonly string[]): Promise<Map<string, string[]> | null> {
      const { body } = await ask(node, "GET", "/_nodes/settings?filter_path=nodes.*.settings.path.data");
      const [first] = Object.values(body.nodes) as { settings: { path: { data: string | string[] } } }[];
      const folder = join([first?.settings.path.data].flat()[0] as string, "indices", uuid);
      if (!existsSync(folder)) return null;
      const found = new Map<string, string[]>();
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const bytes = readFileSync(join(file.parentPath, file.name));
        for (const word of words)
          if (bytes.includes(word)) found.set(word, [...(found.get(word) ?? []), file.name]);
      }
      return found;
    },
    /** The internal id of a memory. */
    async idOf(memoryId: string): Promise<string> {
      const [row] = await sql`select id from memories where memory_id = ${memoryId}`;
      return row?.id as string;
    },
  };
}

/** Stands between a stand and its node. */
export async function ownProxy() {
  const proxy = await openProxy((NODE as Node).url);
  onTestFinished(() => proxy.close());
  return proxy;
}
