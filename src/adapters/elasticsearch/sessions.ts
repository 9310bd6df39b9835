import type { AroundView } from "../../core/recall/in-memory/scope-view.ts";
import { memorySearch, neighbourSearch } from "./memory-searches.ts";
import { type OwnSession, type Pool, sessionName } from "./pool.ts";
import { type ScopeCounts, SESSION_MEMORIES_MAX } from "./scope-counts.ts";
import type { Query, SearchAnswer, SearchBody } from "./search-all.ts";

/** So many of the best candidates' sessions are read as a whole, if they are of usual length. */
const SESSIONS_MAX = 48;
/** About so many memories at most are read so. */
const MEMORIES_MAX = 2000;
/** So many candidates in long sessions get their neighbours. */
const WINDOWS_MAX = 12;
/** No search answers more. */
const HITS_MAX = 10_000;

/** A candidate that is in a session. */
export interface SessionMember extends OwnSession {
  readonly seq: number;
}

/** What is known of the sessions around what was proposed. */
export type Around = Omit<AroundView, "meanContextLength">;

/** Before any session was read: no memory is known to be next to another. */
export const NOTHING_AROUND: Around = { isNext: () => false, sessionLength: () => undefined };

/**
 * Reads the sessions of `members`, the best first, into the pool: those of usual length as a whole, of long ones what is
 * around the best members; of the others only how long they are.
 */
export async function readSessions(
  search: (bodies: readonly SearchBody[]) => Promise<SearchAnswer[]>,
  scope: Query,
  members: readonly SessionMember[],
  { longSessions, sessionCount, inSession }: Pick<ScopeCounts, "longSessions" | "sessionCount" | "inSession">,
  pool: Pool,
): Promise<Around> {
  const names = [...new Set(members.map(sessionName))];
  const meanMemories = Math.max(1, inSession / Math.max(1, sessionCount));
  const whole = names
    .filter((name) => !longSessions.has(name))
    .slice(0, Math.min(SESSIONS_MAX, Math.ceil(MEMORIES_MAX / meanMemories)));
  const others = names.filter((name) => !whole.includes(name));
  const inLong = members.filter((member) => longSessions.has(sessionName(member))).slice(0, WINDOWS_MAX);
  const [memories, lengths, ...neighbours] = await search([
    wholeSearch(scope, whole, pool),
    lengthSearch(scope, others),
    ...inLong.flatMap((member) => neighbourSearches(scope, member)),
  ]);
  for (const answer of [memories, ...neighbours]) for (const hit of answer?.hits ?? []) pool.addHit(hit);
  const links = inLong.flatMap(({ seq }, at) => linksOf(seq, neighbours[2 * at], neighbours[2 * at + 1]));
  return around(new Set(whole), new Set(links), readLengths(lengths));
}

function around(
  whole: ReadonlySet<string>,
  links: ReadonlySet<string>,
  lengths: ReadonlyMap<string, number>,
): Around {
  return {
    isNext: (ownerId, session, before, after) =>
      whole.has(sessionName({ ownerId, session })) || links.has(linkName(before, after)),
    sessionLength: (ownerId, session) => lengths.get(sessionName({ ownerId, session })),
  };
}

/** What the pool does not have of these sessions. */
function wholeSearch(scope: Query, names: readonly string[], pool: Pool): SearchBody {
  const query = {
    bool: {
      filter: [scope, { terms: { session: names } }],
      must_not: [{ ids: { values: [...pool.ids] } }],
    },
  };
  return memorySearch(query, Math.min(HITS_MAX, names.length * SESSION_MEMORIES_MAX));
}

function lengthSearch(scope: Query, names: readonly string[]): SearchBody {
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [scope, { terms: { session: names } }] } },
    aggs: {
      sessions: {
        terms: { field: "session", size: Math.max(1, names.length) },
        aggs: { length: { sum: { field: "length" } } },
      },
    },
  };
}

function readLengths(answer: SearchAnswer | undefined): Map<string, number> {
  const buckets: { key: string; length: { value: number } }[] = answer?.aggregations.sessions?.buckets ?? [];
  return new Map(buckets.map(({ key, length }) => [key, length.value]));
}

/** The two before a memory, falling, and the two after it, rising. */
function neighbourSearches(scope: Query, member: SessionMember): SearchBody[] {
  const within = (range: object): Query => ({
    bool: { filter: [scope, { term: { session: sessionName(member) } }, { range: { seq: range } }] },
  });
  return [
    neighbourSearch(within({ lt: member.seq }), "desc"),
    neighbourSearch(within({ gt: member.seq }), "asc"),
  ];
}

/** Which memories are next to each other around one. */
function linksOf(seq: number, before: SearchAnswer | undefined, after: SearchAnswer | undefined): string[] {
  const seqs = (answer: SearchAnswer | undefined) =>
    (answer?.hits ?? []).map(({ sort }) => sort?.[0] as number);
  const run = [...seqs(before).reverse(), seq, ...seqs(after)];
  return run.slice(1).map((next, at) => linkName(run[at] as number, next));
}

function linkName(before: number, after: number): string {
  return `${before} ${after}`;
}
