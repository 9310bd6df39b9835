/**
 * Which memory supersedes which, and until when.
 *
 * A memory is superseded in one of two ways. By name: a caller, or a merge of duplicates, names its successor; this is
 * permanent. By key: a newer memory states the same fact; when that one expires, the superseded memory becomes live
 * again (`supersededUntil`). That instant is computed and stored on every change, so reads only compare it with the
 * clock and no job has to run when it comes. `adapters/postgres/memory/supersession.ts` implements the same rules in
 * SQL.
 */
import { isLiveStatus } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import type { Clock } from "../environment.ts";
import { DomainError, invalid } from "../error.ts";
import { mayChange } from "./access.ts";
import { idLock } from "./identity.ts";
import {
  type LiveStatus,
  type MemoryChange,
  type MemoryRecord,
  type NewMemory,
  nextVersion,
  type StoredStatus,
} from "./memory-record.ts";
import type { ExistingMemories, LockKey, MemoryTransaction } from "./memory-store.ts";
import { teamOf } from "./place.ts";

// The status of a memory at an instant.

/** Fields that decide whether a memory is live. */
type Judged = Pick<MemoryRecord, "status" | "expiresAt" | "supersededStatus" | "supersededUntil">;

/** True if the memory takes part in default recall at that instant. */
export function isLive(memory: Judged, now: number): boolean {
  return isLiveStatus(currentStatus(memory, now)) && !isPast(memory.expiresAt, now);
}

/** The status that callers see. `expired` is computed, never stored. */
export function statusAt(memory: Judged, now: number): StoredStatus | "expired" {
  const status = currentStatus(memory, now);
  return isLiveStatus(status) && isPast(memory.expiresAt, now) ? "expired" : status;
}

/**
 * The memory as of that instant. If everything that superseded it has expired, it has its former status and no
 * successor.
 */
export function asItStands<M extends Judged & Pick<MemoryRecord, "supersededBy">>(memory: M, now: number): M {
  return isLiveAgain(memory, now)
    ? { ...memory, status: currentStatus(memory, now), ...NOT_SUPERSEDED }
    : memory;
}

/** Its status at that instant, ignoring its own expiry. */
function currentStatus(memory: Omit<Judged, "expiresAt">, now: number): StoredStatus {
  return isLiveAgain(memory, now) ? (memory.supersededStatus ?? "active") : memory.status;
}

/** True if everything that superseded it has expired by then. */
function isLiveAgain(memory: Pick<Judged, "status" | "supersededUntil">, now: number): boolean {
  return memory.status === "superseded" && isPast(memory.supersededUntil, now);
}

function isPast(instant: number | null, now: number): boolean {
  return instant !== null && instant <= now;
}

// The link to a successor.

/** The successor fields of a memory without a successor. */
export const NOT_SUPERSEDED = {
  supersededBy: null,
  supersededAt: null,
  supersededByKey: false,
  supersededStatus: null,
  supersededUntil: null,
} as const satisfies Partial<MemoryRecord>;

/** The successor fields of a memory. They are written together with the status, which may be live again. */
export function successionOf(memory: MemoryRecord): MemoryChange {
  const { supersededBy, supersededAt, supersededByKey, supersededStatus, supersededUntil } = memory;
  const succession = { supersededBy, supersededAt, supersededByKey, supersededStatus, supersededUntil };
  return succession satisfies Record<keyof typeof NOT_SUPERSEDED, unknown>;
}

/** The change to a memory whose successor a caller names: it is superseded permanently. */
export function succeededBy(successorId: string, at: number): MemoryChange {
  return { ...NOT_SUPERSEDED, status: "superseded", supersededBy: successorId, supersededAt: at };
}

/**
 * The change to a live memory whose fact a newer memory states: superseded permanently, or until the newer one expires.
 */
export function succeededByKey(
  memory: MemoryRecord,
  newer: Pick<MemoryRecord, "memoryId" | "expiresAt">,
  at: number,
): MemoryChange {
  return {
    status: "superseded",
    supersededBy: newer.memoryId,
    supersededAt: at,
    supersededByKey: true,
    supersededStatus: asItStands(memory, at).status as LiveStatus,
    supersededUntil: liveAgainAt(memory, endOf(newer)),
  };
}

/** The change to a superseded memory that is revived. */
export function revivedAs(status: StoredStatus): MemoryChange {
  return { status, ...NOT_SUPERSEDED };
}

/**
 * When a waiting memory becomes live again after a newer memory of its fact supersedes those it waits for; null: never.
 */
export function postponedBy(
  waiting: Pick<MemoryRecord, "expiresAt" | "supersededUntil">,
  newer: Pick<MemoryRecord, "expiresAt">,
): number | null {
  const { supersededUntil } = waiting;
  return supersededUntil === null ? null : liveAgainAt(waiting, Math.max(supersededUntil, endOf(newer)));
}

// A successor that a caller names.

/** The lock on a memory named as successor, so that it stays live until the transaction ends. */
export function successorLock(ownerId: string, supersededBy: string | null | undefined): LockKey[] {
  return supersededBy ? [idLock(ownerId, supersededBy)] : [];
}

/**
 * The memory named in `superseded_by`. It must be live, belong to the same owner, be another memory, and be writable by
 * the caller.
 */
export async function requireLiveTarget(
  {
    ports,
    caller,
    transaction,
  }: { ports: { readonly clock: Clock }; caller: Caller; transaction: MemoryTransaction },
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "scope">,
  supersededBy: string,
): Promise<MemoryRecord> {
  const target = await transaction.findForChange(supersededBy, { teamId: teamOf(memory) });
  const isUsable =
    target !== null &&
    target.memory.memoryId !== memory.memoryId &&
    target.memory.ownerId === memory.ownerId &&
    mayChange(caller, target) &&
    isLive(target.memory, ports.clock());
  if (isUsable) return target.memory;
  throw invalid(
    ["superseded_by"],
    "must name another live memory of the same owner that this credential may change",
  );
}

/**
 * Rejects with `conflict` if the memory would be moved out of a chain of supersessions. The message names no other
 * memory, since the caller may not see them. `stored` is the row itself: its link is history even after its successor
 * has expired.
 */
export async function requireChainless(
  transaction: Pick<MemoryTransaction, "isSuccessor">,
  stored: MemoryRecord,
  change: MemoryChange,
): Promise<void> {
  const leavesSuccessor = change.supersededBy !== undefined || change.status !== undefined;
  const isLinked = stored.supersededBy !== null && !leavesSuccessor;
  if (!isLinked && !(await transaction.isSuccessor(stored))) return;
  throw new DomainError(
    "conflict",
    "The memory supersedes another or is superseded by one. They belong together, so it cannot be moved away.",
  );
}

// The fact that a memory states.

/**
 * The memories that a new live memory supersedes by its key, and its version of the fact. Rejects with `conflict` if
 * the caller may not change one of them.
 */
export function predecessorsOf(
  memory: NewMemory,
  { sameKey, factVersion }: Pick<ExistingMemories, "sameKey" | "factVersion">,
  now: number,
): { readonly older: readonly MemoryRecord[]; readonly version: number } {
  if (!isLive(memory, now)) return { older: [], version: memory.version };
  if (sameKey.some((other) => !other.writable)) {
    throw new DomainError(
      "conflict",
      "There is already a memory with this semantic_key, and this credential may not change it.",
    );
  }
  const version = factVersion === null ? memory.version : Math.max(memory.version, nextVersion(factVersion));
  return { older: sameKey.map((other) => other.memory), version };
}

/** The live memories that state the fact of a memory to be brought back; none if that memory would not be live. */
export async function holdersOfFact(
  transaction: Pick<MemoryTransaction, "existing">,
  back: MemoryRecord,
  now: number,
): Promise<MemoryRecord[]> {
  if (back.semanticKey === null || !isLive(back, now)) return [];
  const { sameKey } = await transaction.existing({ ...back, updatedAt: now }, { dedupe: false });
  return sameKey.map(({ memory }) => memory).filter(({ id }) => id !== back.id);
}

/**
 * The change to a memory that is brought back. If other live memories state its fact by now, it is superseded by the
 * one that expires last.
 */
export async function broughtBackAs(
  transaction: Pick<MemoryTransaction, "existing">,
  memory: MemoryRecord,
  status: StoredStatus,
  now: number,
): Promise<MemoryChange> {
  const back = { ...memory, status };
  const holders = await holdersOfFact(transaction, back, now);
  const [last] = holders.sort((a, b) => endOf(b) - endOf(a));
  return last ? succeededByKey(back, last, now) : { status };
}

/** The members that identify a fact. Two memories with equal values state the same fact. */
const FACT = ["ownerId", "scope", "projectId", "bucket", "semanticKey"] as const;

export type Fact = Pick<MemoryRecord, (typeof FACT)[number]>;

export function isSameFact(a: Fact, b: Fact): boolean {
  return a.semanticKey !== null && FACT.every((member) => a[member] === b[member]);
}

/** A string that identifies a fact. */
export function factKey(fact: Fact): string {
  return JSON.stringify(FACT.map((member) => fact[member]));
}

/** The members that determine how long a memory holds its fact. */
const HOLDING = [...FACT, "status", "expiresAt", "supersededBy", "supersededByKey"] as const;

/** True if the change may alter when memories that this one superseded by its key become live again. */
export function changesHold(before: MemoryRecord, after: MemoryRecord): boolean {
  const statesFact = before.semanticKey !== null || after.semanticKey !== null;
  return statesFact && HOLDING.some((member) => before[member] !== after[member]);
}

/** A memory as a link of a chain of supersessions by key. */
export type FactLink = Fact &
  Pick<
    MemoryRecord,
    "id" | "memoryId" | "status" | "expiresAt" | "supersededBy" | "supersededByKey" | "supersededUntil"
  >;

/** A changed time at which a memory becomes live again. */
export interface HoldChange {
  readonly id: string;
  readonly supersededUntil: number | null;
  /** True if the change affects whether the memory is live now, or was at some time in the past. */
  readonly changesPast: boolean;
}

/**
 * Computes when each of these memories becomes live again, and returns those whose stored time differs. `links`: the
 * changed memory, everything that it superseded by key, directly or transitively, and everything that supersedes it.
 * `gone`: ids of memories that are about to be erased.
 *
 * A memory becomes live again when every memory above it in the chain has expired, provided that they still state the
 * same fact. All memories in between count, so that no two memories of a fact are live at the same time. A memory that
 * is deleted, redacted, archived or superseded in another way blocks those below it forever, unless it had already
 * expired before.
 */
export function holdChanges(
  links: readonly FactLink[],
  now: number,
  gone: ReadonlySet<string> = new Set(),
): HoldChange[] {
  const byName = new Map(links.map((link) => [nameOf(link.ownerId, link.memoryId), link]));
  const ends = new Map<string, End>();

  function successorOf(link: FactLink): FactLink | undefined {
    const named = link.supersededByKey && link.supersededBy !== null;
    const successor = named ? byName.get(nameOf(link.ownerId, link.supersededBy as string)) : undefined;
    return successor && isSameFact(link, successor) ? successor : undefined;
  }

  function endAbove(link: FactLink): End {
    const successor = successorOf(link);
    return successor ? (ends.get(successor.id) ?? null) : null;
  }

  for (const link of links) {
    // Walks the chain from the top down. Not recursive, since chains can be long.
    const path = new Set<FactLink>();
    for (let at: FactLink | undefined = link; at && !ends.has(at.id) && !path.has(at); at = successorOf(at))
      path.add(at);
    for (const at of [...path].reverse())
      ends.set(at.id, gone.has(at.id) ? null : endOfHold(at, endAbove(at), now));
  }

  return links.flatMap((link): HoldChange[] => {
    const { id, supersededUntil: noted } = link;
    const until = link.supersededByKey ? liveAgain(link, endAbove(link), now) : null;
    return until === noted
      ? []
      : [{ id, supersededUntil: until, changesPast: isPast(noted, now) || isPast(until, now) }];
  });
}

/**
 * Until when a fact is held. Infinity: forever. null: its holder never expires from now on, so nothing below it becomes
 * live again.
 */
type End = number | null;

function endOf({ expiresAt }: Pick<MemoryRecord, "expiresAt">): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Until when a link and all links above it hold the fact. */
function endOfHold(link: FactLink, above: End, now: number): End {
  if (isLiveStatus(link.status)) return endOf(link);
  if (link.status !== "superseded" || !link.supersededByKey) return null;
  if (above === null) return isPast(link.supersededUntil, now) ? endOf(link) : null;
  return Math.max(above, endOf(link));
}

function liveAgain(link: FactLink, above: End, now: number): number | null {
  if (above !== null) return liveAgainAt(link, above);
  return isPast(link.supersededUntil, now) ? link.supersededUntil : null;
}

/** null if it never becomes live again: the fact is held forever, or the memory itself has expired by then. */
function liveAgainAt(memory: Pick<MemoryRecord, "expiresAt">, end: number): number | null {
  return Number.isFinite(end) && end < endOf(memory) ? end : null;
}

function nameOf(ownerId: string, memoryId: string): string {
  return `${ownerId}:${memoryId}`;
}
