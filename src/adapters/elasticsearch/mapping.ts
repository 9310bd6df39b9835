import type { Client } from "@elastic/elasticsearch";

/**
 * The search engine's index, one for each embedding generation. Documents are made by `document.ts`.
 *
 * The engine only proposes candidates. Owners share shards, so no score may depend on the statistics of a shard: words
 * have weights of their own (`words`), texts count matches (`boolean`), and ranking happens in this process.
 */

/**
 * Increase it with every change to what an index holds: in this file, in `document.ts`, in how a text is split or in
 * the model of the multilingual vectors. An index of another version is rebuilt.
 */
export const MAPPING_VERSION = 10;

/** Dimension of the multilingual encoder's vectors. */
export const MULTILINGUAL_DIMENSION = 256;

/** Largest dimension that the engine can index. */
const DIMENSION_MAX = 4096;

export interface IndexOptions {
  /** Dimension of the embedding generation, 1 to 4,096. */
  readonly dimension: number;
  readonly shards: number;
  /**
   * True for engine 9.4 or newer. Earlier ones make a graph of each segment's vectors, and refuse the option to limit
   * that.
   */
  readonly isRecent: boolean;
}

/**
 * Decides which segments get a graph of their vectors: those with more vectors than fit in this many bytes, times the
 * logarithm of their number. That is about 100 MiB in any dimension. Smaller segments are compared as a whole.
 */
const FLAT_BYTES = 8 * 1024 * 1024;

/**
 * Field for a vector. Its steps are int8 already, so no floats are stored. A graph adds half of the other costs of
 * indexing a memory, again with each merge, and finds less than a comparison with every vector.
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
 * Indexes a text by its English stems, by its exact words, and by pairs of Chinese, Japanese and Korean characters. It
 * is meant for people who inspect the index: recall ranks by `words`. So it stores which memories have a word, but not
 * where or how often.
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
      // Otherwise each document is parsed a second time, to remove its vectors from a source that is not stored.
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
        /**
         * True for a tombstone, which replaces a removed memory until it is purged. It has no owner, so no search finds
         * it.
         */
        deleted: { type: "boolean" },
        deleted_at: time,
        content: text,
        keywords: text,
        /** Length of the text in word pieces. */
        length: { type: "integer" },
        /** Number of passages. */
        passages: { type: "integer" },
        /** Every word piece of the memory, for counting memories. Marked if only the leading speaker's name has it. */
        pieces: { ...keyword, doc_values: false },
        /** The weight of each word piece in a match, before the query's weight: the highest of any passage. */
        words: { type: "sparse_vector" },
        /** Dimension of the stored vectors, if any. */
        vector_dimension: { type: "integer" },
        /** The first passage's vectors, and those of the others. */
        vector: vectorOf(dimension, isRecent),
        multilingual: vectorOf(MULTILINGUAL_DIMENSION, isRecent),
        more: {
          type: "nested",
          properties: {
            vector: vectorOf(dimension, isRecent),
            multilingual: vectorOf(MULTILINGUAL_DIMENSION, isRecent),
          },
        },
        language: keyword,
        /** Everything that the ranker needs of a memory (`PackedRecord`). Not searched, and read by document number. */
        record: { type: "binary", doc_values: true },
        /** Used to compare the index with the record, and to recognise a scope (`fingerprint.ts`). */
        check_bucket: { type: "short" },
        check_sum: { type: "long" },
      },
    },
  } as const;
}

/**
 * Alias for writing to an index. It is deleted with the index, so that a later write fails instead of creating another.
 */
export function writeAlias(index: string): string {
  return `${index}-write`;
}

/**
 * A document that each index of ours is made with. An index lacks it if something else emptied it, or replaced it under
 * the same names. Without this check, such an index would answer that there are no memories.
 */
const SEAL = { id: "seal", routing: "seal" } as const;

/** Stores the seal. Resolves when searches find it. */
export async function setSeal(client: Client, index: string, requestTimeout: number): Promise<void> {
  await client.index({ index, ...SEAL, document: {}, refresh: true }, { requestTimeout });
}

/** Returns whether the index has the seal, even if searches do not show it yet. */
export function hasSeal(client: Client, index: string, requestTimeout: number): Promise<boolean> {
  return client.exists({ index, ...SEAL }, { requestTimeout });
}

/** A search that finds one document in a sealed index. */
export const sealSearch = {
  routing: SEAL.routing,
  body: { size: 0, track_total_hits: true, query: { ids: { values: [SEAL.id] } } },
} as const;
