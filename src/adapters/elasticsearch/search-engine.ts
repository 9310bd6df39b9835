import { type Client, errors } from "@elastic/elasticsearch";
import {
  BUCKETS,
  type BucketSum,
  type IndexEntry,
  type OwnerSum,
} from "../../core/projection/fingerprint.ts";
import { ownerOfRoute, routeOf } from "../../core/projection/owner-spread.ts";
import type {
  FoundIndex,
  IndexedRecord,
  NewIndexShape,
  SearchEngine,
} from "../../core/projection/search-engine.ts";
import { IndexUnavailable } from "../../recall/index/index-unavailable.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { createBulkWriter } from "./bulk.ts";
import { unavailabilityOf } from "./client.ts";
import { hasSeal, indexDefinition, MAPPING_VERSION, setSeal, writeAlias } from "./mapping.ts";

export interface SearchEngineOptions extends IndexShape {
  readonly client: Client;
  readonly alias: string;
  readonly lexicon: Lexicon;
}

/** Elasticsearch as the search engine that the projection writes to. */
export function createSearchEngine({ client, alias, lexicon, ...shape }: SearchEngineOptions): SearchEngine {
  const write = createBulkWriter(client, lexicon);
  return {
    mappingVersion: MAPPING_VERSION,
    alias,
    write: (index, changes, how) => named(write(index, changes, how)),
    create: (index, made) => named(createIndex(client, index, { database: shape.database, ...made })),
    settle: (index) => named(settleIndex(client, index, shape.replicas)),
    routes: (index, ownerId, parts) => named(routesTo(client, index, ownerId, parts)),
    find: (index) => named(findIndex(client, index, shape.database)),
    note: (index, of) => named(noteRecord(client, index, of)),
    refresh: (index) => named(client.indices.refresh({ index }, { requestTimeout: 60_000 }).then(() => {})),
    pointAlias: (index) => named(pointAlias(client, alias, index)),
    drop: (index) => named(dropIndex(client, index)),
    owned: () => named(ownedIndexes(client, alias, shape.database)),
    sums: (index, owners) => named(sumsOf(client, index, owners)),
    entries: (index, buckets, owners) => named(entriesOf(client, index, buckets, owners)),
    ownerSums: (index) => named(ownerSumsOf(client, index)),
    purge: (index, before) => named(purgeTombstones(client, index, before)),
  };
}

/** Translates the client's errors to the core's `IndexUnavailable`. */
async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = unavailabilityOf(error);
    throw reason === null ? error : new IndexUnavailable(reason, { cause: error });
  }
}

/** Settings of each new index. */
export interface IndexShape {
  /** Number of replicas; null: one if there is a second node for it. */
  readonly replicas: number | null;
  /** The database that the index belongs to: a cluster may serve several. */
  readonly database: string;
}

type MadeIndex = Pick<IndexShape, "database"> & NewIndexShape;

/** Routing values tried per shard. With so many, each shard gets one, except in one index in a billion. */
const ROUTES_TRIED_PER_SHARD = 40;

/** Finds a routing value for each of `parts` shards. The engine alone knows which shard a value selects, so ask it. */
async function routesTo(
  client: Client,
  index: string,
  ownerId: string,
  parts: number,
): Promise<readonly string[]> {
  const routes = new Map<number, string>();
  for (let n = 0; routes.size < parts && n < parts * ROUTES_TRIED_PER_SHARD; n++) {
    const route = routeOf(ownerId, n);
    const { shards } = await client.searchShards({ index, routing: route }, REQUEST);
    const shard = shards[0]?.[0]?.shard;
    if (shard === undefined) throw new IndexUnavailable("unintelligible");
    if (!routes.has(shard)) routes.set(shard, route);
  }
  return [...routes.values()];
}

const REQUEST = { requestTimeout: 30_000 } as const;

/**
 * Settings while an index is being filled. Without a refresh interval, it is refreshed only if a write waits for that,
 * as the workers' do, or shortly after a search. No replicas: they would repeat all of the work.
 */
const FILLING = {
  number_of_replicas: 0,
  "search.idle.after": "1s",
  "translog.durability": "async",
} as const;

/**
 * Settings once an index is filled. The interval is explicit, since without one the index stops refreshing when it is
 * not searched.
 */
const SETTLED = {
  refresh_interval: "1s",
  "search.idle.after": null,
  "translog.durability": "request",
} as const;

async function settleIndex(client: Client, index: string, replicas: number | null): Promise<void> {
  const copies = replicas === null ? { auto_expand_replicas: "0-1" } : { number_of_replicas: replicas };
  await client.indices.putSettings({ index, settings: { ...SETTLED, ...copies } as object }, REQUEST);
  // Puts everything accepted so far on disk.
  await client.indices.flush({ index }, PATIENT_REQUEST);
}

/** Creates an index with its write alias and the settings for filling it. Resolves to its uuid. */
export async function createIndex(
  client: Client,
  name: string,
  { dimension, shards, database, of }: MadeIndex,
): Promise<string> {
  const make = async (isRecent: boolean) => {
    const { settings, mappings } = indexDefinition({ dimension, shards, isRecent });
    const definition = {
      settings: { ...settings, ...FILLING },
      mappings: {
        ...mappings,
        // Servers of a newer version may write fields that this index does not know yet.
        dynamic: false as const,
        _meta: { ...mappings._meta, database, ...metaOf(of) },
      },
      aliases: { [writeAlias(name)]: {} },
    };
    await client.indices.create({ index: name, ...(definition as object) }, REQUEST);
  };
  await make(true).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
    return make(false);
  });
  await setSeal(client, name, REQUEST.requestTimeout);
  const found = await findIndex(client, name, database);
  if (found === null) throw new Error("an index that was just created was not found");
  return found.uuid;
}

/** The record's identity as index metadata. `log` is a string, since a JSON number cannot hold 64 bits. */
function metaOf({ incarnation, log }: IndexedRecord) {
  return { incarnation, log: String(log) };
}

function recordOf({ incarnation, log }: Record<string, unknown> = {}): IndexedRecord | null {
  if (typeof incarnation !== "string" || typeof log !== "string") return null;
  return { incarnation, log: BigInt(log) };
}

async function noteRecord(client: Client, index: string, of: IndexedRecord): Promise<void> {
  const found = await client.indices.getMapping({ index, filter_path: ["*.mappings._meta"] }, REQUEST);
  const meta = understood(found)[index]?.mappings?._meta;
  await client.indices.putMapping({ index, _meta: { ...meta, ...metaOf(of) } }, REQUEST);
}

/**
 * Finds the index of exactly this name. Resolves to null unless it was made for this database, has its write alias and
 * was not emptied.
 */
async function findIndex(client: Client, name: string, database: string): Promise<FoundIndex | null> {
  try {
    const found = await client.indices.get(
      { index: name, filter_path: ["*.aliases", "*.settings.index.uuid", "*.mappings._meta"] },
      REQUEST,
    );
    const index = understood(found)[name];
    const isOurs = index?.mappings?._meta?.database === database;
    if (!isOurs || index?.aliases?.[writeAlias(name)] === undefined) return null;
    if (!(await hasSeal(client, name, REQUEST.requestTimeout))) return null;
    const uuid = index.settings?.index?.uuid;
    return uuid === undefined ? null : { uuid, of: recordOf(index.mappings?._meta) };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Moves the alias in one step, so that it always names exactly one index. */
async function pointAlias(client: Client, alias: string, index: string): Promise<void> {
  const before = await holders(client, alias);
  const others = before.filter((name) => name !== index);
  const actions = others.map((name) => ({ remove: { index: name, alias } }));
  await client.indices.updateAliases({ actions: [...actions, { add: { index, alias } }] }, REQUEST);
}

async function holders(client: Client, alias: string): Promise<string[]> {
  try {
    return Object.keys(understood(await client.indices.getAlias({ name: alias }, REQUEST)));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function dropIndex(client: Client, name: string): Promise<void> {
  await client.indices.delete({ index: name, ignore_unavailable: true }, REQUEST);
}

/** Lists the indexes named `<alias>-…` that were made for this database. */
async function ownedIndexes(client: Client, alias: string, database: string): Promise<string[]> {
  const found = await client.indices.get(
    { index: `${alias}-*`, filter_path: ["*.mappings._meta"], allow_no_indices: true },
    REQUEST,
  );
  return Object.entries(understood(found))
    .filter(([, index]) => index.mappings?._meta?.database === database)
    .map(([name]) => name);
}

/**
 * Throws if the answer is not a list of indexes. It must not pass for an empty list, since missing indexes are rebuilt.
 */
function understood<T>(indices: Record<string, T>): Record<string, T> {
  if (Object.values(indices).every((index) => typeof index === "object" && index !== null)) return indices;
  throw new IndexUnavailable("unintelligible");
}

/** True for status 400, which the engine answers to an option that it does not know. */
function isRefused(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 400;
}

function isNotFound(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 404;
}

/** Comparing and purging read a lot, and no request waits for them. */
const PATIENT_REQUEST = { requestTimeout: 120_000 } as const;
const PAGE = 5000;
const PURGED_AT_ONCE = 100_000;

function ofOwners(owners: readonly string[] | null): object[] {
  return owners === null ? [] : [{ terms: { owner: [...owners] } }];
}

async function sumsOf(client: Client, index: string, owners: readonly string[] | null): Promise<BucketSum[]> {
  const answer = await client.search<
    unknown,
    { buckets: { buckets: { key: number; doc_count: number; sum: { value: number } }[] } }
  >(
    {
      index,
      size: 0,
      track_total_hits: false,
      allow_partial_search_results: false,
      query: { bool: { filter: ofOwners(owners) } },
      aggs: {
        buckets: {
          terms: { field: "check_bucket", size: BUCKETS },
          aggs: { sum: { sum: { field: "check_sum" } } },
        },
      },
    },
    PATIENT_REQUEST,
  );
  const buckets = answer.aggregations?.buckets.buckets ?? [];
  return buckets.map(({ key, doc_count, sum }) => ({ bucket: key, count: doc_count, sum: sum.value }));
}

const OWNERS_PAGE = 10_000;

async function ownerSumsOf(client: Client, index: string): Promise<Map<string, OwnerSum>> {
  const sums = new Map<string, OwnerSum>();
  for (let after: { owner: string } | undefined; ; ) {
    const { aggregations }: { aggregations?: { owners: OwnersPage } } = await client.search<
      unknown,
      { owners: OwnersPage }
    >(
      {
        index,
        size: 0,
        track_total_hits: false,
        allow_partial_search_results: false,
        aggs: {
          owners: {
            composite: {
              size: OWNERS_PAGE,
              sources: [{ owner: { terms: { field: "owner" } } }],
              ...(after === undefined ? {} : { after }),
            },
            aggs: { sum: { sum: { field: "check_sum" } } },
          },
        },
      },
      PATIENT_REQUEST,
    );
    if (aggregations === undefined) throw new IndexUnavailable("unintelligible");
    for (const { key, doc_count, sum } of aggregations.owners.buckets)
      sums.set(key.owner, { count: doc_count, sum: sum.value });
    after = aggregations.owners.after_key;
    if (after === undefined) return sums;
  }
}

interface OwnersPage {
  readonly after_key?: { readonly owner: string };
  readonly buckets: readonly {
    readonly key: { readonly owner: string };
    readonly doc_count: number;
    readonly sum: { readonly value: number };
  }[];
}

/** Reads the memories of these buckets, all from one point in time. */
async function entriesOf(
  client: Client,
  index: string,
  buckets: readonly number[],
  owners: readonly string[] | null,
): Promise<IndexEntry[]> {
  const { id } = await client.openPointInTime({ index, keep_alive: "2m" }, PATIENT_REQUEST);
  try {
    const entries: IndexEntry[] = [];
    for (let after: unknown[] | null = null; ; ) {
      const answer: Page = await client.search(
        {
          pit: { id, keep_alive: "2m" },
          size: PAGE,
          track_total_hits: false,
          allow_partial_search_results: false,
          query: { bool: { filter: [{ terms: { check_bucket: [...buckets] } }, ...ofOwners(owners)] } },
          docvalue_fields: ["revision"],
          sort: [{ _shard_doc: "asc" }],
          ...(after === null ? {} : { search_after: after as never }),
        },
        PATIENT_REQUEST,
      );
      entries.push(...answer.hits.hits.map(toEntry));
      after = answer.hits.hits.at(-1)?.sort ?? null;
      if (after === null) return entries;
    }
  } finally {
    await client.closePointInTime({ id }, PATIENT_REQUEST).catch(() => {});
  }
}

interface Page {
  readonly hits: { readonly hits: readonly EngineHit[] };
}

interface EngineHit {
  readonly _id?: string | undefined;
  readonly _routing?: string | undefined;
  readonly fields?: Record<string, unknown> | undefined;
  readonly sort?: unknown[] | undefined;
}

function toEntry({ _id: id, _routing: route, fields }: EngineHit): IndexEntry {
  const [revision] = (fields?.revision ?? []) as unknown[];
  if (id === undefined || route === undefined || typeof revision !== "number")
    throw new IndexUnavailable("unintelligible");
  return { id, ownerId: ownerOfRoute(route), revision };
}

/** Deletes tombstones from before that time in milliseconds, at most `PURGED_AT_ONCE` of them. */
async function purgeTombstones(client: Client, index: string, before: number): Promise<void> {
  await client.deleteByQuery(
    {
      index,
      query: { range: { deleted_at: { lt: before } } },
      conflicts: "proceed",
      max_docs: PURGED_AT_ONCE,
    },
    PATIENT_REQUEST,
  );
}
