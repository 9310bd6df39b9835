/** The bucket and memory type that are excluded unless a filter includes knowledge. */
export const KNOWLEDGE = "knowledge";

/** The type of memories that belong to a session: notes on work in progress. */
export const WORKING = "working";

/** Stored statuses that recall treats as live, expiry aside. */
export const LIVE_STATUSES = ["active", "started", "completed"] as const;

/** True for a stored status that recall treats as live, expiry aside. */
export function isLiveStatus(status: string): boolean {
  return (LIVE_STATUSES as readonly string[]).includes(status);
}

/**
 * The filter that an index applies. In patterns only `%` is special; null disables a member. The in-memory index
 * (`scope-filter.ts`) and the search engine (`scope-query.ts`) each handle every member, and neither compiles if one is
 * missing.
 */
export interface IndexFilter {
  readonly path: string;
  readonly bucket: string;
  /** Any of these patterns must match. */
  readonly memoryTypes: readonly string[];
  /**
   * "active": every live status (active, started, completed) that has not expired at `now`. "expired": a live one that
   * has. Anything else is compared with the status, which reads "expired" for those. A pattern never matches
   * "soft_deleted". From the time a superseded memory is live again, its previous status applies. Ignored if `asOf` is
   * set.
   */
  readonly status: string;
  readonly scope: "private" | "team" | null;
  readonly teamId: string | null;
  readonly projectId: string | null;
  /** Only memories that had been stored and were live at that time. The index is given their ids. */
  readonly asOf: number | null;
  /** Only memories stored before that time. */
  readonly createdBefore: number | null;
  /** Only memories stored at that time or later. */
  readonly createdFrom: number | null;
  /** Only memories at this path or below it. */
  readonly pathUnder: string | null;
  /** If false, excludes the bucket and the type `knowledge`. */
  readonly includeKnowledge: boolean;
  /** Excludes working memories of other sessions. null: excludes none. */
  readonly session: string | null;
  /** If true, excludes todos and decisions of projects. */
  readonly withoutItems: boolean;
  /** The time for judging expiry. Not a filter itself. */
  readonly now: number;
}

/** The members that every index evaluates itself. */
export type IndexedMembers = Omit<IndexFilter, "asOf" | "now">;

/** The memories that a request is about: those that its credential can see and its filter selects. */
export interface RecallScope {
  readonly filter: IndexFilter;
  readonly reach: Reach;
}

/**
 * The part of the record that a request's credential can see: the index's equivalent of the record's predicate
 * `visible`. null: no limit.
 */
export interface Reach {
  readonly owners: readonly string[];
  readonly projects: readonly string[] | null;
  /** The path itself and everything below it. */
  readonly pathPrefix: string | null;
  readonly buckets: readonly string[] | null;
  /** Only these memories: the record's result for the filter members that the index leaves to it. */
  readonly ids: ReadonlySet<string> | null;
}
