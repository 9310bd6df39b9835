/**
 * Which memory takes the place of which, and until when.
 *
 * A memory is superseded in one of two ways. By name: a caller, or a merge of duplicates, names its successor, and that
 * holds for good. By its key: a newer memory states the same fact, and where that one expires, what it superseded is live
 * again from then on (`supersededUntil`). That instant is computed when something changes and stored, so that reading
 * compares it with the clock and nothing has to run when it comes. The SQL twin is `adapters/postgres/memory/supersession.ts`.
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

// What a memory is at an instant.

/** What of a memory tells whether it is live. */
type Judged = Pick<MemoryRecord, "status" | "expiresAt" | "supersededStatus" | "supersededUntil">;

/** True where the memory takes part in default recall at that instant. */
export function isLive(memory: Judged, now: number): boolean {
  return isLiveStatus(currentStatus(memory, now)) && !isPast(memory.expiresAt, now);
}

/** The status callers see: `expired` is computed, never stored. */
export function statusAt(memory: Judged, now: number): StoredStatus | "expired" {
  const status = currentStatus(memory, now);
  return isLiveStatus(status) && isPast(memory.expiresAt, now) ? "expired" : status;
}

/**
 * The memory as it stands at that instant: superseded by a fact that held for a time and holds no more, it is again what
 * it was before, and has no successor.
 */
export function asItStands<M extends Judged & Pick<MemoryRecord, "supersededBy">>(memory: M, now: number): M {
  return isLiveAgain(memory, now)
    ? { ...memory, status: currentStatus(memory, now), ...NOT_SUPERSEDED }
    : memory;
}

/** Its status at that instant, its own expiry aside. */
function currentStatus(memory: Omit<Judged, "expiresAt">, now: number): StoredStatus {
  return isLiveAgain(memory, now) ? (memory.supersededStatus ?? "active") : memory.status;
}

/** True where what superseded it has expired by then. */
function isLiveAgain(memory: Pick<Judged, "status" | "supersededUntil">, now: number): boolean {
  return memory.status === "superseded" && isPast(memory.supersededUntil, now);
}

function isPast(instant: number | null, now: number): boolean {
  return instant !== null && instant <= now;
}

// The link to a successor.

/** What a memory says of its successor where it has none. */
export const NOT_SUPERSEDED = {
  supersededBy: null,
  supersededAt: null,
  supersededByKey: false,
  supersededStatus: null,
  supersededUntil: null,
} as const satisfies Partial<MemoryRecord>;

/** What a memory says of its successor. It is written with the status, which may be one that is live again. */
export function successionOf(memory: MemoryRecord): MemoryChange {
  const { supersededBy, supersededAt, supersededByKey, supersededStatus, supersededUntil } = memory;
  const succession = { supersededBy, supersededAt, supersededByKey, supersededStatus, supersededUntil };
  return succession satisfies Record<keyof typeof NOT_SUPERSEDED, unknown>;
}

/** What becomes of a memory for which a caller names a successor: it gives place for good. */
export function succeededBy(successorId: string, at: number): MemoryChange {
  return { ...NOT_SUPERSEDED, status: "superseded", supersededBy: successorId, supersededAt: at };
}

/** What becomes of a live memory whose fact a newer one states: where that one holds for a time, it gives place until then. */
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

/** What becomes of a superseded memory that is brought back. */
export function revivedAs(status: StoredStatus): MemoryChange {
  return { status, ...NOT_SUPERSEDED };
}

/** When a memory that waits for others to expire is live again, once a newer one of its fact supersedes those; null: never. */
export function postponedBy(
  waiting: Pick<MemoryRecord, "expiresAt" | "supersededUntil">,
  newer: Pick<MemoryRecord, "expiresAt">,
): number | null {
  const { supersededUntil } = waiting;
  return supersededUntil === null ? null : liveAgainAt(waiting, Math.max(supersededUntil, endOf(newer)));
}

// A successor that a caller names.

/** The lock of the memory that is to be a successor, so that it stays live until the transaction ends. */
export function successorLock(ownerId: string, supersededBy: string | null | undefined): LockKey[] {
  return supersededBy ? [idLock(ownerId, supersededBy)] : [];
}

/** The memory named in `superseded_by`: it must be live, of the same owner, another one, and the caller's to write. */
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
 * Refuses with `conflict` a move out of a chain of one fact. It names nobody: the caller may not see them. `stored` is the
 * row as it is: what superseded it may have given way, and the link is still its history.
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
 * What a new live memory supersedes by its key, and the version that it has of its fact. Refuses with `conflict` where the
 * caller may not change what is in the way.
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

/** The live memories that hold the fact of one that is to be brought back; none where it would not be live. */
export async function holdersOfFact(
  transaction: Pick<MemoryTransaction, "existing">,
  back: MemoryRecord,
  now: number,
): Promise<MemoryRecord[]> {
  if (back.semanticKey === null || !isLive(back, now)) return [];
  const { sameKey } = await transaction.existing({ ...back, updatedAt: now }, { dedupe: false });
  return sameKey.map(({ memory }) => memory).filter(({ id }) => id !== back.id);
}

/** What becomes of a memory that is brought back: where others hold its fact by now, it comes back below the last of them. */
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

/** What makes a fact: two memories that agree in it state the same. */
const FACT = ["ownerId", "scope", "projectId", "bucket", "semanticKey"] as const;

export type Fact = Pick<MemoryRecord, (typeof FACT)[number]>;

export function isSameFact(a: Fact, b: Fact): boolean {
  return a.semanticKey !== null && FACT.every((member) => a[member] === b[member]);
}

/** One text for one fact. */
export function factKey(fact: Fact): string {
  return JSON.stringify(FACT.map((member) => fact[member]));
}

/** What changes how long a memory holds its fact. */
const HOLDING = [...FACT, "status", "expiresAt", "supersededBy", "supersededByKey"] as const;

/** True where what a memory superseded by its key may be live again at another time after this change. */
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

/** When a memory is live again, where that is another time than is noted. */
export interface HoldChange {
  readonly id: string;
  readonly supersededUntil: number | null;
  /** The memory is live now and was not, or the other way round, or was so at another time up to now. */
  readonly changesPast: boolean;
}

/**
 * When each of these memories is live again, where that is another time than is noted. `links`: what has changed, all that
 * it superseded by key, near and far, and all that supersedes it. `gone`: those that are about to be erased.
 *
 * A memory is live again once everything above it has expired, which must still state the same fact; the memories between
 * count, so that of a fact no two are live at once. What is deleted, redacted, archived or superseded in another way no
 * longer gives way; but what had expired before that has given way already.
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
    // From the top of its chain down, without recursion: chains get long.
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

/** Until when a fact is held: Infinity for ever; null where what held it gives way no more. */
type End = number | null;

function endOf({ expiresAt }: Pick<MemoryRecord, "expiresAt">): number {
  return expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Until when a link and all above it hold the fact. */
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

/** Null where it never is: the fact is held for ever, or the memory itself has expired by then. */
function liveAgainAt(memory: Pick<MemoryRecord, "expiresAt">, end: number): number | null {
  return Number.isFinite(end) && end < endOf(memory) ? end : null;
}

function nameOf(ownerId: string, memoryId: string): string {
  return `${ownerId}:${memoryId}`;
}
