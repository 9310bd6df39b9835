import { aliasesOf } from "../../recall/index/forms-of-address.ts";
import {
  candidateCount,
  multilingualVectors,
  NEWEST,
  type PieceFigures,
  queryVectors,
  type Retrieval,
  type ScopeFigures,
  scopeWeights,
} from "../../recall/index/in-memory/retrieval.ts";
import {
  createScopeView,
  type KnownSessions,
  type ScopeView,
} from "../../recall/index/in-memory/scope-view.ts";
import { sessionKey } from "../../recall/index/index-document.ts";
import type { CandidateRequest, CandidateSet } from "../../recall/index/recall-index.ts";
import { SESSION_COUNT_MIN, WINDOW } from "../../recall/index/weights.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { rank } from "../../recall/ranking/rank.ts";
import { addressUses, readAddresses, sessionSpeakersSearch } from "./address-uses.ts";
import { type OwnSession, Pool, sessionName, type TailMemory } from "./pool.ts";
import {
  type PieceCounts,
  querySearch,
  readTermSessions,
  readTotals,
  type ScopeTotals,
  SESSION_MEMORIES_MAX,
  type TermPieces,
  termPieces,
  totalsSearch,
} from "./scope-counts.ts";
import type { KnownScope } from "./scope-totals.ts";
import {
  denseSearches,
  exactSearch,
  lexicalSearch,
  memorySearch,
  neighbourSearch,
  newestSearch,
  type Query,
  type SearchAnswer,
  type SearchBody,
} from "./searches.ts";

/** A request to the engine, with everything needed to answer it. */
export interface ScopeSearch {
  readonly request: CandidateRequest;
  readonly owners: readonly string[];
  /** Matches memories in scope that are not pending. */
  readonly scope: Query;
  /** Pending memories in scope. */
  readonly tail: readonly TailMemory[];
  /** Dimension of the vectors that can be searched. */
  readonly dimension: number;
  readonly lexicon: Lexicon;
  readonly retrieval: Retrieval;
  readonly search: (bodies: readonly SearchBody[]) => Promise<SearchAnswer[]>;
}

/** Candidates found in a scope, including those of the tail. */
export interface Found
  extends Pick<CandidateSet, "retrievers" | "statistics" | "queryLanguage" | "candidates"> {
  /** By owner, the number of memories in scope, and of those with a comparable vector. */
  readonly owners: ReadonlyMap<string, { readonly count: number; readonly embedded: number }>;
}

/**
 * Finds candidates in two rounds of searches. The first proposes memories by words, meaning and age, and counts the
 * scope's figures. The second reads the sessions of the best proposals.
 */
export async function searchLargeScope(
  options: ScopeSearch,
  pieces: PieceCounts,
  known: KnownScope | null,
): Promise<Found> {
  const { request, owners, scope, tail, dimension, lexicon, retrieval, search } = options;
  const { query, retrievers } = request;
  const counted = query.terms.flatMap(({ piece }) =>
    retrievers.length === 1 ? [piece] : [...lexicon.near(piece).pieces],
  );
  const terms = query.terms.map(({ piece, isExact }) => (isExact ? [] : termPieces(piece, lexicon)));
  const pool = new Pool(owners, counted);
  for (const memory of tail) pool.addTail(memory);

  const totals = known?.totals();
  const counting = countingSearches(options, terms, { known, totals });
  const answers = await search([...counting.searches, ...proposingSearches(options, pieces, totals?.newest)]);
  const counts = answers.splice(0, counting.searches.length);
  const add = (found: readonly SearchAnswer[]) => {
    for (const { hits } of found) for (const hit of hits) pool.addHit(hit);
  };
  add(answers);
  const { addresses, ...figures } = counting.read(counts);
  const tallied: Tallied = { pieces, ...figures, tail };
  add(await searchMultilingual(options, tallied));

  function candidates(known: SessionLinks, addressed: readonly ReadonlyMap<string, number>[]) {
    const { meanContextLength } = meanLengths(tallied);
    const view = createScopeView(pool.selections(), { meanContextLength, ...known });
    return retrieval.candidates(view, engineFigures(tallied, { view, terms, pool, addressed }), request);
  }

  const best = membersOf(pool, tail, rank(query, await candidates(NO_LINKS, [])));
  const [links, addressed] = await Promise.all([
    readSessions(search, scope, best, tallied, pool),
    readAddressUses(search, scope, addresses),
  ]);
  const { covered: _, ...found } = await candidates(links, addressed);
  return { ...found, owners: ownersOf(tallied, dimension) };
}

/** Searches by the query's multilingual vector, if the scope's memories need it. */
async function searchMultilingual(
  { request, scope, search }: ScopeSearch,
  tallied: Tallied,
): Promise<SearchAnswer[]> {
  const { pieces, scope: totals } = tallied;
  if (!totals.hasMultilingual) return [];
  const { meanLength } = meanLengths(tallied);
  const vectors = await multilingualVectors(request, { languages: totals.languages, meanLength });
  if (vectors === null) return [];
  const hasLong = pieces.passageCount > pieces.memoryCount;
  const size = candidateCount(request);
  return search(denseSearches(scope, vectors.whole, { kind: "multilingual", size, hasLong }));
}

/** Counting searches for a query. Counts that are cached for the same memories are not requested again. */
function countingSearches(
  { request, owners, scope, dimension }: ScopeSearch,
  terms: readonly TermPieces[],
  { known, totals }: { known: KnownScope | null; totals: ScopeTotals | undefined },
) {
  const asked = terms.filter((pieces) => pieces.length > 0 && known?.termSessions(pieces) === undefined);
  const { names } = request.query;
  const isQueryAsked = asked.length > 0 || names.length > 0;
  return {
    searches: [
      ...(totals === undefined ? [totalsSearch(scope, { dimension, ownerCount: owners.length })] : []),
      ...(isQueryAsked ? [querySearch(scope, { terms: asked, names })] : []),
    ],
    read(answers: readonly SearchAnswer[]) {
      const ofQuery = isQueryAsked ? (answers.at(-1) as SearchAnswer) : null;
      const scope = totals ?? readTotals(answers[0] as SearchAnswer);
      if (totals === undefined) known?.keepTotals(scope);
      const sessions = ofQuery === null ? [] : readTermSessions(ofQuery);
      const counted = new Map(asked.map((pieces, at) => [pieces, sessions[at] ?? 0]));
      for (const [pieces, count] of counted) known?.keepTermSessions(pieces, count);
      return {
        scope,
        termSessions: terms.map((pieces) => counted.get(pieces) ?? known?.termSessions(pieces) ?? 0),
        addresses: ofQuery === null ? [] : readAddresses(ofQuery),
      };
    },
  };
}

function proposingSearches(
  { request, scope, tail, dimension, lexicon }: ScopeSearch,
  pieces: PieceCounts,
  newest: readonly number[] | undefined,
): SearchBody[] {
  const { query, retrievers } = request;
  const isPlain = retrievers.length === 1;
  const known = pooledPieces({ pieces, tail });
  const size = candidateCount(request);
  const searches: SearchBody[] = isPlain ? [] : [newestSearch(scope, NEWEST, newest)];
  if (retrievers.includes("lexical") && query.terms.length > 0) {
    const weights = scopeWeights(known, query);
    const weighted = query.terms.flatMap(({ piece, isExact }, at) =>
      isExact ? [] : [{ piece, weight: weights[at] as number }],
    );
    searches.push(lexicalSearch(scope, weighted, lexicon, { size, soft: !isPlain }));
  }
  const strict = query.exact.filter(({ isStrict }) => isStrict && !isPlain);
  if (strict.length > 0) {
    const names = strict.map(({ tokens }) => tokens.map((token) => token.map(({ piece }) => piece)));
    searches.push(exactSearch(scope, names, size));
  }
  const vector = retrievers.includes("dense") ? queryVectors(known, request)?.whole : undefined;
  const hasLong = pieces.passageCount > pieces.memoryCount;
  if (vector?.length === dimension && vector.some((component) => component !== 0))
    searches.push(...denseSearches(scope, vector, { kind: "vector", size, hasLong }));
  return searches;
}

/** The tail's memories, then the ranked proposals, best first. Memories without a session are left out. */
function membersOf(
  pool: Pool,
  tail: ScopeSearch["tail"],
  ranked: readonly { id: string; seq: number }[],
): SessionMember[] {
  return [...tail.map(({ document }) => document), ...ranked].flatMap(({ id, seq }) => {
    const session = pool.sessionOf(id);
    return session === null ? [] : [{ ...session, seq }];
  });
}

function ownersOf({ scope, tail }: Tallied, dimension: number): Found["owners"] {
  const owners = new Map(scope.owners);
  for (const { document, passages } of tail) {
    const { count, embedded } = owners.get(document.ownerId) ?? { count: 0, embedded: 0 };
    owners.set(document.ownerId, {
      count: count + 1,
      embedded: embedded + Number(passages[0]?.steps?.length === dimension),
    });
  }
  return owners;
}

/** Maximum number of the best candidates' sessions that are read as a whole, if they are of usual length. */
const SESSIONS_MAX = 48;
/** Approximate limit on the passages read in whole sessions. */
const PASSAGES_MAX = 2000;
/** Maximum number of candidates in long sessions whose neighbours are read. */
const WINDOWS_MAX = 12;
/** No search returns more hits. */
const HITS_MAX = 10_000;

interface SessionMember extends OwnSession {
  readonly seq: number;
}

/** Session data of the candidates. */
type SessionLinks = Omit<KnownSessions, "meanContextLength">;

/** Session data before any session is read: no memory is known to be next to another. */
const NO_LINKS: SessionLinks = { isNext: () => false, sessionLength: () => undefined };

/**
 * Reads the sessions of `members` (best first) into the pool. Sessions of usual length are read as a whole, long ones
 * only around the best members. For the other sessions, only the length is read.
 */
async function readSessions(
  search: (bodies: readonly SearchBody[]) => Promise<SearchAnswer[]>,
  scope: Query,
  members: readonly SessionMember[],
  { pieces, scope: { longSessions, sessionCount, inSession } }: Tallied,
  pool: Pool,
): Promise<SessionLinks> {
  const names = [...new Set(members.map(sessionName))];
  const meanMemories = Math.max(1, inSession / Math.max(1, sessionCount));
  const meanPassages = meanMemories * (pieces.passageCount / Math.max(1, pieces.memoryCount));
  const whole = names
    .filter((name) => !longSessions.has(name))
    .slice(0, Math.min(SESSIONS_MAX, Math.ceil(PASSAGES_MAX / meanPassages)));
  const others = names.filter((name) => !whole.includes(name));
  const inLong = members.filter((member) => longSessions.has(sessionName(member))).slice(0, WINDOWS_MAX);
  const [memories, lengths, ...neighbours] = await search([
    wholeSearch(scope, whole, pool),
    lengthSearch(scope, others),
    ...inLong.flatMap((member) => neighbourSearches(scope, member)),
  ]);
  for (const answer of [memories, ...neighbours]) for (const hit of answer?.hits ?? []) pool.addHit(hit);
  const links = inLong.flatMap(({ seq }, at) => linksOf(seq, neighbours[2 * at], neighbours[2 * at + 1]));
  return sessionLinks(new Set(whole), new Set(links), readLengths(lengths));
}

/** Sends no search if no memory addresses someone by a name of the query, which is the usual case. */
async function readAddressUses(
  search: ScopeSearch["search"],
  scope: Query,
  addresses: ReturnType<typeof readAddresses>,
): Promise<ReadonlyMap<string, number>[]> {
  const body = sessionSpeakersSearch(scope, addresses);
  const [answer] = body === null ? [] : await search([body]);
  return addressUses(addresses, answer);
}

function sessionLinks(
  whole: ReadonlySet<string>,
  links: ReadonlySet<string>,
  lengths: ReadonlyMap<string, number>,
): SessionLinks {
  return {
    isNext: (ownerId, session, before, after) =>
      whole.has(sessionName({ ownerId, session })) || links.has(linkName(before, after)),
    sessionLength: (ownerId, session) => lengths.get(sessionName({ ownerId, session })),
  };
}

/** Searches the members of these sessions that the pool lacks. */
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

/** Searches for the two memories before one, in descending order, and the two after it, in ascending order. */
function neighbourSearches(scope: Query, member: SessionMember): SearchBody[] {
  const within = (range: object): Query => ({
    bool: { filter: [scope, { term: { session: sessionName(member) } }, { range: { seq: range } }] },
  });
  return [
    neighbourSearch(within({ lt: member.seq }), "desc"),
    neighbourSearch(within({ gt: member.seq }), "asc"),
  ];
}

/** Links between adjacent memories around the one at `seq`. */
function linksOf(seq: number, before: SearchAnswer | undefined, after: SearchAnswer | undefined): string[] {
  const seqs = (answer: SearchAnswer | undefined) =>
    (answer?.hits ?? []).map(({ sort }) => sort?.[0] as number);
  const run = [...seqs(before).reverse(), seq, ...seqs(after)];
  return run.slice(1).map((next, at) => linkName(run[at] as number, next));
}

function linkName(before: number, after: number): string {
  return `${before} ${after}`;
}

/** The engine's counts, and the tail to add to them. */
interface Tallied {
  readonly pieces: PieceCounts;
  readonly scope: ScopeTotals;
  /** For each term of the query, the number of sessions that have it. */
  readonly termSessions: readonly number[];
  readonly tail: readonly TailMemory[];
}

/** Number of memories, and of memories with each piece, including the tail's. */
function pooledPieces({ pieces, tail }: Pick<Tallied, "pieces" | "tail">): PieceFigures {
  const { memoryCount, frequencies } = pieces;
  const pooled = new Map(frequencies);
  for (const { passages } of tail) {
    for (const piece of new Set(passages.flatMap(({ words }) => [...words.frequencies.keys()]))) {
      const shown = pooled.get(piece);
      if (shown !== undefined) pooled.set(piece, shown + 1);
    }
  }
  return {
    memoryCount: memoryCount + tail.length,
    documentFrequency: (piece) => pooled.get(piece) ?? 0,
  };
}

/** Mean length of a passage, and of its window. */
function meanLengths({ pieces, scope, tail }: Tallied): {
  meanLength: number;
  meanContextLength: number;
} {
  const inTail = tail.reduce((sum, { passages }) => sum + passages.length, 0);
  const count = Math.max(1, pieces.passageCount + inTail);
  const meanLength = totalLength({ scope, tail }) / count;
  // Every passage but a session's first has one before it, and every passage but the first two has two. Which passages
  // these are is taken to be independent of length.
  const named = scope.sessionCount - (pieces.memoryCount - scope.inSession);
  const further = pieces.passageCount - pieces.memoryCount;
  const one = Math.max(0, scope.inSession - named + further) / count;
  const two = Math.max(0, scope.inSession - 2 * named + further) / count;
  const shares = 1 + (WINDOW.previous + WINDOW.next) * one + (WINDOW.previous2 + WINDOW.next2) * two;
  return { meanLength, meanContextLength: meanLength * shares };
}

function totalLength({ scope, tail }: Pick<Tallied, "scope" | "tail">): number {
  return tail
    .flatMap(({ passages }) => passages)
    .reduce((sum, { words }) => sum + words.length, scope.totalLength);
}

/**
 * Figures of a scope for a view of the memories proposed in it. The view was made from `pool`. `terms` is parallel to
 * the query's terms, and `addressed` to its names. `addressed` covers what the engine shows.
 */
function engineFigures(
  counted: Tallied,
  {
    view,
    terms,
    pool,
    addressed,
  }: {
    view: ScopeView;
    terms: readonly TermPieces[];
    pool: Pool;
    addressed: readonly ReadonlyMap<string, number>[];
  },
): ScopeFigures {
  const { scope, termSessions, tail } = counted;
  const { memoryCount, documentFrequency } = pooledPieces(counted);
  const { meanLength, meanContextLength } = meanLengths(counted);
  const newest = [...scope.newest, ...tail.map(({ document }) => document.seq)].sort((a, b) => b - a);
  const sessions = tail.length === 0 ? [] : newSessions(tail, pool.shownSessions());
  const sessionCount = scope.sessionCount + sessions.length;
  return {
    memoryCount,
    meanLength,
    languages: scope.languages,
    documentFrequency,
    newerCount: (position) => countAbove(newest, seqAt(view, position)),
    statistics: (query) => ({
      memoryCount,
      documentFrequency: query.terms.map(({ piece }) => documentFrequency(piece)),
      meanLength,
      meanContextLength,
      sessionCount,
      sessionDocumentFrequency: terms.map((pieces, at) =>
        sessions.reduce((sum, session) => sum + Number(hasTerm(session, pieces)), termSessions[at] ?? 0),
      ),
      meanSessionLength: totalLength(counted) / Math.max(1, sessionCount),
      speakers: [
        ...new Set([...scope.speakers, ...tail.flatMap(({ document: { source } }) => source ?? [])]),
      ].sort(),
      aliases: aliasesOf(
        query.names,
        (address) => addressed[query.names.findIndex((name) => name.address === address)] ?? new Map(),
        documentFrequency,
      ),
    }),
  };
}

/** Sessions of the tail that the engine shows nothing of, each as a list of its memories. */
function newSessions(tail: readonly TailMemory[], shown: ReadonlySet<string>): (readonly TailMemory[])[] {
  const sessions = new Map<string, TailMemory[]>();
  for (const memory of tail) {
    const session = sessionKey(memory.document);
    const name =
      session === null ? memory.document.id : sessionName({ ownerId: memory.document.ownerId, session });
    if (shown.has(name)) continue;
    const held = sessions.get(name);
    if (held === undefined) sessions.set(name, [memory]);
    else held.push(memory);
  }
  return [...sessions.values()];
}

function hasTerm(session: readonly TailMemory[], pieces: TermPieces): boolean {
  return session
    .flatMap(({ passages }) => passages)
    .some(({ words }) => {
      const count = pieces.reduce((sum, piece) => sum + (words.frequencies.get(piece) ?? 0), 0);
      return count > SESSION_COUNT_MIN;
    });
}

function seqAt(view: ScopeView, position: number): number {
  const { seq } = view.parts[view.part[position] as number]?.memories.slots ?? {};
  return seq?.[view.slot[position] as number] as number;
}

/** Counts the numbers in a descending list that are above the bound. */
function countAbove(descending: readonly number[], bound: number): number {
  let [low, high] = [0, descending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((descending[middle] as number) > bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
