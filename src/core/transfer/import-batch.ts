import type { OwnerRef } from "../../contract/transfer.ts";
import type { NewMemory } from "../memory/memory-record.ts";
import { isLive } from "../memory/memory-status.ts";
import { encodeVector } from "../recall/vector-bytes.ts";
import type { Complaint, ImportOptions, ImportPorts, Waiting } from "./import-memories.ts";
import { type ImportTransaction, ownerKey } from "./import-target.ts";
import { differences, fingerprint, type Restored, restore } from "./line.ts";

/** What became of one line. */
export type BatchOutcome =
  | { readonly kind: "created" | "unchanged" }
  | (Complaint & { readonly kind: "conflict" });

/** A line as it would be in this database. */
interface Candidate extends Restored {
  readonly line: number;
}

/** What earlier lines of the file have put there, which the database does not show yet: in a batch, or in a dry run. */
interface Planned {
  /** The fingerprint of each memory, by owner and public id. */
  readonly memories: Map<string, string>;
  /** The public id of the live memory of each fact. */
  readonly facts: Map<string, string>;
}

/** Writes batches one after the other, each in a transaction of its own. */
export function createBatchWriter(ports: ImportPorts, options: Pick<ImportOptions, "from" | "dryRun">) {
  const imported = { from: options.from, at: new Date(ports.clock()).toISOString() };
  // A dry run writes nothing, so it must remember what it would have written: some hundred bytes a line.
  const rehearsed: Planned = { memories: new Map(), facts: new Map() };

  return async (batch: readonly Waiting[]): Promise<BatchOutcome[]> => {
    const vectors = options.dryRun ? [] : await embed(ports, batch);
    return ports.target.transaction(async (transaction) => {
      const planned = options.dryRun ? rehearsed : { memories: new Map(), facts: new Map() };
      const candidates = await locate(ports, transaction, batch, { dryRun: options.dryRun, imported });
      if (!options.dryRun) await transaction.lockOwners(candidates.map(({ memory }) => memory.ownerId));
      const outcomes = await decide(ports, transaction, candidates, planned);
      const created = candidates.flatMap((candidate, index) =>
        outcomes[index]?.kind === "created" ? [{ ...candidate, vector: vectors[index] ?? null }] : [],
      );
      if (!options.dryRun && created.length > 0) await transaction.insert(created, options.from);
      return outcomes;
    });
  };
}

/** Vectors where that takes no waiting; the worker makes the others. */
async function embed({ embedder }: ImportPorts, batch: readonly Waiting[]): Promise<Uint8Array[]> {
  if (!embedder.inProcess) return [];
  return (await embedder.embed(batch.map(({ memory }) => memory.content))).map(encodeVector);
}

async function locate(
  ports: ImportPorts,
  transaction: ImportTransaction,
  batch: readonly Waiting[],
  how: { dryRun: boolean; imported: { from: string; at: string } },
): Promise<Candidate[]> {
  const named = batch.flatMap(({ memory }) =>
    memory.author ? [memory.owner, memory.author] : [memory.owner],
  );
  // In one order everywhere, so that two imports that make the same owners cannot deadlock.
  const owners = [...new Map(named.map((owner) => [ownerKey(owner), owner])).values()].sort((a, b) =>
    ownerKey(a) < ownerKey(b) ? -1 : 1,
  );
  const ids = how.dryRun ? await transaction.findOwners(owners) : await transaction.ensureOwners(owners);
  // In a dry run an owner may not exist yet; its name cannot be mistaken for an id.
  const idOf = (owner: OwnerRef) => ids.get(ownerKey(owner)) ?? ownerKey(owner);
  return batch.map(({ line, memory }) => ({
    line,
    ...restore(ports.hash, memory, {
      id: ports.newId(),
      ownerId: idOf(memory.owner),
      authorId: idOf(memory.author ?? memory.owner),
      scope: memory.owner.kind === "team" ? "team" : "private",
      imported: how.imported,
    }),
  }));
}

async function decide(
  ports: ImportPorts,
  transaction: ImportTransaction,
  candidates: readonly Candidate[],
  planned: Planned,
): Promise<BatchOutcome[]> {
  const now = ports.clock();
  const memories = candidates.map((candidate) => candidate.memory);
  const holders = new Map((await transaction.holders(memories)).map((memory) => [idKey(memory), memory]));
  const stating = memories.filter((memory) => statesFact(memory, now));
  const facts = new Map(
    (await transaction.liveFacts(stating, now)).map((memory) => [factKey(memory), memory.memoryId]),
  );

  return candidates.map(({ line, memory }): BatchOutcome => {
    const conflict = (reason: string) =>
      ({ kind: "conflict", line, memory_id: memory.memoryId, reason }) as const;
    const holder = holders.get(idKey(memory));
    if (holder) {
      const others = differences(holder, memory);
      if (others.length === 0) return { kind: "unchanged" };
      return conflict(`this owner has a memory of that id with another ${others.slice(0, 6).join(", ")}`);
    }
    const print = fingerprint(ports.hash, memory);
    const earlier = planned.memories.get(idKey(memory));
    if (earlier === print) return { kind: "unchanged" };
    if (earlier !== undefined) return conflict("an earlier line has the same id with other members");
    if (statesFact(memory, now)) {
      const other = facts.get(factKey(memory)) ?? planned.facts.get(factKey(memory));
      if (other !== undefined)
        return conflict(`the live memory ${other} states the same fact (semantic_key)`);
      planned.facts.set(factKey(memory), memory.memoryId);
    }
    planned.memories.set(idKey(memory), print);
    return { kind: "created" };
  });
}

function statesFact(memory: NewMemory, now: number): boolean {
  return memory.semanticKey !== null && isLive(memory, now);
}

function idKey(memory: Pick<NewMemory, "ownerId" | "memoryId">): string {
  return `${memory.ownerId} ${memory.memoryId}`;
}

function factKey({ ownerId, semanticKey, projectId, bucket, scope }: NewMemory): string {
  return JSON.stringify([ownerId, semanticKey, projectId, bucket, scope]);
}
