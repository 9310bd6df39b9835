import type { QueryName } from "../../recall/language/names.ts";
import { pieceToken } from "./document.ts";
import type { Query, SearchAnswer, SearchBody } from "./searches.ts";

/** Sessions to read per name. More would not add anything. */
const SESSIONS_MAX = 50;
/** Speakers to read per session. With more than two, a session does not show who is meant. */
const SPEAKERS_MAX = 3;

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly sessions?: { readonly buckets: readonly Bucket[] };
  readonly speakers?: { readonly buckets: readonly Bucket[] };
}

const speakers = { speakers: { terms: { field: "source", size: SPEAKERS_MAX } } };

/**
 * Counts, by session and speaker, the memories that address someone by each of these names. Empty if there are no
 * names.
 */
export function addressAggregation(names: readonly QueryName[]): Readonly<Record<string, unknown>> {
  if (names.length === 0) return {};
  const filters = names.map(({ address }) => ({ term: { pieces: pieceToken(address, false) } }));
  const sessions = { terms: { field: "session", size: SESSIONS_MAX }, aggs: speakers };
  return { addresses: { filters: { filters }, aggs: { sessions } } };
}

/** By session, how many memories of each speaker address someone by a name. */
type SessionUses = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads the counts for each name, in the order of the names. */
export function readAddresses({ aggregations }: SearchAnswer): SessionUses[] {
  const names: readonly Bucket[] = aggregations.addresses?.buckets ?? [];
  return names.map(({ sessions }) => countsOf(sessions?.buckets ?? []));
}

function countsOf(sessions: readonly Bucket[]): SessionUses {
  return new Map(
    sessions.map(({ key, speakers: by }) => [
      key,
      new Map((by?.buckets ?? []).map((speaker) => [speaker.key, speaker.doc_count])),
    ]),
  );
}

/** Search for the speakers of the sessions in which one of the names is used as an address. null if there are none. */
export function sessionSpeakersSearch(scope: Query, addresses: readonly SessionUses[]): SearchBody | null {
  const sessions = [...new Set(addresses.flatMap((uses) => [...uses.keys()]))];
  if (sessions.length === 0) return null;
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [scope, { terms: { session: sessions } }] } },
    aggs: { sessions: { terms: { field: "session", size: sessions.length }, aggs: speakers } },
  };
}

/** For each name, how often each speaker is addressed by it, counted in sessions of two speakers. */
export function addressUses(
  addresses: readonly SessionUses[],
  answer: SearchAnswer | undefined,
): ReadonlyMap<string, number>[] {
  const speakersOf = countsOf(answer?.aggregations.sessions?.buckets ?? []);
  return addresses.map((sessions) => {
    const uses = new Map<string, number>();
    for (const [session, by] of sessions) {
      const both = [...(speakersOf.get(session)?.keys() ?? [])];
      if (both.length !== 2) continue;
      for (const [speaker, count] of by) {
        const other = both.find((one) => one !== speaker) as string;
        uses.set(other, (uses.get(other) ?? 0) + count);
      }
    }
    return uses;
  });
}
