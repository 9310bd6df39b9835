import type { ContextConflict } from "../../contract/recall.ts";
import {
  type Conflictable,
  type Contradictions,
  contradictionsAmong,
} from "../../recall/statements/conflicts.ts";
import { type Conflict, conflictsOf, newestFirst, type Side } from "../../recall/statements/newest-first.ts";
import { questionOf } from "../../recall/statements/question.ts";
import { inTurns, type Pace } from "../../recall/work.ts";
import type { Caller } from "../caller.ts";
import { isAdopted } from "../memory/adopted.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { countedAuthority, isOthersWord } from "../memory/others-word.ts";
import { sessionRelation } from "../memory/session.ts";
import { statusAt } from "../memory/supersession.ts";
import { levelIn } from "./asked-time.ts";
import type { TimeRange } from "./time-range.ts";

/** The fields of a hit used here. */
interface Found {
  readonly memory: MemoryRecord;
  /** Absolute relevance, 0..1. */
  readonly score: number;
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** A found memory, prepared for comparison with the others. */
export interface FoundSide extends Conflictable, Side {
  readonly memory: MemoryRecord;
}

export interface Contradicting extends Contradictions<FoundSide> {
  readonly conflicts: readonly Conflict<FoundSide>[];
}

export const NO_CONTRADICTIONS: Contradicting = { pairs: [], unsure: new Set(), conflicts: [] };

export function sideOf(
  caller: Caller,
  { memory, score }: Pick<Found, "memory" | "score">,
  now: number,
): FoundSide {
  const { authority } = memory.metadata;
  const isOthers = isOthersWord(caller, memory);
  const happened = memory.occurredAt ?? memory.createdAt;
  return {
    memory,
    id: memory.memoryId,
    content: memory.content,
    relevance: score,
    semanticKey: memory.semanticKey,
    status: statusAt(memory, now),
    supersededBy: memory.supersededBy,
    occurredAtMs: happened,
    // The time of an event is a claim too. Do not count another member's memory as newer than its writing.
    heldSinceMs: isOthers ? Math.min(happened, memory.createdAt) : happened,
    order: memory.seq,
    confidence: memory.confidence,
    authority: countedAuthority(typeof authority === "string" ? authority : "observation", isOthers),
    isOthers,
    isAdopted: isAdopted(memory),
    isOwnSession: sessionRelation(caller, memory) === "own",
  };
}

/** Finds the contradictions among these hits, as far as they answer the question. */
export async function contradictingHits(
  caller: Caller,
  query: string,
  hits: readonly Found[],
  { now, pace }: { now: number; pace: Pace },
): Promise<Contradicting> {
  const sides = hits.map((hit) => sideOf(caller, hit, now));
  const contradictions = await inTurns(contradictionsAmong(sides, questionOf(query)), pace);
  return { ...contradictions, conflicts: conflictsOf(contradictions.pairs) };
}

/** Splits conflicts by how much their sides are of the asked time, which decides between them before their age does. */
export function withinEqualTimes(
  { conflicts }: Pick<Contradicting, "conflicts">,
  range: TimeRange,
): Pick<Contradicting, "conflicts"> {
  const levelOf = ({ occurredAtMs }: FoundSide) => levelIn(range, occurredAtMs);
  const split = conflicts.flatMap(({ sides, reason }) =>
    [2, 1, 0].map((level) => ({ reason, sides: sides.filter((side) => levelOf(side) === level) })),
  );
  return { conflicts: split.filter(({ sides }) => sides.length > 1) };
}

/** Reorders contradicting hits so that the newest come first, and adds a signal with the resulting change to each. */
export function newestHitsFirst<H extends Found>(
  hits: readonly H[],
  { conflicts }: Pick<Contradicting, "conflicts">,
): readonly H[] {
  if (conflicts.length === 0) return hits;
  const sides = new Map(conflicts.flatMap((one) => one.sides.map((side) => [side.memory, side])));
  const found = hits.flatMap((hit, place) => {
    const candidate = sides.get(hit.memory);
    return candidate === undefined ? [] : [{ hit, place, candidate, value: hit.rankScore }];
  });
  const arranged = [...hits];
  for (const [at, { hit, value }] of newestFirst(found, conflicts).entries()) {
    const newest = value - hit.rankScore;
    const signals = newest === 0 ? hit.signals : { ...hit.signals, newest };
    arranged[(found[at] as (typeof found)[number]).place] = { ...hit, rankScore: value, signals };
  }
  return arranged;
}

/** Conflicts as listed in a context: first those within one author's memories, then the others in the given order. */
export function namedConflicts(conflicts: readonly Conflict<FoundSide>[]): ContextConflict[] {
  const named = conflicts.map(({ sides, reason }) => ({
    ids: sides.map(({ id }) => id),
    reason,
    same_author: new Set(sides.map(authorOf)).size === 1,
  }));
  return named.sort((a, b) => Number(b.same_author) - Number(a.same_author));
}

/** Identifies a memory's author: a user or team, and the agent if any. */
function authorOf({ memory }: FoundSide): string {
  return `${memory.authorId} ${memory.agentId ?? ""}`;
}
