import type { Clock } from "../environment.ts";
import { type BucketSum, type IndexEntry, type OwnerSum, portionOf, REVISION_STEP } from "./fingerprint.ts";
import type { IndexGeneration } from "./index-generations.ts";
import type { IndexSource } from "./index-source.ts";
import type { OwnedMemory } from "./outbox.ts";
import type { EngineChange, SearchEngine } from "./search-engine.ts";

export interface ComparePorts {
  readonly source: IndexSource;
  readonly engine: SearchEngine;
  readonly clock: Clock;
}

/** The differences that a comparison found and repaired. */
export interface Comparison {
  readonly missing: number;
  readonly outdated: number;
  readonly foreign: number;
  /** Sent again but refused by the engine, and queued in the outbox. */
  readonly refused: number;
  /** The first thousand memories that were sent again, as `id:revision`. */
  readonly sent: readonly string[];
}

const SENT_MAX = 1000;

/**
 * The index has revisions that the database never assigned, as after a restore from a backup. Only a new index helps.
 */
export class IndexAhead extends Error {
  override readonly name = "IndexAhead";
}

const ENTRIES_AT_ONCE = 50_000;
const DOCUMENTS_AT_ONCE = 500;

/**
 * Compares an index with the database, bucket by bucket, and repairs differences. Pending changes in the outbox do not
 * count as differences. `owners`: compares only these owners.
 */
export async function compareIndex(
  ports: ComparePorts,
  index: IndexGeneration,
  { owners = null, signal }: { owners?: readonly string[] | null; signal?: AbortSignal } = {},
): Promise<Comparison> {
  const { engine, source } = ports;
  await engine.refresh(index.name);
  // The index is read first, so that an entry which the database lacks was removed, rather than added in between.
  const there = await engine.sums(index.name, owners);
  const wanted = await source.sums(index.embeddingGeneration, owners);
  let total = NO_DIFFERENCE;
  for (const buckets of grouped(differing(there, wanted))) {
    if (signal?.aborted) break;
    total = together(total, await compareBuckets(ports, index, { buckets, owners }));
  }
  if (total.missing + total.outdated + total.foreign > 0) await engine.refresh(index.name);
  return total;
}

const NO_DIFFERENCE: Comparison = { missing: 0, outdated: 0, foreign: 0, refused: 0, sent: [] };

function together(one: Comparison, other: Comparison): Comparison {
  return {
    missing: one.missing + other.missing,
    outdated: one.outdated + other.outdated,
    foreign: one.foreign + other.foreign,
    refused: one.refused + other.refused,
    sent: [...one.sent, ...other.sent].slice(0, SENT_MAX),
  };
}

const OWNERS_AT_ONCE = 500;

/**
 * Compares the number of memories of each owner in an index and in the database. For one portion of the owners
 * (`portionOf`), also compares ids and revisions. Repairs differences. The cost is that of the owners' counts and of
 * one portion of the memories. `OWNER_PORTIONS` calls with different portions compare everything.
 */
export async function checkIndex(
  ports: ComparePorts,
  index: IndexGeneration,
  { portion, signal }: { portion: number; signal?: AbortSignal },
): Promise<Comparison> {
  const { engine, source } = ports;
  await engine.refresh(index.name);
  const there = await engine.ownerSums(index.name);
  const counts = await source.ownerCounts();
  const sums = await source.ownerSums(portion, index.embeddingGeneration);
  const owners = new Set([...there.keys(), ...counts.keys(), ...sums.keys()]);
  const differing = [...owners].filter((owner) => {
    const held = there.get(owner) ?? NOTHING;
    if (held.count !== (counts.get(owner) ?? 0)) return true;
    if (portionOf(owner) !== portion) return false;
    const wanted = sums.get(owner) ?? NOTHING;
    return held.count !== wanted.count || held.sum !== wanted.sum;
  });
  let total = NO_DIFFERENCE;
  for (let at = 0; at < differing.length && !signal?.aborted; at += OWNERS_AT_ONCE) {
    const owners = differing.slice(at, at + OWNERS_AT_ONCE);
    total = together(total, await compareIndex(ports, index, { owners, ...(signal ? { signal } : {}) }));
  }
  return total;
}

const NOTHING: OwnerSum = { count: 0, sum: 0 };

function differing(there: readonly BucketSum[], wanted: readonly BucketSum[]): BucketSum[] {
  const byBucket = new Map(there.map((sum) => [sum.bucket, sum]));
  for (const sum of wanted) {
    const other = byBucket.get(sum.bucket);
    if (other?.count === sum.count && other.sum === sum.sum) byBucket.delete(sum.bucket);
    else byBucket.set(sum.bucket, { ...sum, count: Math.max(sum.count, other?.count ?? 0) });
  }
  return [...byBucket.values()];
}

/** Groups buckets so that the entries of a group can be read at once and fit in memory. */
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
  { buckets, owners }: { buckets: readonly number[]; owners: readonly string[] | null },
): Promise<Comparison> {
  const there = await ports.engine.entries(index.name, buckets, owners);
  const wanted = new Map(
    (await ports.source.entries(buckets, index.embeddingGeneration, owners)).map((entry) => [
      entry.id,
      entry,
    ]),
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
    // The revision that the removal itself would have had: above the entry's, but not above that of a new owner.
    return {
      kind: "remove",
      id,
      ownerId,
      revision: (Math.floor(revision / REVISION_STEP) + 1) * REVISION_STEP,
    };
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
    // The worker retries them, and eventually sets them aside and reports them.
    if (left.length > 0) await source.queue(left);
    refused += left.length;
  }
  return refused;
}
