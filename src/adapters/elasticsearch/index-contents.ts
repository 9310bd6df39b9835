import type { Client } from "@elastic/elasticsearch";
import { BUCKETS, type BucketSum, type IndexEntry } from "../../core/projection/fingerprint.ts";
import { IndexUnavailable } from "../../core/recall/index-unavailable.ts";

/** Comparing and purging look at much; nobody waits for them. */
const REQUEST = { requestTimeout: 120_000 } as const;
const PAGE = 5000;
const PURGED_AT_ONCE = 100_000;

export async function sumsOf(client: Client, index: string): Promise<BucketSum[]> {
  const answer = await client.search<
    unknown,
    { buckets: { buckets: { key: number; doc_count: number; sum: { value: number } }[] } }
  >(
    {
      index,
      size: 0,
      track_total_hits: false,
      allow_partial_search_results: false,
      aggs: {
        buckets: {
          terms: { field: "check_bucket", size: BUCKETS },
          aggs: { sum: { sum: { field: "check_sum" } } },
        },
      },
    },
    REQUEST,
  );
  const buckets = answer.aggregations?.buckets.buckets ?? [];
  return buckets.map(({ key, doc_count, sum }) => ({ bucket: key, count: doc_count, sum: sum.value }));
}

/** The memories of these buckets, as of one moment. */
export async function entriesOf(
  client: Client,
  index: string,
  buckets: readonly number[],
): Promise<IndexEntry[]> {
  const { id } = await client.openPointInTime({ index, keep_alive: "2m" }, REQUEST);
  try {
    const entries: IndexEntry[] = [];
    for (let after: unknown[] | null = null; ; ) {
      const answer: Page = await client.search(
        {
          pit: { id, keep_alive: "2m" },
          size: PAGE,
          track_total_hits: false,
          allow_partial_search_results: false,
          query: { terms: { check_bucket: [...buckets] } },
          docvalue_fields: ["revision"],
          sort: [{ _shard_doc: "asc" }],
          ...(after === null ? {} : { search_after: after as never }),
        },
        REQUEST,
      );
      entries.push(...answer.hits.hits.map(toEntry));
      after = answer.hits.hits.at(-1)?.sort ?? null;
      if (after === null) return entries;
    }
  } finally {
    await client.closePointInTime({ id }, REQUEST).catch(() => {});
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

function toEntry({ _id: id, _routing: ownerId, fields }: EngineHit): IndexEntry {
  const [revision] = (fields?.revision ?? []) as unknown[];
  if (id === undefined || ownerId === undefined || typeof revision !== "number")
    throw new IndexUnavailable("unintelligible");
  return { id, ownerId, revision };
}

/** Removes the tombstones of before then. */
export async function purgeTombstones(client: Client, index: string, before: number): Promise<void> {
  await client.deleteByQuery(
    {
      index,
      query: { range: { deleted_at: { lt: before } } },
      conflicts: "proceed",
      max_docs: PURGED_AT_ONCE,
    },
    REQUEST,
  );
}
