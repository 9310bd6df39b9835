import type { ForgetAnswer, ForgetMode } from "../../contract/lifecycle.ts";
import { jsonObject } from "../../contract/primitives.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { isSameJson } from "../input/json.ts";
import { isBelow, requireChangeable, requireInSpace } from "../memory/access.ts";
import { forgetLocked, remarksOnRemoval, requireMode, requireRemover } from "../memory/forget.ts";
import {
  type MemoryChange,
  type MemoryRecord,
  type NewMemory,
  nextVersion,
  type SeenMemory,
  type WorkspaceItem,
} from "../memory/memory-record.ts";
import type { LockKey } from "../memory/memory-store.ts";
import { mergedMetadata } from "../memory/merge.ts";
import { compose } from "../memory/remember.ts";
import { restoreLocked } from "../memory/restore.ts";
import { screen } from "../memory/screen.ts";
import { embedNow } from "../memory/vector.ts";
import { findLocked, requireMatch, requireRoom } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import { actorOf } from "./actor.ts";
import type { Recalled } from "./recalled.ts";
import type { OwnedRow, WorkspaceEvent, WorkspaceTransaction } from "./workspace-store.ts";

/**
 * How the shared operations handle todos or decisions. An item consists of a memory, which recall finds, and a state.
 * Both change in one transaction, with a line in the item's audit trail.
 */
export interface ItemKind<
  State extends { readonly status: string },
  Stored extends { readonly state: State },
  Shown,
> {
  readonly item: WorkspaceItem;
  read(workspace: WorkspaceTransaction, row: OwnedRow): Promise<Stored>;
  save(workspace: WorkspaceTransaction, row: OwnedRow, state: State): Promise<void>;
  /** The members of the item's memory that are derived from the state. */
  recalled(state: State): Recalled;
  present(caller: Caller, stored: Stored): Shown;
  /** Called after a restore, to adjust what changed while the item was deleted. */
  broughtBack?(workspace: WorkspaceTransaction, row: OwnedRow, state: State): Promise<void>;
}

export type ItemPorts = Pick<Ports, "store" | "clock" | "newId" | "hash" | "embedder" | "secrets">;

/** The members of a create request that determine the item's place. */
interface Placing {
  readonly project_id: string;
  readonly path?: string | undefined;
  readonly bucket: string;
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
}

/** A placed and attributed memory that still lacks its content. */
interface Placed {
  readonly extra: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];
  /** Completes the memory. It is never treated as a duplicate of another, nor as created by a retry. */
  readonly withWords: (recalled: Recalled) => NewMemory;
}

/**
 * Places a todo or decision as `compose` places a memory, with the same ownership, token space, attribution and errors:
 * `validation_failed`, `insufficient_scope` and `not_found`.
 */
export function placeItem(
  ports: Pick<Ports, "clock" | "newId" | "hash">,
  caller: Caller,
  item: WorkspaceItem,
  asked: Placing,
): Placed {
  const { memory, notices } = compose(ports, caller, {
    content: "",
    path: asked.path ?? defaultPath(caller, asked.project_id, item),
    bucket: asked.bucket,
    scope: asked.scope,
    team_id: asked.team_id,
    metadata: asked.metadata,
    provenance: { project_id: asked.project_id },
    memory_type: item,
    importance: 0.5,
    confidence: 1,
  });
  const { metadata: extra, ...placed } = memory;
  return {
    extra,
    notices,
    withWords: (recalled) => ({
      ...placed,
      ...recalled,
      workspaceItem: item,
      createHash: null,
      dedupeHash: null,
    }),
  };
}

/** The project's default path for the item, within the credential's path prefix. */
function defaultPath({ space }: Caller, project: string, item: WorkspaceItem): string {
  const path = `projects/${project}/${item}s`;
  const { pathPrefix } = space;
  return pathPrefix === null || isBelow(path, pathPrefix) ? path : `${pathPrefix}/${path}`;
}

/**
 * Stores a new item: its memory with an embedding, its state (`insertState`), and the first line of its audit trail.
 * Returns its row.
 */
export async function insertItem(
  ports: Pick<Ports, "embedder">,
  caller: Caller,
  transaction: RecordTransaction,
  memory: NewMemory,
  {
    insertState,
    ...line
  }: { insertState: (row: OwnedRow) => Promise<void> } & Pick<WorkspaceEvent, "to" | "note">,
): Promise<OwnedRow> {
  await requireRoom(caller, transaction, { ownerId: memory.ownerId, memories: 1, growth: [memory] });
  const inserted = await transaction.insert(memory, await embedNow(ports.embedder, memory.content));
  await insertState(inserted);
  const actor = actorOf(caller);
  const at = inserted.createdAt;
  await transaction.workspace.record(inserted, { at, operation: "create", from: null, actor, ...line });
  return inserted;
}

/** The members by which an operation names a todo or decision. */
interface NamedItem {
  readonly projectId: string;
  readonly id: string;
}

/**
 * The row of a todo or decision of any status, locked, so that the second of two concurrent operations sees the result
 * of the first. `locksOf` throws if the operation is not allowed, before any lock is taken, and names the locks to take
 * before the row's. `not_found` also for an item of another project.
 */
async function lockAnyItem(
  caller: Caller,
  transaction: RecordTransaction,
  item: WorkspaceItem,
  { projectId, id }: NamedItem,
  locksOf: (seen: SeenMemory) => readonly LockKey[],
): Promise<SeenMemory> {
  const named = { memoryId: id, item: { kind: item, projectId } };
  const seen = await findLocked(caller, transaction, named, locksOf);
  if (!seen) throw notFound(item);
  return seen;
}

/**
 * The row of a todo or decision to be changed, locked after the locks that `locksOf` names. `not_found` also for a
 * deleted item; `role_forbidden`, `precondition_failed`; `conflict` for a redacted item.
 */
export async function lockItem(
  caller: Caller,
  transaction: RecordTransaction,
  item: WorkspaceItem,
  { ifMatch, ...named }: NamedItem & { ifMatch: string | null | undefined },
  locksOf: (memory: MemoryRecord) => readonly LockKey[] = () => [],
): Promise<MemoryRecord> {
  const { memory } = await lockAnyItem(caller, transaction, item, named, (seen) => {
    if (seen.memory.status === "soft_deleted") throw notFound(item);
    requireChangeable(caller, seen);
    requireMatch(ifMatch, seen.memory);
    if (seen.memory.status === "redacted")
      throw new DomainError("conflict", `A redacted ${item} cannot be changed.`);
    return locksOf(seen.memory);
  });
  return memory;
}

/** A change to a locked item. */
interface Step<State, Stored> {
  readonly memory: MemoryRecord;
  readonly before: Stored;
  readonly state: State;
  readonly at: number;
  /** The operation's name in the audit trail. */
  readonly operation: string;
  readonly note: string | null;
  /** Further changes of the memory, besides those derived from the state. */
  readonly besides?: MemoryChange;
}

/**
 * Applies a new state: changes the memory, keeping its former state as a version, saves the state and adds an audit
 * line.
 */
export async function takeStep<
  State extends { readonly status: string },
  Stored extends { readonly state: State },
>(
  ports: Pick<Ports, "embedder">,
  caller: Caller,
  transaction: RecordTransaction,
  kind: ItemKind<State, Stored, unknown>,
  { memory, before, state, at, operation, note, besides }: Step<State, Stored>,
): Promise<void> {
  const change = { ...kind.recalled(state), ...besides };
  const next = { ...memory, ...change };
  await requireRoom(caller, transaction, { ownerId: memory.ownerId, memories: 0, growth: [next] });
  await transaction.change(
    memory,
    { ...change, version: nextVersion(memory.version), updatedAt: at },
    {
      operation: `${kind.item}_${operation}`,
      keepVersion: true,
      vector: await embedNow(ports.embedder, next.content),
    },
  );
  await kind.save(transaction.workspace, memory, state);
  await transaction.workspace.record(memory, {
    at,
    operation,
    from: before.state.status,
    to: state.status,
    actor: actorOf(caller),
    note,
  });
}

/** Corrections that apply to todos and decisions alike. Missing members stay the same; null clears a member. */
interface Correction {
  readonly bucket?: string | undefined;
  readonly path?: string | undefined;
  readonly source_memory_id?: string | null | undefined;
  readonly due_at?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly merge_metadata: boolean;
}

/** The members of the state that todos and decisions share. */
interface Common {
  readonly dueAt: number | null;
  readonly sourceMemoryId: string | null;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The corrected members of the state, the change of the memory's place, and the notices for the answer. */
interface Corrected {
  readonly common: Common;
  readonly place: Required<Pick<MemoryChange, "bucket" | "path" | "occurredAt">>;
  readonly notices: readonly string[];
}

/**
 * Applies corrections. `insufficient_scope` for a place outside the credential's token space, `validation_failed` for
 * metadata as for memories.
 */
export function corrected(
  caller: Caller,
  memory: MemoryRecord,
  { dueAt, sourceMemoryId, extra }: Common,
  input: Correction & { readonly saysOtherwise: boolean },
): Corrected {
  const { metadata, occurredAt, notices } = mergedMetadata(
    caller,
    { ...memory, metadata: extra },
    input,
    input.saysOtherwise,
  );
  // All of this metadata is the caller's: the service stores the members of the state elsewhere.
  if (!jsonObject.safeParse(metadata).success)
    throw invalid(["metadata"], "would be larger than 64 KiB of JSON");
  const place = { bucket: input.bucket ?? memory.bucket, path: input.path ?? memory.path, occurredAt };
  requireInSpace(caller, { ...memory, ...place });
  return {
    common: {
      dueAt: input.due_at === undefined ? dueAt : input.due_at === null ? null : Date.parse(input.due_at),
      sourceMemoryId: input.source_memory_id === undefined ? sourceMemoryId : input.source_memory_id,
      extra: metadata,
    },
    place,
    notices,
  };
}

/** The status to keep for an archived item: correcting its text does not restore it. */
export function keptArchived({ status }: MemoryRecord): Pick<MemoryChange, "status"> {
  return status === "archived" ? { status } : {};
}

/** The members that can be corrected, and their names in the contract. */
const NAMES = {
  content: "content",
  context: "context",
  options: "options",
  priority: "priority",
  impactLevel: "impact_level",
  dueAt: "due_at",
  sourceMemoryId: "source_memory_id",
  extra: "metadata",
  bucket: "bucket",
  path: "path",
} as const;

export type Correctable = (typeof NAMES)[keyof typeof NAMES];

/** The contract names of the members that differ. */
export function differing(before: object, after: object): Correctable[] {
  const [was, is] = [before, after] as Readonly<Record<string, unknown>>[];
  return (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((name) => is && name in is && !isSameJson(is[name], was?.[name]))
    .map((name) => NAMES[name]);
}

export type RemovalPorts = Pick<Ports, "store" | "clock" | "secrets">;

export interface Removal {
  readonly project_id: string;
  readonly mode: ForgetMode;
  readonly reason?: string | null | undefined;
  readonly if_match?: string | null | undefined;
}

/** Soft-deletes, hard-deletes or redacts an item, by the same rules as for memories. */
export async function removeItem(
  ports: RemovalPorts,
  caller: Caller,
  item: WorkspaceItem,
  id: string,
  asked: Removal,
): Promise<ForgetAnswer> {
  requireMode(caller, asked.mode);
  const { input, ...screened } = screen(ports.secrets, asked);
  const { mode, reason = null } = input;
  return ports.store.transaction(caller, async (transaction) => {
    const named = { projectId: input.project_id, id };
    const { memory } = await lockAnyItem(caller, transaction, item, named, (found) => {
      requireRemover(caller, found, mode);
      requireMatch(input.if_match, found.memory);
      return [];
    });
    const isRepeat = mode === "soft_delete" && memory.status === "soft_deleted";
    const how = { mode, reason };
    const { notices, ...answer } = await forgetLocked(ports, caller, transaction, memory, how);
    // A hard delete removes the trail too; the line about a redaction has no note.
    if (mode !== "hard_delete" && !isRepeat) {
      const line =
        mode === "redact" ? { operation: "redact", note: null } : { operation: "delete", note: reason };
      await recordUnchangedState(caller, transaction, memory, { at: ports.clock(), ...line });
    }
    return { ...answer, ...remarksOnRemoval(mode, screened, notices) };
  });
}

/** Restores a soft-deleted item to its former state and returns it. `not_restorable` if it is not soft-deleted. */
export async function restoreItem<
  State extends { readonly status: string },
  Stored extends { readonly state: State },
  Shown,
>(
  ports: Pick<Ports, "store" | "clock">,
  caller: Caller,
  kind: ItemKind<State, Stored, Shown>,
  id: string,
  input: { readonly project_id: string; readonly if_match?: string | null | undefined },
): Promise<Shown> {
  return ports.store.transaction(caller, async (transaction) => {
    const { workspace } = transaction;
    const named = { projectId: input.project_id, id };
    const { memory } = await lockAnyItem(caller, transaction, kind.item, named, (found) => {
      requireChangeable(caller, found);
      requireMatch(input.if_match, found.memory);
      return [];
    });
    const { state } = await kind.read(workspace, memory);
    const { itemStatus, itemAgent } = kind.recalled(state);
    const besides = memory.restoreStatus === "redacted" ? {} : { itemStatus, itemAgent };
    await restoreLocked(ports, caller, transaction, memory, besides);
    await kind.broughtBack?.(workspace, memory, state);
    const line = { at: ports.clock(), operation: "restore", note: null };
    await recordUnchangedState(caller, transaction, memory, line);
    return kind.present(caller, await kind.read(workspace, memory));
  });
}

/** Adds a line to the audit trail of a todo or decision for an operation that does not change its state. */
export async function recordUnchangedState(
  caller: Caller,
  transaction: RecordTransaction,
  memory: OwnedRow & Pick<MemoryRecord, "workspaceItem" | "itemStatus">,
  line: Pick<WorkspaceEvent, "at" | "operation" | "note">,
): Promise<void> {
  const status = memory.itemStatus ?? (await keptStatus(transaction, memory));
  const event = { ...line, from: status, to: status, actor: actorOf(caller) };
  await transaction.workspace.record(memory, event);
}

/** The status in the state of a deleted or redacted item, whose memory has none. */
async function keptStatus(
  { workspace }: RecordTransaction,
  memory: OwnedRow & Pick<MemoryRecord, "workspaceItem">,
): Promise<string> {
  const { state } =
    memory.workspaceItem === "todo" ? await workspace.todo(memory) : await workspace.decision(memory);
  return state.status;
}
