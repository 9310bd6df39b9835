/** The bucket and memory type that are left out unless a filter includes knowledge. */
export const KNOWLEDGE = "knowledge";

/** The type of memories that belong to a session: notes of work under way. */
export const WORKING = "working";

/** Stored statuses that recall treats as live, expiry aside. */
export const LIVE_STATUSES = ["active", "started", "completed"] as const;

/** True for a stored status that recall treats as live, expiry aside. */
export function isLiveStatus(status: string): boolean {
  return (LIVE_STATUSES as readonly string[]).includes(status);
}

/**
 * The filter that an index answers. Patterns know `%` only; null means no such filter. The index in memory
 * (`scope-filter.ts`) and the search engine (`scope-query.ts`) each answer every member, and neither compiles while one is
 * left out.
 */
export interface IndexFilter {
  readonly path: string;
  readonly bucket: string;
  /** Any of these patterns. */
  readonly memoryTypes: readonly string[];
  /**
   * "active": every live status (active, started, completed) that has not expired at `now`. "expired": a live one that
   * has. Anything else is compared with the status, which reads "expired" for those. A pattern never matches
   * "soft_deleted". From the instant on at which a superseded memory is live again, its status is what it was before.
   * Without effect beside `asOf`.
   */
  readonly status: string;
  readonly scope: "private" | "team" | null;
  readonly teamId: string | null;
  readonly projectId: string | null;
  /** Only what was stored by that instant and was live then: an index is given the ids of those. */
  readonly asOf: number | null;
  /** Only what was stored before that instant. */
  readonly createdBefore: number | null;
  /** Only what was stored at that instant or later. */
  readonly createdFrom: number | null;
  /** Only what is at this path or below it. */
  readonly pathUnder: string | null;
  /** False leaves the bucket and type `knowledge` out. */
  readonly includeKnowledge: boolean;
  /** Of working memories only those of this session and of none; null: of any. */
  readonly session: string | null;
  /** True leaves todos and decisions of projects out. */
  readonly withoutItems: boolean;
  /** The instant at which expiry is judged: no filter itself. */
  readonly now: number;
}

/** The members that every index answers itself. */
export type IndexedMembers = Omit<IndexFilter, "asOf" | "now">;

/** What a request is about: the memories that its credential reaches and its filter lets through. */
export interface RecallScope {
  readonly filter: IndexFilter;
  readonly reach: Reach;
}

/** What the credential of a request can see: the index's twin of the record's predicate `visible`. Null: no limit. */
export interface Reach {
  readonly owners: readonly string[];
  readonly projects: readonly string[] | null;
  /** The path itself and everything below it. */
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
  /** Only these memories: what the record has found for the members of the filter that are left to it. */
  readonly ids: ReadonlySet<string> | null;
}
