import { queryScorer } from "../../context/excerpt.ts";
import type { PlaceOf } from "../../context/pack-blocks.ts";
import { dayOf, idWords, sessionWords } from "../../context/render.ts";
import { confidenceFactor, freshness, importanceFactor, memoryValue } from "../../context/value.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { otherSession } from "../../memory/session.ts";
import { statusAt } from "../../memory/supersession.ts";
import type { Hit } from "../../recall/retrieve.ts";
import { authorWords, type Describing, describedOf, joined, subjectOf, timeOrNull } from "./described.ts";
import { blockOf, type Entry, type EntryOf, worth } from "./entry.ts";
import type { ContextKeys } from "./facts.ts";

/** A recent memory is worth as much as one of which it is an even chance that it matters. */
const RECENT_RELEVANCE = 0.5;
/** An entry that only says where a text stands. */
const REFERENCE_WORTH = 0.05;

/** The blocks that show the texts of rows. */
export type Homes = ReadonlyMap<string, string>;

/** The blocks of these entries by the rows that they show the text of. */
export function homesOf(entries: readonly Entry[]): Map<string, string> {
  const shown = entries.filter(({ home, content }) => home === null && content !== null);
  return new Map(shown.map(({ id, domain }) => [id.slice(domain.length + 1), id]));
}

/** Recalled memories, the most valuable first. Those whose text another section has are named without it. */
export function durableEntries(
  describing: Describing,
  hits: readonly Hit[],
  homes: Homes,
  query: string,
): EntryOf<"durable_context">[] {
  const score = queryScorer(query);
  const valued = hits.map((hit) => ({ hit, value: valueOfHit(hit, describing.now) }));
  valued.sort((a, b) => b.value - a.value || a.hit.memory.seq - b.hit.memory.seq);
  return valued.map(({ hit, value }, place) => {
    const home = homes.get(hit.memory.id) ?? null;
    return {
      ...commonOf(describing, hit.memory, home, "durable_context"),
      domain: "durable_context",
      value: worth(home === null ? value : REFERENCE_WORTH, place),
      score,
      answer: (shown) => ({ ...answerOf(describing, hit.memory), score: hit.score, ...shown }),
    };
  });
}

/** What a recent memory is worth, by its place in the section. */
export function recentWorth(memory: ContextKeys["recent"][number], now: number, place: number): number {
  const { importance, confidence, memoryType, updatedAt } = memory;
  const value =
    RECENT_RELEVANCE *
    freshness(now - updatedAt, memoryType) *
    importanceFactor(importance) *
    confidenceFactor(confidence);
  return worth(value, place);
}

/** Memories in the order given, which is the latest change first. */
export function recentEntries(
  describing: Describing,
  memories: readonly MemoryRecord[],
  homes: Homes,
): EntryOf<"recent_memories">[] {
  return memories.map((memory, place) => {
    const home = homes.get(memory.id) ?? null;
    return {
      ...commonOf(describing, memory, home, "recent_memories"),
      domain: "recent_memories",
      value: home === null ? recentWorth(memory, describing.now, place) : worth(REFERENCE_WORTH, place),
      score: () => 0,
      answer: (shown) => ({ ...answerOf(describing, memory), ...shown }),
    };
  });
}

function valueOfHit({ memory, score }: Hit, now: number): number {
  const { importance, confidence, memoryType, occurredAt, createdAt } = memory;
  const occurredAtMs = occurredAt ?? createdAt;
  return memoryValue({ relevance: score, importance, confidence, memoryType, occurredAtMs }, now);
}

function commonOf(
  describing: Describing,
  memory: MemoryRecord,
  home: string | null,
  domain: "durable_context" | "recent_memories",
) {
  const kind = domain === "durable_context" ? "known" : "recent";
  return {
    id: blockOf(domain, memory.id),
    item: memory.memoryId,
    home,
    isReference: home !== null,
    content: home === null ? memory.content : null,
    label: (detail: string, placeOf: PlaceOf) => {
      const type = `${kind} ${memory.memoryType}`;
      if (home !== null) return `${type}: #${placeOf(home) ?? ""}`;
      if (detail === "bare") return type;
      const day = dayOf(memory.occurredAt ?? memory.createdAt);
      return joined([
        type,
        day,
        sessionWords(otherSession(describing.caller, memory), false),
        ...(detail === "full" ? authorWords(describing, subjectOf(memory)) : []),
        idWords(memory.memoryId),
      ]);
    },
  };
}

function answerOf(describing: Describing, memory: MemoryRecord) {
  return {
    ...describedOf(describing, subjectOf(memory)),
    memory_type: memory.memoryType,
    status: statusAt(memory, describing.now),
    semantic_key: memory.semanticKey,
    importance: memory.importance,
    confidence: memory.confidence,
    occurred_at: timeOrNull(memory.occurredAt),
  };
}
