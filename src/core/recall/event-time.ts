import type { QueryAnalysis } from "../../recall/index/query.ts";
import { analyseQuery } from "../../recall/index/query.ts";
import type { Candidate } from "../../recall/index/recall-index.ts";
import { namedDates } from "../../recall/language/dates.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import type { AskedEvent } from "../../recall/language/times.ts";
import { related, spanned } from "../../recall/language/times.ts";
import { lettersAndDigits } from "../../recall/language/words.ts";
import { type Rankable, rank } from "../../recall/ranking/rank.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { dayAt } from "../reminder/wall-clock.ts";
import { instantsOf, type TimeRange } from "./time-range.ts";

/** How many memories that name the event are read for its date. */
const READ_MAX = 5;

/** The share of the event's words that a memory has at least. */
const NAMED_SHARE = 0.75;

interface EventPorts {
  readonly lexicon: Lexicon;
  /** The index's proposals for a query, within the request's scope. */
  readonly candidates: (query: QueryAnalysis) => Promise<Rankable>;
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, MemoryRecord>>;
}

/**
 * The range before, after or since an event, by the memory that has the words of the event and matches it best. Its date
 * is the one it states, otherwise when it happened. With the memory's id; null if no memory names the event.
 */
export async function eventRange(
  { lexicon, candidates, read }: EventPorts,
  { text, relation, span }: AskedEvent,
  {
    because,
    askedAt,
    timeZone,
  }: { readonly because: string; readonly askedAt: number; readonly timeZone: string },
): Promise<{ readonly range: TimeRange; readonly id: string } | null> {
  const query = analyseQuery(text, lexicon);
  if (!query.terms.some(({ piece }) => lexicon.isContent(piece))) return null;
  const set = await candidates(query);
  const naming = new Set(set.candidates.filter((one) => namesEvent(one, query)).map(({ id }) => id));
  const ids = rank(query, set)
    .map(({ id }) => id)
    .filter((id) => naming.has(id))
    .slice(0, READ_MAX);
  const memories = await read(ids);
  const days = ids.flatMap((id) => {
    const memory = memories.get(id);
    return memory && !isPlacedBy(memory, because)
      ? [{ id, stated: namedDates(memory.content).dates[0], day: dayOf(memory, timeZone) }]
      : [];
  });
  const best = days.find(({ stated }) => stated !== undefined) ?? days[0];
  if (best === undefined) return null;
  const day = best.stated ?? best.day;
  const all = related([day, day + 1], relation, dayAt(askedAt, timeZone));
  const range = span === null ? all : spanned(all, relation, span);
  // On the day itself, the order is unknown.
  const loose = instantsOf([Math.min(all[0], day), Math.max(all[1], day + 1)], timeZone);
  return { id: best.id, range: { ...instantsOf(range, timeZone), because, loose } };
}

/** How many words of the relation and the event say that a memory has both. */
const WORDS_COMPARED = 3;

/**
 * Whether a memory says itself what the query says: "before the trip", or "after the cat" in "looks after the cat". Then
 * it is told by the event, if that is one, and is not the event.
 */
function isPlacedBy({ content }: MemoryRecord, because: string): boolean {
  const [said, asked] = [content, because].map((text) => lettersAndDigits(text.toLowerCase()));
  return ` ${said?.join(" ")} `.includes(` ${asked?.slice(0, WORDS_COMPARED).join(" ")} `);
}

function namesEvent({ own }: Candidate, { terms }: QueryAnalysis): boolean {
  let [matched, all] = [0, 0];
  for (const [at, { background }] of terms.entries()) {
    all += background;
    if ((own[at] ?? 0) > 0) matched += background;
  }
  return matched >= NAMED_SHARE * all;
}

function dayOf({ occurredAt, createdAt }: MemoryRecord, timeZone: string): number {
  return dayAt(occurredAt ?? createdAt, timeZone);
}
