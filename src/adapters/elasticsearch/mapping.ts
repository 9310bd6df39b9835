import type { Client } from "@elastic/elasticsearch";

/**
 * The search engine's index, one for each embedding generation. Documents are made by `document.ts`.
 *
 * The engine only proposes, so nothing in it scores by statistics of a whole shard, which other owners share: words
 * have weights of their own (`words`), texts count matches (`boolean`), and ranking happens in this process.
 */

/**
 * Rises with every change of what an index holds, in this file, in `document.ts` or in how a text splits: an index of another
 * version is rebuilt.
 */
export const MAPPING_VERSION = 9;

/** The most that the engine can index. */
const DIMENSION_MAX = 4096;

export interface IndexOptions {
  /** Dimension of the embedding generation, 1 to 4,096. */
  readonly dimension: number;
  readonly shards: number;
  /** An engine of 9.4 or newer. Earlier ones make a graph of each segment's vectors, and refuse to be told otherwise. */
  readonly isRecent: boolean;
}

/**
 * From where on a segment has a graph of its vectors: where it has more of them than this many bytes' worth times the logarithm
 * of their number, which is some 100 MiB of any dimension. Smaller ones are compared as a whole.
 */
const FLAT_BYTES = 8 * 1024 * 1024;

/**
 * A vector's steps, which are int8 already: no floats are kept beside them. A graph costs as much as half of all else that
 * indexing a memory takes, again with each merge, and finds less than comparing everything does.
 */
const vectorOf = (dims: number, isRecent: boolean) =>
  ({
    type: "dense_vector",
    dims,
    element_type: "byte",
    similarity: "cosine",
    index: true,
    index_options: {
      type: "hnsw",
      m: 16,
      ef_construction: 100,
      ...(isRecent ? { flat_index_threshold: Math.floor(FLAT_BYTES / dims) } : {}),
    },
  }) as const;

const keyword = { type: "keyword" } as const;
const time = { type: "date", format: "epoch_millis" } as const;

/**
 * A text by its English stems, by its exact words, and by pairs of Chinese, Japanese and Korean characters. It is there for
 * people who look into the index: recall ranks by `words`. So it tells which memories have a word, not where or how often.
 */
const [english, exact, cjk] = (["english", "standard", "cjk"] as const).map((analyzer) => ({
  type: "text" as const,
  analyzer,
  similarity: "boolean",
  index_options: "docs",
  norms: false,
}));
const text = { ...english, fields: { exact, cjk } } as const;
const keywordAndText = { ...keyword, fields: { english, exact, cjk } } as const;

/** Settings and mapping of a new index. */
export function indexDefinition({ dimension, shards, isRecent }: IndexOptions) {
  if (!(dimension >= 1 && dimension <= DIMENSION_MAX))
    throw new RangeError(`The search engine holds vectors of 1 to ${DIMENSION_MAX} dimensions.`);
  return {
    settings: {
      number_of_shards: shards,
      // Otherwise each document is parsed a second time, to leave its vectors out of a source that is not kept.
      ...(isRecent ? { "mapping.exclude_source_vectors": false } : {}),
    },
    mappings: {
      dynamic: "strict",
      _meta: { mapping_version: MAPPING_VERSION, dimension },
      _routing: { required: true },
      // Postgres is the record: nothing is ever read back or updated from here.
      _source: { enabled: false },
      properties: {
        owner: keyword,
        team: keyword,
        project: keyword,
        path: keywordAndText,
        bucket: keyword,
        scope: keyword,
        memory_type: keyword,
        /** True for a todo or decision. */
        item: { type: "boolean" },
        status: keyword,
        /** When a superseded memory is live again, and its status from then on. */
        superseded_until: time,
        superseded_status: keyword,
        /** Owner, project and session: unique among all owners. */
        session: keyword,
        source: keywordAndText,
        seq: { type: "long" },
        revision: { type: "long" },
        occurred_at: time,
        created_at: time,
        expires_at: time,
        /** Left in place of a removed memory, until it is purged. It has no owner, so that no search sees it. */
        deleted: { type: "boolean" },
        deleted_at: time,
        content: text,
        keywords: text,
        /** Length of the text in word pieces. */
        length: { type: "integer" },
        /** How many passages it has. */
        passages: { type: "integer" },
        /** Every word piece it has, to count memories by; marked where only the speaker's name in front has it. */
        pieces: { ...keyword, doc_values: false },
        /** The weight of each word piece in a match, before the query's weight: the highest of any passage. */
        words: { type: "sparse_vector" },
        /** Dimension of the stored vectors, where it has any. */
        vector_dimension: { type: "integer" },
        /** The first passage's vector, and those of the others. */
        vector: vectorOf(dimension, isRecent),
        more: { type: "nested", properties: { vector: vectorOf(dimension, isRecent) } },
        /** Everything that the ranker needs of a memory (`PackedRecord`). Not searched, and read by document number. */
        record: { type: "binary", doc_values: true },
        /** Used to compare the index with the record, and to recognise a scope (`fingerprint.ts`). */
        check_bucket: { type: "short" },
        check_sum: { type: "long" },
      },
    },
  } as const;
}

/** The alias that an index is written by. It goes with the index, so that a later write fails instead of making another. */
export function writeAlias(index: string): string {
  return `${index}-write`;
}

/**
 * A document that each index of ours is made with. An index that somebody else has emptied, or put in the place of ours
 * with all its names, lacks it; without it such an index would answer that there is nothing.
 */
const SEAL = { id: "seal", routing: "seal" } as const;

/** Resolves when searches show it. */
export async function setSeal(client: Client, index: string, requestTimeout: number): Promise<void> {
  await client.index({ index, ...SEAL, document: {}, refresh: true }, { requestTimeout });
}

/** Whether the index has it, asked past what searches show. */
export function hasSeal(client: Client, index: string, requestTimeout: number): Promise<boolean> {
  return client.exists({ index, ...SEAL }, { requestTimeout });
}

/** A search that finds one document in a sealed index. */
export const sealSearch = {
  routing: SEAL.routing,
  body: { size: 0, track_total_hits: true, query: { ids: { values: [SEAL.id] } } },
} as const;
