import type { z } from "zod";
import type { updateRequest } from "../../contract/memory.ts";
import { lockForWrite, requireRoom } from "../agent/quarantine.ts";
import { type Caller, holds } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { checkRecurrence } from "../reminder/recurrence.ts";
import { remarksOn, type Screened, screen } from "../secrets/screen.ts";
import { requireBucket, requireChangeable, requireInSpace, requireOrdinary } from "./access.ts";
import { conflictsWith } from "./conflicts.ts";
import { factLock, rehashed } from "./identity.ts";
import type { MemoryChange, MemoryRecord, SeenMemory } from "./memory-record.ts";
import { nextVersion, statusAt } from "./memory-status.ts";
import type { MemoryTransaction } from "./memory-store.ts";
import { mergedMetadata, mergedProvenance } from "./merge.ts";
import { requireMatch } from "./precondition.ts";
import { etagOf, present } from "./present.ts";
import { requireLiveTarget, successorLock } from "./supersession.ts";
import { type ChosenVector, chooseVector } from "./vector.ts";

type UpdateInput = z.infer<typeof updateRequest> & {
  memory_id: string;
  if_match?: string | null | undefined;
};
type UpdatePorts = Pick<Ports, "store" | "embedder" | "clock" | "hash" | "secrets">;

/**
 * Changes the members that are given and answers the memory with its conflicts, or only its id and status to a caller
 * without `memory:read`. Nothing is written where nothing changes.
 * `not_found`, `role_forbidden`, `precondition_failed` for a stale `If-Match`, `conflict` for a redacted memory.
 */
export async function updateMemory(ports: UpdatePorts, caller: Caller, asked: UpdateInput) {
  const screened = screen(ports.secrets, asked);
  const { input } = screened;
  if (input.bucket) requireBucket(caller, input.bucket);
  return ports.store.transaction(caller, async (transaction) => {
    const seen = await findLocked(caller, transaction, input);
    requirePossible(caller, seen, input);
    const { change, notices } = await changeFor(ports, caller, transaction, seen.memory, input);
    const vector = await vectorFor(ports, seen.memory, screened);
    const isSame = Object.keys(change).length === 0 && vector === undefined;
    // The former state is kept as a version.
    if (!isSame)
      await requireRoom(caller, transaction, { memories: 0, growth: [{ ...seen.memory, ...change }] });
    const memory = isSame ? seen.memory : await apply(ports, transaction, seen.memory, change, vector, input);
    const now = ports.clock();
    const reasons = [...screened.notices, ...notices, ...(vector?.reason ? [vector.reason] : [])];
    const remarks = remarksOn(screened, reasons);
    if (!holds(caller, "memory:read"))
      return { id: memory.memoryId, status: statusAt(memory, now), ...remarks };
    const conflicts = input.detect_conflicts ? await conflictsWith(transaction, memory) : [];
    const shown = await transaction.shown(memory);
    return { ...present(caller, shown, now), conflicts, etag: etagOf(memory), ...remarks };
  });
}

/** Advisory locks come before row locks everywhere: so the memory is looked at first, and locked after them. */
async function findLocked(
  caller: Caller,
  transaction: MemoryTransaction,
  input: UpdateInput,
): Promise<SeenMemory> {
  const ofTeam = { teamId: input.team_id ?? null };
  const inTeam = input.team_id ? await transaction.find(input.memory_id, ofTeam) : null;
  const which = inTeam ? ofTeam : {};
  const found = inTeam ?? (await transaction.find(input.memory_id));
  if (!found || found.memory.status === "soft_deleted") throw notFound();
  const { ownerId } = found.memory;
  const fact = input.semantic_key ? [factLock(ownerId, input.semantic_key.normalize("NFC"))] : [];
  await lockForWrite(caller, transaction, [...fact, ...successorLock(ownerId, input.superseded_by)]);
  const seen = await transaction.findForChange(input.memory_id, which);
  if (!seen || seen.memory.status === "soft_deleted") throw notFound();
  return seen;
}

function requirePossible(caller: Caller, seen: SeenMemory, input: UpdateInput): void {
  requireChangeable(caller, seen);
  const { memory } = seen;
  requireOrdinary(memory);
  requireMatch(input.if_match, memory);
  if (memory.status === "redacted") throw new DomainError("conflict", "A redacted memory cannot be changed.");
  const teamId = memory.scope === "team" ? memory.ownerId : null;
  if (input.scope && input.scope !== memory.scope) {
    throw invalid(
      ["body", "scope"],
      "A memory cannot change its owner: store it anew where it belongs, then delete this one.",
    );
  }
  if (input.team_id && input.team_id !== teamId) {
    throw invalid(
      ["body", "team_id"],
      "A memory cannot change its owner: store it anew where it belongs, then delete this one.",
    );
  }
}

async function changeFor(
  ports: UpdatePorts,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  input: UpdateInput,
): Promise<{ change: MemoryChange; notices: readonly string[] }> {
  const { metadata, occurredAt, dueAt, notices } = mergedMetadata(memory, input);
  if (input.metadata !== undefined || input.memory_type !== undefined)
    checkRecurrence(input.memory_type ?? memory.memoryType, metadata);
  const provenance = mergedProvenance(memory, input);
  const wanted: MemoryChange = {
    content: input.content ?? memory.content,
    path: input.path ?? memory.path,
    bucket: input.bucket ?? memory.bucket,
    memoryType: input.memory_type ?? memory.memoryType,
    status: input.status ?? memory.status,
    importance: input.importance ?? memory.importance,
    confidence: input.confidence ?? memory.confidence,
    source: given(input.source, memory.source),
    logicPath: given(input.logic_path, memory.logicPath),
    semanticKey: given(input.semantic_key?.normalize("NFC") ?? input.semantic_key, memory.semanticKey),
    expiresAt: given(
      input.expires_at ? Date.parse(input.expires_at) : (input.expires_at as null | undefined),
      memory.expiresAt,
    ),
    metadata,
    occurredAt,
    dueAt,
    ...provenance,
    ...(await succession(ports, caller, transaction, memory, input)),
  };
  const change = differences(memory, wanted);
  requireInSpace(caller, { ...memory, ...change });
  return { change, notices };
}

/** undefined leaves the member, null clears it. */
function given<T>(value: T | null | undefined, before: T | null): T | null {
  return value === undefined ? before : value;
}

async function succession(
  ports: UpdatePorts,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  input: UpdateInput,
): Promise<MemoryChange> {
  if (input.superseded_by) {
    const target = await requireLiveTarget({ ports, caller, transaction }, memory, input.superseded_by);
    return { status: "superseded", supersededBy: target.memoryId, supersededAt: ports.clock() };
  }
  const isRevived =
    memory.status === "superseded" && (input.superseded_by === null || input.status !== undefined);
  return isRevived ? { status: input.status ?? "active", supersededBy: null, supersededAt: null } : {};
}

function differences(memory: MemoryRecord, wanted: MemoryChange): MemoryChange {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(memory[name as keyof MemoryRecord]),
  );
  return Object.fromEntries(changed) as MemoryChange;
}

/** undefined: the embedding stays as it is. */
async function vectorFor(
  ports: UpdatePorts,
  memory: MemoryRecord,
  { input, isContentMasked }: Screened<UpdateInput>,
): Promise<ChosenVector | undefined> {
  const content = input.content ?? memory.content;
  const isNeeded = content !== memory.content || input.embedding !== undefined;
  return isNeeded ? chooseVector(ports.embedder, input, { content, isContentMasked }) : undefined;
}

async function apply(
  ports: UpdatePorts,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  change: MemoryChange,
  vector: ChosenVector | undefined,
  input: UpdateInput,
): Promise<MemoryRecord> {
  const revised = { ...change, version: nextVersion(memory.version), updatedAt: ports.clock() };
  return transaction.change(memory, rehashed(ports.hash, memory, revised), {
    operation: "update",
    keepVersion: true,
    reason: input.supersession_reason ?? null,
    vector: vector?.bytes,
  });
}
