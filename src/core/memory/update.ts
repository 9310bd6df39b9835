import type { InputOf } from "../../contract/operations.ts";
import { inNfc } from "../../recall/language/characters.ts";
import { type Caller, holds } from "../caller.ts";
import type { Clock } from "../environment.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { isSameJson } from "../input/json.ts";
import { checkExpense } from "../ledger/expense.ts";
import type { Ports } from "../ports.ts";
import { checkRecurrence } from "../reminder/recurrence.ts";
import type { UseCase } from "../use-case.ts";
import {
  requireBucket,
  requireChangeable,
  requireInSpace,
  requireMember,
  requireOrdinary,
} from "./access.ts";
import { conflictsWith } from "./conflict.ts";
import { factLocks, lockKeys, rehashed } from "./identity.ts";
import {
  type MemoryChange,
  type MemoryRecord,
  type NameOf,
  nextVersion,
  type SeenMemory,
} from "./memory-record.ts";
import type { LockKey, MemoryPorts, MemoryTransaction } from "./memory-store.ts";
import { mergedMetadata, mergedProvenance } from "./merge.ts";
import { withChanger } from "./others-word.ts";
import { type Owned, ownership, teamOf } from "./place.ts";
import { etagOf, present } from "./present.ts";
import { remarksOn, type Screened, screen } from "./screen.ts";
import {
  asItStands,
  isLive,
  requireChainless,
  requireLiveTarget,
  revivedAs,
  statusAt,
  succeededBy,
  successorLock,
} from "./supersession.ts";
import { type ChosenVector, chooseVector } from "./vector.ts";
import { findLocked, requireMatch, requireRoom } from "./write-rules.ts";

type UpdateInput = InputOf<"updateMemory">;

/**
 * The members that an update may set. A member that the update would ignore does not compile. `scope` is handled by the
 * move.
 */
type Updatable = Exclude<
  { [Name in keyof MemoryRecord]: NameOf<Name> extends keyof UpdateInput ? Name : never }[keyof MemoryRecord],
  "memoryId" | "scope" | "supersededBy" | "provenance"
>;

/** A memory, and its new owner if it moves. */
interface Going {
  readonly memory: MemoryRecord;
  readonly to: Owned | null;
}

interface Plan {
  readonly to: Owned | null;
  readonly change: MemoryChange;
  /** undefined: the embedding stays as it is. */
  readonly vector: ChosenVector | undefined;
}

type UpdatePorts = Pick<MemoryPorts, "store" | "embedder" | "clock" | "hash" | "secrets"> &
  Pick<Ports, "pace">;

/**
 * Changes the given members, and moves the memory if the scope differs. Returns the memory with its conflicts, or only
 * its id and status if the caller lacks `memory:read`. Writes nothing if nothing changes. `not_found`,
 * `role_forbidden`, `precondition_failed` for a stale `If-Match`, `conflict` for a redacted memory or if another memory
 * prevents the move.
 */
export const updateMemory: UseCase<UpdatePorts, "updateMemory"> = async (ports, caller, asked) => {
  const screened = screen(ports.secrets, asked);
  const { input } = screened;
  if (input.bucket) requireBucket(caller, input.bucket);
  const done = await ports.store.transaction(caller, async (transaction) => {
    const named = { memoryId: input.memory_id, ...(await meantTeam(transaction, input)) };
    const seen = await findLocked(caller, transaction, named, (found) =>
      locksOf(caller, transaction, found, input),
    );
    if (!seen) throw notFound();
    const before = asItStands(seen.memory, ports.clock());
    const to = destinationOf(caller, before, input);
    const { change, notices } = await changeFor(ports, caller, transaction, { memory: before, to }, input);
    const vector = await vectorFor(ports, before, screened);
    const isVectorKept = vector === undefined || (await hasVector(transaction, before, change, vector));
    const isSame = to === null && Object.keys(change).length === 0 && isVectorKept;
    const plan = { to, change, vector: isVectorKept ? undefined : vector };
    if (to) await requireChainless(transaction, seen.memory, change);
    const memory = isSame ? before : await apply(ports, caller, transaction, before, plan, input);
    const now = ports.clock();
    const reasons = [...screened.notices, ...notices, ...(vector?.reason ? [vector.reason] : [])];
    const remarks = remarksOn(screened, reasons);
    if (!holds(caller, "memory:read")) return { memory, shown: null, compared: [], now, remarks };
    const compared = input.detect_conflicts ? await transaction.conflictCandidates(memory) : [];
    return { memory, shown: await transaction.shown(memory), compared, now, remarks };
  });
  const { memory, shown, compared, now, remarks } = done;
  if (shown === null) return { id: memory.memoryId, status: statusAt(memory, now), ...remarks };
  const conflicts = await conflictsWith(memory, compared, ports.pace);
  return { ...present(caller, shown, now), conflicts, etag: etagOf(memory), ...remarks };
};

/**
 * A change that names a team refers to the memory of that team, if there is one; so does a retry of it. If it also
 * names a scope, it may be a move: then the caller's own memory with that id takes precedence, and the move fails
 * because the id is taken.
 */
async function meantTeam(transaction: MemoryTransaction, { memory_id, scope, team_id }: UpdateInput) {
  if (!team_id) return {};
  if (scope && (await transaction.find(memory_id))?.memory.scope === "private") return {};
  const ofTeam = { teamId: team_id };
  return (await transaction.find(memory_id, ofTeam)) ? ofTeam : {};
}

/** Throws if the change is not allowed; otherwise returns the locks that it needs. */
async function locksOf(
  caller: Caller,
  transaction: MemoryTransaction,
  seen: SeenMemory,
  input: UpdateInput,
): Promise<LockKey[]> {
  const { memory } = seen;
  if (memory.status === "soft_deleted") throw notFound();
  const to = destinationOf(caller, memory, input);
  if (to) await requireMember(transaction, to.ownerId);
  requireChangeable(caller, seen);
  if (to) requireMover(caller, seen);
  requireOrdinary(memory);
  requireMatch(input.if_match, memory);
  if (memory.status === "redacted")
    throw new DomainError("conflict", "A redacted memory cannot be changed. Store a new one.");
  const { ownerId } = to ?? memory;
  const keys = [memory.semanticKey, inNfc(input.semantic_key) ?? null];
  const facts = factLocks(keys.map((semanticKey) => ({ ownerId, semanticKey })));
  const move = to ? [...lockKeys(memory), ...lockKeys({ ...memory, ...to })] : [];
  return [...move, ...facts, ...successorLock(ownerId, input.superseded_by)];
}

async function changeFor(
  ports: UpdatePorts,
  caller: Caller,
  transaction: MemoryTransaction,
  { memory, to }: Going,
  input: UpdateInput,
): Promise<{ change: MemoryChange; notices: readonly string[] }> {
  const { metadata, occurredAt, dueAt, notices } = mergedMetadata(
    caller,
    memory,
    input,
    input.content !== undefined && input.content !== memory.content,
  );
  if (input.metadata !== undefined || input.memory_type !== undefined)
    checkRecurrence(input.memory_type ?? memory.memoryType, metadata);
  const provenance = mergedProvenance(memory, input);
  const wanted = {
    content: input.content ?? memory.content,
    path: input.path ?? memory.path,
    bucket: input.bucket ?? memory.bucket,
    memoryType: input.memory_type ?? memory.memoryType,
    status: input.status ?? memory.status,
    importance: input.importance ?? memory.importance,
    confidence: input.confidence ?? memory.confidence,
    source: given(input.source, memory.source),
    logicPath: given(input.logic_path, memory.logicPath),
    semanticKey: given(inNfc(input.semantic_key), memory.semanticKey),
    expiresAt: given(
      input.expires_at ? Date.parse(input.expires_at) : (input.expires_at as null | undefined),
      memory.expiresAt,
    ),
    metadata,
    occurredAt,
    dueAt,
    ...provenance,
    ...(await succession(ports, caller, transaction, { memory, to }, input)),
  } satisfies MemoryChange & Record<Updatable, unknown>;
  const change = withChanger(caller, memory, differences(memory, wanted));
  if (change.metadata || change.bucket || change.memoryType) checkExpense(wanted, metadata);
  requireInSpace(caller, { ...memory, ...change });
  return { change, notices };
}

/** The new value: undefined keeps the former one, null clears it. */
function given<T>(value: T | null | undefined, before: T | null): T | null {
  return value === undefined ? before : value;
}

async function succession(
  ports: UpdatePorts,
  caller: Caller,
  transaction: MemoryTransaction,
  { memory, to }: Going,
  input: UpdateInput,
): Promise<MemoryChange> {
  if (input.superseded_by) {
    if (await isShownSuccessor(transaction, memory, input.superseded_by)) return { status: memory.status };
    const context = { ports, caller, transaction };
    const target = await requireLiveTarget(context, { ...memory, ...to }, input.superseded_by);
    return succeededBy(target.memoryId, ports.clock());
  }
  const isRevived =
    memory.status === "superseded" && (input.superseded_by === null || input.status !== undefined);
  return isRevived ? revivedAs(input.status ?? "active") : {};
}

/** True if, as far as the caller may see, that memory already supersedes this one. */
async function isShownSuccessor(
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  supersededBy: string,
): Promise<boolean> {
  if (memory.status !== "superseded") return false;
  return (await transaction.shown(memory)).supersededBy === supersededBy;
}

/** The wanted members that differ. The order of members in metadata and provenance does not matter. */
function differences(memory: MemoryRecord, wanted: MemoryChange): MemoryChange {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => !isSameJson(value, memory[name as keyof MemoryRecord]),
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

async function hasVector(
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  change: MemoryChange,
  vector: ChosenVector,
): Promise<boolean> {
  if (change.content !== undefined || vector.vectors === null) return false;
  return transaction.hasVector(memory, vector);
}

/** Writes the change and keeps the former state as a version. */
async function apply(
  ports: UpdatePorts,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  { to, change, vector }: Plan,
  input: UpdateInput,
): Promise<MemoryRecord> {
  const growth = [{ ...memory, ...change }];
  // On a move, the former text stays with the former owner, as a version.
  const { ownerId } = to ?? memory;
  await requireRoom(caller, transaction, { ownerId, memories: to ? 1 : 0, growth });
  const revised = { ...change, ...to, version: nextVersion(memory.version), updatedAt: ports.clock() };
  if (to) await requireRoomFor(ports, transaction, { ...memory, ...revised });
  const hashed = rehashed(ports.hash, memory, revised);
  const how = {
    operation: to ? "move" : "update",
    keepVersion: true,
    reason: input.supersession_reason ?? null,
    vector,
  };
  return to
    ? transaction.relocate(memory, { ...hashed, ...to }, how)
    : transaction.change(memory, hashed, how);
}

/** Members of a change that move a memory. */
interface AskedPlace {
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
}

/**
 * The new owner of a memory whose change names a scope; null if it stays. A team without a scope moves nothing: it only
 * selects the memory. `validation_failed`; `not_found` for a team outside the credential's reach.
 */
function destinationOf(caller: Caller, memory: MemoryRecord, asked: AskedPlace): Owned | null {
  const isOfTeam = !asked.team_id || asked.team_id === teamOf(memory);
  if (!asked.scope) {
    if (isOfTeam) return null;
    throw invalid(
      ["team_id"],
      "The memory does not belong to that team. To move it there, send scope team as well.",
    );
  }
  if (asked.scope === memory.scope && isOfTeam) return null;
  const to = ownership(caller, asked.scope, asked.team_id ?? null);
  return to.ownerId === memory.ownerId ? null : to;
}

/** Rejects with `role_forbidden` if a mere member would move another member's memory out of the team. */
function requireMover(caller: Caller, { memory, role }: SeenMemory): void {
  if (role !== "member" || memory.authorId === caller.owner.id) return;
  throw new DomainError(
    "role_forbidden",
    "Only its author and the team's owners and admins may move a memory out of the team.",
  );
}

/**
 * Rejects with `conflict` if the new owner already has a memory with the same id, or a live one with the same key. The
 * message does not describe those memories, since the caller may not see them. `moved` is the memory after the move.
 */
async function requireRoomFor(
  ports: { readonly clock: Clock },
  transaction: MemoryTransaction,
  moved: MemoryRecord,
): Promise<void> {
  const now = ports.clock();
  const { idHolder, sameKey } = await transaction.existing({ ...moved, updatedAt: now }, { dedupe: false });
  if (idHolder)
    throw new DomainError("conflict", "The owner it would move to already has a memory with this id.");
  if (sameKey.length > 0 && isLive(moved, now))
    throw new DomainError(
      "conflict",
      "The owner it would move to already has a live memory with this semantic_key.",
    );
}
