import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";
import type { Ports } from "../ports.ts";
import { mayChange } from "./access.ts";
import { idLock } from "./identity.ts";
import type { LiveStatus, MemoryChange, MemoryRecord } from "./memory-record.ts";
import { asItStands, isLive, isLiveStatus, isPast, NOT_SUPERSEDED } from "./memory-status.ts";
import type { LockKey, MemoryTransaction } from "./memory-store.ts";

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
  }: { ports: Pick<Ports, "clock">; caller: Caller; transaction: MemoryTransaction },
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "scope">,
  supersededBy: string,
): Promise<MemoryRecord> {
  const target = await transaction.findForChange(supersededBy, {
    teamId: memory.scope === "team" ? memory.ownerId : null,
  });
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

/** When a memory that waits for others to expire is live again, once a newer one of its fact supersedes those; null: never. */
export function postponedBy(
  waiting: Pick<MemoryRecord, "expiresAt" | "supersededUntil">,
  newer: Pick<MemoryRecord, "expiresAt">,
): number | null {
  const { supersededUntil } = waiting;
  return supersededUntil === null ? null : liveAgainAt(waiting, Math.max(supersededUntil, endOf(newer)));
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
export interface Settlement {
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
export function settle(
  links: readonly FactLink[],
  now: number,
  gone: ReadonlySet<string> = new Set(),
): Settlement[] {
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

  return links.flatMap((link): Settlement[] => {
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
