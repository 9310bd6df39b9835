import { own, shownId } from "../../contract/own-words.ts";
import type { LineOf, OwnerRef } from "../../contract/transfer.ts";
import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import { embedPassages } from "../embedding/embedder.ts";
import type { Hash } from "../environment.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import { factKey, isLive } from "../memory/supersession.ts";
import { ownerKey } from "./export-source.ts";
import {
  type BatchOutcome,
  type ImportPorts,
  idKey,
  lockedOwners,
  ownerIds,
  type Planned,
  type PlannedMemory,
  plannedBefore,
  type Waiting,
  type Writing,
} from "./import-batch.ts";
import type { ImportTransaction } from "./import-target.ts";
import { differences, fingerprint, type Restored, versionsFrom, withOwners } from "./lines.ts";

/** A line as it would be stored in this database. */
interface Candidate extends Restored {
  readonly line: number;
  readonly isUndated: boolean;
}

/** Restores memories with everything that belongs to them. */
export async function writeMemories(writing: Writing<"memory">): Promise<BatchOutcome[]> {
  const { ports, options, session, vectors } = writing;
  const isForeign = options.from !== "recollect";
  const now = ports.clock();
  return ports.target.transaction(async (transaction) => {
    const planned = plannedBefore(writing);
    const located = await locate(writing, transaction);
    const { candidates } = located;
    const outcomes = await decide(writing, transaction, located, { planned, now, isForeign });
    const created = candidates.flatMap((candidate, index) =>
      outcomes[index]?.kind === "created" ? [{ ...candidate, vectors: vectors[index] ?? null }] : [],
    );
    if (!options.dryRun && created.length > 0) await transaction.insert(created, options.from);
    for (const [index, { memory }] of candidates.entries()) {
      if (outcomes[index]?.kind === "conflict") session.refused.add(idKey(memory));
      else if (statesFact(memory, now)) session.facts.add(shortKey(ports, memory));
    }
    return outcomes;
  });
}

/** The vectors of the memories if the embedder runs in this process; otherwise the worker makes them later. */
export async function embed(
  { embedder }: ImportPorts,
  batch: readonly Waiting<"memory">[],
): Promise<StoredVectors[]> {
  if (!embedder.inProcess) return [];
  const contents = batch.map(({ value }) => value.content);
  return (await embedPassages(embedder, contents)).map(encodeVectors);
}

/** The candidates of a batch, and the existing memories with their ids. */
interface Located {
  readonly candidates: readonly Candidate[];
  readonly held: readonly MemoryRecord[];
}

/** Finds or creates the owners, locks them, and then reads the memories that have the same ids. */
async function locate(writing: Writing<"memory">, transaction: ImportTransaction): Promise<Located> {
  const { batch, session } = writing;
  const named = batch.flatMap(({ owner, value }) => [owner, value.author ?? owner, ...formerOwners(value)]);
  const keys = [...new Set(named.map(ownerKey))];
  // Pipelines the queries, using the owner ids from the previous batch. Those are still valid unless an owner has just
  // been erased.
  const presumed = keys.every((key) => session.owners.has(key)) ? candidatesOf(writing) : null;
  const [idOf, held] = await Promise.all([
    ownerIds(writing, transaction, named),
    presumed && lockedHolders(writing, transaction, presumed),
  ]);
  const ids = new Map(named.map((owner) => [ownerKey(owner), idOf(owner)]));
  if (presumed && held && keys.every((key) => session.owners.get(key) === ids.get(key)))
    return { candidates: presumed, held };
  for (const [key, id] of ids) session.owners.set(key, id);
  const candidates = candidatesOf(writing);
  return { candidates, held: await lockedHolders(writing, transaction, candidates) };
}

function candidatesOf({ batch, session }: Writing<"memory">): Candidate[] {
  const idOfKey = (key: string) => session.owners.get(key) ?? key;
  return batch.map(({ line, isUndated, restored }) =>
    Object.assign(withOwners(restored, idOfKey), { line, isUndated }),
  );
}

async function lockedHolders(
  { options }: Writing<"memory">,
  transaction: ImportTransaction,
  candidates: readonly Candidate[],
): Promise<MemoryRecord[]> {
  const memories = candidates.map(({ memory }) => memory);
  // Pipelined: the second query still runs after the locks are taken.
  const [, held] = await Promise.all([
    options.dryRun ? null : transaction.lockOwners(memories.map(({ ownerId }) => ownerId)),
    transaction.holders(memories),
  ]);
  return held;
}

async function decide(
  { ports, options, session }: Writing<"memory">,
  transaction: ImportTransaction,
  { candidates, held }: Located,
  { planned, now, isForeign }: { planned: Planned; now: number; isForeign: boolean },
): Promise<BatchOutcome[]> {
  const memories = candidates.map((candidate) => candidate.memory);
  const holders = new Map(held.map((memory) => [idKey(memory), memory]));
  const differing = candidates.map(({ memory, isUndated }) => {
    const holder = holders.get(idKey(memory));
    if (!holder) return null;
    const { createdAt, updatedAt } = holder;
    return differences(holder, isUndated ? { ...memory, createdAt, updatedAt } : memory);
  });
  const ofFile = new Set(
    memories.flatMap((memory, index) => (differing[index]?.length === 0 ? [idKey(memory)] : [])),
  );
  const stated = memories.filter((memory) => statesFact(memory, now));
  const stating = [...new Map(stated.map((memory) => [factKey(memory), memory])).values()];
  // Facts from this file do not contradict it, whether this run or an interrupted one wrote them.
  const strangers = (await transaction.liveFacts(stating, now)).filter(
    (memory) => !ofFile.has(idKey(memory)) && !session.facts.has(shortKey(ports, memory)),
  );
  const facts = new Map(strangers.map((memory) => [factKey(memory), memory.memoryId]));

  return candidates.map(({ line, memory, revision, versions }, index): BatchOutcome => {
    const conflict = (reason: string) =>
      ({ kind: "conflict", line, memory_id: memory.memoryId, reason }) as const;
    const others = differing[index];
    if (others?.length === 0) return { kind: "unchanged" };
    if (others)
      return conflict(`this owner has a memory of that id with another ${others.slice(0, 6).join(", ")}`);
    const earlier = planned.memories.get(idKey(memory));
    if (earlier?.isSaidBy(memory)) return { kind: "unchanged" };
    if (earlier !== undefined) return conflict("an earlier line has the same id with other members");
    if (statesFact(memory, now)) {
      const other = facts.get(factKey(memory)) ?? planned.facts.get(factKey(memory));
      if (other !== undefined)
        return conflict(
          own`the live memory ${shownId(other)} states the same fact (semantic_key); keep that one and leave out this line, or forget it and import again`,
        );
      // In a foreign file, two lines with the same key conflict, since another system does not know the meaning of a
      // key.
      if (isForeign) planned.facts.set(factKey(memory), memory.memoryId);
    }
    planned.memories.set(idKey(memory), options.dryRun ? inShort(ports.hash, memory) : inFull(memory));
    const kept = new Set(versions.map((version) => version.revision));
    planned.histories.set(idKey(memory), { revision, kept });
    const { id, ownerId, memoryId, projectId, workspaceItem: item } = memory;
    if (item !== null) planned.items.set(idKey(memory), { id, ownerId, memoryId, projectId, item });
    return { kind: "created" };
  });
}

/** A memory of this batch, kept in full. It is only compared if another line has the same id. */
function inFull(memory: NewMemory): PlannedMemory {
  return { isSaidBy: (other) => differences(memory, other).length === 0 };
}

/** The same in few bytes, since a dry run keeps one for each line of the file. */
function inShort(hash: Hash, memory: NewMemory): PlannedMemory {
  const print = fingerprint(hash, memory);
  return { isSaidBy: (other) => fingerprint(hash, other) === print };
}

/** The owners of earlier states, if different. */
function formerOwners({ versions }: LineOf<"memory" | "versions">): OwnerRef[] {
  return versions.flatMap(({ owner }) => owner ?? []);
}

/** Restores versions that did not fit into their memory's line. That line comes earlier in the file. */
export async function writeVersions(writing: Writing<"versions">): Promise<BatchOutcome[]> {
  const { ports, options, session, batch } = writing;
  return ports.target.transaction(async (transaction) => {
    const former = batch.flatMap(({ value }) => formerOwners(value));
    const idOf = await lockedOwners(writing, transaction, former);
    const asked = batch.map(({ owner, value }) => ({ ownerId: idOf(owner), memoryId: value.memory_id }));
    const memories = new Map((await transaction.holders(asked)).map((memory) => [idKey(memory), memory]));
    const kept = await transaction.revisionsOf([...memories.values()]);
    const { histories } = plannedBefore(writing);
    for (const [key, { id, revision }] of memories)
      if (!histories.has(key)) histories.set(key, { revision, kept: new Set(kept.get(id)) });
    const outcomes: BatchOutcome[] = [];
    for (const [index, { line, value }] of batch.entries()) {
      const conflict = (reason: string) =>
        outcomes.push({ kind: "conflict", line, memory_id: value.memory_id, reason });
      const key = idKey(asked[index] as (typeof asked)[number]);
      const history = session.refused.has(key) ? undefined : histories.get(key);
      const missing = value.versions.filter(({ revision }) => !history?.kept.has(revision));
      if (!history) conflict("its memory was not imported");
      else if (missing.some(({ revision }) => revision >= history.revision))
        conflict("a version is not older than its memory");
      else if (missing.length === 0) outcomes.push({ kind: "unchanged" });
      else {
        for (const { revision } of missing) history.kept.add(revision);
        const memory = memories.get(key);
        if (memory && !options.dryRun)
          await transaction.insertVersions(memory, versionsFrom(ports.hash, memory, missing, idOf));
        outcomes.push({ kind: "created" });
      }
    }
    return outcomes;
  });
}

/** True if the memory states a fact now, or will do so again when the memory that superseded it expires. */
function statesFact(memory: NewMemory, now: number): boolean {
  if (memory.semanticKey === null) return false;
  return isLive(memory, now) || isLive(memory, Math.max(now, memory.supersededUntil ?? now));
}

/** A short key of a memory: a file may hold millions of facts. */
function shortKey({ hash }: Pick<ImportPorts, "hash">, memory: Pick<NewMemory, "ownerId" | "memoryId">) {
  return hash(idKey(memory)).slice(0, 16);
}
