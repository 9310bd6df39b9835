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

/** A hit, as far as it is needed here. */
interface Found {
  readonly memory: MemoryRecord;
  /** Absolute relevance, 0..1. */
  readonly score: number;
  readonly rankScore: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** A memory that was found, as it is compared with what else was. */
export interface FoundSide extends Conflictable, Side {
  readonly memory: MemoryRecord;
}

/** What contradicts itself among hits. */
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
    // When it happened is a claim as well: another's is no newer than its words.
    heldSinceMs: isOthers ? Math.min(happened, memory.createdAt) : happened,
    order: memory.seq,
    confidence: memory.confidence,
    authority: countedAuthority(typeof authority === "string" ? authority : "observation", isOthers),
    isOthers,
    isAdopted: isAdopted(memory),
    isOwnSession: sessionRelation(caller, memory) === "own",
  };
}

/** What contradicts itself among these hits, as far as the question tells that it answers it. */
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

/** The hits with the newest first of what contradicts itself, by a signal that says what that is worth to each. */
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

/** Conflicts as a context names them: first what one author wrote alone, then as they come. */
export function namedConflicts(conflicts: readonly Conflict<FoundSide>[]): ContextConflict[] {
  const named = conflicts.map(({ sides, reason }) => ({
    ids: sides.map(({ id }) => id),
    reason,
    same_author: new Set(sides.map(authorOf)).size === 1,
  }));
  return named.sort((a, b) => Number(b.same_author) - Number(a.same_author));
}

/** Whom a memory is from: a user or team, by an agent or not. */
function authorOf({ memory }: FoundSide): string {
  return `${memory.authorId} ${memory.agentId ?? ""}`;
}
