import type { Clock } from "../environment.ts";
import type { BucketSum, IndexEntry } from "./fingerprint.ts";
import type { IndexGeneration } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { OwnedMemory } from "./outbox.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface ComparePorts {
  readonly source: IndexSource;
  readonly engine: SearchEngine;
  readonly clock: Clock;
}

/** What a comparison found and put right. */
export interface Comparison {
  readonly missing: number;
  readonly outdated: number;
  readonly foreign: number;
  /** Sent again and refused by the engine: left to the outbox. */
  readonly refused: number;
  /** What was sent again, as `id:revision`; the first thousand. */
  readonly sent: readonly string[];
}

const SENT_MAX = 1000;

/** The index has revisions that the record never gave out, as after a restore from a backup: only a new index helps. */
export class IndexAhead extends Error {
  override readonly name = "IndexAhead";
}

const ENTRIES_AT_ONCE = 50_000;
const DOCUMENTS_AT_ONCE = 500;

/**
 * Compares an index with the record, bucket by bucket, and puts right what differs. A change that is on its way in the
 * outbox is no difference. `isCountOnly` compares how many memories there are; otherwise which, and at what revision.
 */
export async function compareIndex(
  ports: ComparePorts,
  index: IndexGeneration,
  { isCountOnly = false, signal }: { isCountOnly?: boolean; signal?: AbortSignal } = {},
): Promise<Comparison> {
  const { engine, source } = ports;
  await engine.refresh(index.name);
  // The index is read first: what the record then lacks was removed, and is not merely newer.
  const there = await engine.sums(index.name);
  const wanted = await source.sums(index.embeddingGeneration, isCountOnly);
  const total = { missing: 0, outdated: 0, foreign: 0, refused: 0, sent: [] as string[] };
  for (const buckets of grouped(differing(there, wanted, isCountOnly))) {
    if (signal?.aborted) break;
    const found = await compareBuckets(ports, index, buckets);
    total.missing += found.missing;
    total.outdated += found.outdated;
    total.foreign += found.foreign;
    total.refused += found.refused;
    total.sent.push(...found.sent.slice(0, SENT_MAX - total.sent.length));
  }
  if (total.missing + total.outdated + total.foreign > 0) await engine.refresh(index.name);
  return total;
}

function differing(
  there: readonly BucketSum[],
  wanted: readonly BucketSum[],
  isCountOnly: boolean,
): BucketSum[] {
  const byBucket = new Map(there.map((sum) => [sum.bucket, sum]));
  for (const sum of wanted) {
    const other = byBucket.get(sum.bucket);
    if (other?.count === sum.count && (isCountOnly || other.sum === sum.sum)) byBucket.delete(sum.bucket);
    else byBucket.set(sum.bucket, { ...sum, count: Math.max(sum.count, other?.count ?? 0) });
  }
  return [...byBucket.values()];
}

/** Each group is read from the record at once, and fits in memory. */
function grouped(sums: readonly BucketSum[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const { bucket, count } of sums) {
    if (count > room || groups.length === 0) {
      groups.push([]);
      room = ENTRIES_AT_ONCE;
    }
    groups.at(-1)?.push(bucket);
    room -= count;
  }
  return groups;
}

async function compareBuckets(
  ports: ComparePorts,
  index: IndexGeneration,
  buckets: readonly number[],
): Promise<Comparison> {
  const there = await ports.engine.entries(index.name, buckets);
  const wanted = new Map(
    (await ports.source.entries(buckets, index.embeddingGeneration)).map((entry) => [entry.id, entry]),
  );
  const foreign = there.filter((entry) => wanted.get(entry.id)?.ownerId !== entry.ownerId);
  const held = new Map(there.filter((entry) => !foreign.includes(entry)).map((entry) => [entry.id, entry]));
  const settled = [...wanted.values()].filter((entry) => !entry.isPending);
  const missing = settled.filter((entry) => !held.has(entry.id));
  const outdated = settled.filter(
    (entry) => (held.get(entry.id)?.revision ?? entry.revision) < entry.revision,
  );
  const ahead = settled.filter((entry) => (held.get(entry.id)?.revision ?? 0) > entry.revision);
  if (ahead.length > 0) throw new IndexAhead("the index is ahead of the record");
  await remove(ports, index, foreign);
  const refused = await putAgain(ports, index, [...missing, ...outdated]);
  const sent = [...missing, ...outdated].map(({ id, revision }) => `${id}:${revision}`);
  return { missing: missing.length, outdated: outdated.length, foreign: foreign.length, refused, sent };
}

async function remove(
  { engine, clock }: ComparePorts,
  index: IndexGeneration,
  foreign: readonly IndexEntry[],
): Promise<void> {
  const changes = foreign.map(({ id, ownerId, revision }): EngineChange => {
    // The revision that the removal itself would have had: above what is there, not above what a new owner has.
    return { kind: "remove", id, ownerId, revision: Math.floor(revision / 2) * 2 + 2 };
  });
  if (changes.length > 0) await engine.write(index, changes, { readAt: clock(), isShown: false });
}

async function putAgain(
  { engine, source, clock }: ComparePorts,
  index: IndexGeneration,
  entries: readonly IndexEntry[],
): Promise<number> {
  let refused = 0;
  for (let at = 0; at < entries.length; at += DOCUMENTS_AT_ONCE) {
    const memories = entries
      .slice(at, at + DOCUMENTS_AT_ONCE)
      .map(({ id, ownerId }): OwnedMemory => ({ ownerId, memory: id }));
    const readAt = clock();
    const documents = await source.documents(memories, index.embeddingGeneration);
    const changes = documents.map((document): EngineChange => ({ kind: "put", document }));
    const written = await engine.write(index, changes, { readAt, isShown: false });
    const left = documents
      .filter((_, place) => written[place]?.refused !== null)
      .map(({ id, ownerId }): OwnedMemory => ({ ownerId, memory: id }));
    // The worker tries them again, and in the end sets them aside and reports them.
    if (left.length > 0) await source.queue(left);
    refused += left.length;
  }
  return refused;
}
