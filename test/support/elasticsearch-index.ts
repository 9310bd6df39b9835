import { createHash, randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { createElasticsearchClient } from "../../src/adapters/elasticsearch/client.ts";
import {
  type ElasticDocument,
  toElasticDocument,
  toElasticTombstone,
} from "../../src/adapters/elasticsearch/document.ts";
import { createElasticsearchIndex } from "../../src/adapters/elasticsearch/elasticsearch-index.ts";
import { MAPPING_VERSION } from "../../src/adapters/elasticsearch/mapping.ts";
import { createIndex, createSearchEngine } from "../../src/adapters/elasticsearch/search-engine.ts";
import type { OwnerSpread } from "../../src/core/projection/owner-spread.ts";
import type { IndexChange, IndexFeed, Tail } from "../../src/recall/index/index-document.ts";
import type { RecallIndex } from "../../src/recall/index/recall-index.ts";
import { NODE } from "./elasticsearch.ts";
import { lexicon } from "./recall-fixtures.ts";

const EMBEDDING = { embeddingGeneration: 1, dimension: 256 } as const;

/** An index of the node that is removed with `remove`. */
export interface OwnIndex {
  readonly client: Client;
  readonly name: string;
  /** Writes changes and waits until searches show them. */
  write(changes: readonly ChangeOf[]): Promise<void>;
  /** The recall index over it, with what it is told to be pending. */
  recall(tail?: (ownerIds: readonly string[]) => Tail): RecallIndex;
  remove(): Promise<void>;
}

/** A change, and whose it is. */
export interface ChangeOf {
  readonly ownerId: string;
  readonly change: IndexChange;
}

const NOTHING: Tail = { documents: [], ids: [], missing: new Map() };

/** With several shards, each owner is spread over all of them. */
export async function ownIndex(shards = 1): Promise<OwnIndex> {
  if (NODE === undefined) throw new Error("TEST_ELASTICSEARCH_URL must name a node.");
  const client = createElasticsearchClient({
    nodes: [NODE.url],
    auth: null,
    ca: null,
    requestTimeoutMs: 30_000,
  });
  const name = `recollect-test-${randomBytes(6).toString("hex")}`;
  const of = { incarnation: "none", log: 0n };
  await createIndex(client, name, {
    dimension: EMBEDDING.dimension,
    shards,
    database: "none",
    of,
  });
  const engine = createSearchEngine({ client, alias: name, lexicon, replicas: 0, database: "none" });
  const spread = new Map<string, readonly string[]>();
  const spreadOver = async (owners: readonly string[]) => {
    if (shards === 1) return;
    for (const owner of owners)
      if (!spread.has(owner)) spread.set(owner, await engine.routes(name, owner, shards));
  };
  return {
    client,
    name,
    async write(changes) {
      await spreadOver(changes.map(({ ownerId }) => ownerId));
      await write(client, name, changes, spread);
    },
    recall: (tail = () => NOTHING) =>
      createElasticsearchIndex({
        client,
        lexicon,
        tail: { read: async (ownerIds) => tail(ownerIds) },
        searched: () => ({ index: name, ...EMBEDDING, spread }),
      }),
    async remove() {
      await client.indices.delete({ index: name });
      await client.close();
    },
  };
}

async function write(
  client: Client,
  index: string,
  changes: readonly ChangeOf[],
  spread: OwnerSpread,
): Promise<void> {
  if (changes.length === 0) return;
  const documents = changes.map((change) => toDocument(change, spread));
  const answer = await client.bulk({
    index,
    refresh: true,
    operations: documents.flatMap(({ id, routing, revision, body }) => [
      { index: { _id: id, routing, version: revision, version_type: "external" as const } },
      { ...body, check_sum: checkSum(id, revision) },
    ]),
  });
  const failed = answer.items.filter(({ index: item }) => item?.error && item.status !== 409);
  if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
}

/** As `fingerprint`, of ids that are no UUIDs. */
function checkSum(id: string, revision: number): number {
  return createHash("sha256").update(`${id} ${revision}`).digest().readUInt32BE();
}

function toDocument({ ownerId, change }: ChangeOf, spread: OwnerSpread): ElasticDocument {
  return change.kind === "put"
    ? toElasticDocument(change.document, {
        ...{ lexicon, dimension: EMBEDDING.dimension },
        mappingVersion: MAPPING_VERSION,
        spread,
      })
    : toElasticTombstone({ id: change.id, ownerId, revision: change.revision }, spread, 0);
}

/**
 * A recall index that first brings the node up to date with a feed. Changes that `isPending` come by the tail instead,
 * in their newest state.
 */
export function fedIndex(own: OwnIndex, feed: IndexFeed, isPending: (id: string) => boolean): RecallIndex {
  const cursors = new Map<string, string | null>();
  const pending = new Map<string, ChangeOf>();
  const recall = own.recall((ownerIds) => {
    const waiting = [...pending.values()].filter(({ ownerId }) => ownerIds.includes(ownerId));
    return {
      documents: waiting.flatMap(({ change }) => (change.kind === "put" ? [change.document] : [])),
      ids: waiting.map(({ change }) => idOf(change)),
      missing: new Map(),
    };
  });
  async function catchUp(ownerId: string): Promise<void> {
    const shown: ChangeOf[] = [];
    const cursor = await feed.read(ownerId, cursors.get(ownerId) ?? null, (changes) => {
      for (const change of changes) {
        if (!isPending(idOf(change))) shown.push({ ownerId, change });
        else if (revisionOf(change) >= revisionOf(pending.get(idOf(change))?.change))
          pending.set(idOf(change), { ownerId, change });
      }
    });
    cursors.set(ownerId, cursor);
    await own.write(shown);
  }
  return {
    async candidates(request, signal) {
      for (const ownerId of new Set(request.reach.owners)) await catchUp(ownerId);
      return recall.candidates(request, signal);
    },
    refresh: recall.refresh,
  };
}

function idOf(change: IndexChange): string {
  return change.kind === "put" ? change.document.id : change.id;
}

function revisionOf(change: IndexChange | undefined): number {
  if (change === undefined) return Number.NEGATIVE_INFINITY;
  return change.kind === "put" ? change.document.revision : change.revision;
}
