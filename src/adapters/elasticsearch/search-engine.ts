import type { Client } from "@elastic/elasticsearch";
import type { SearchEngine } from "../../core/projection/search-engine.ts";
import { IndexUnavailable } from "../../core/recall/index-unavailable.ts";
import type { Lexicon } from "../../core/recall/lexicon.ts";
import { createBulkWriter } from "./bulk.ts";
import { unavailabilityOf } from "./errors.ts";
import {
  createIndex,
  dropIndex,
  findIndex,
  type IndexShape,
  ownedIndexes,
  pointAlias,
} from "./index-admin.ts";
import { entriesOf, purgeTombstones, sumsOf } from "./index-contents.ts";
import { MAPPING_VERSION } from "./mapping.ts";

export interface SearchEngineOptions extends IndexShape {
  readonly client: Client;
  readonly alias: string;
  readonly lexicon: Lexicon;
}

/** Elasticsearch, as the projection writes to it. */
export function createSearchEngine({ client, alias, lexicon, ...shape }: SearchEngineOptions): SearchEngine {
  const write = createBulkWriter(client, lexicon);
  return {
    mappingVersion: MAPPING_VERSION,
    alias,
    write: (index, changes, how) => named(write(index, changes, how)),
    create: (index, dimension) => named(createIndex(client, index, dimension, shape)),
    find: (index) => named(findIndex(client, index, shape.database)),
    refresh: (index) => named(client.indices.refresh({ index }, { requestTimeout: 60_000 }).then(() => {})),
    pointAlias: (index) => named(pointAlias(client, alias, index)),
    drop: (index) => named(dropIndex(client, index)),
    owned: () => named(ownedIndexes(client, alias, shape.database)),
    sums: (index) => named(sumsOf(client, index)),
    entries: (index, buckets) => named(entriesOf(client, index, buckets)),
    purge: (index, before) => named(purgeTombstones(client, index, before)),
  };
}

/** The client's errors as the core knows them. */
async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = unavailabilityOf(error);
    throw reason === null ? error : new IndexUnavailable(reason, { cause: error });
  }
}
