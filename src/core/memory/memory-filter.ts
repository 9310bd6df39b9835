import type { MetadataValue, RequestedFilter } from "../../contract/filter.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalidClaim } from "../error.ts";

/** The bucket, and the type, that only callers with the scope `knowledge:read` are shown. */
export const KNOWLEDGE = "knowledge";

/**
 * What a search, list or delete-by-filter asks for. Patterns know `%` only; null means no such filter. The record
 * (`filter.ts` in Postgres), the index in memory (`scope-filter.ts`) and the search engine (`scope-query.ts`) each answer
 * every member, and none of them compiles while one is left out.
 */
export interface MemoryFilter {
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
  /** By name, the value that the member must equal or have among its own (see `metadata-filter.ts`). */
  readonly metadata: Readonly<Record<string, MetadataValue>> | null;
  /** Only what was stored by that instant and was live then. */
  readonly asOf: number | null;
  /** Only what was stored before that instant. */
  readonly createdBefore: number | null;
  /** Only what was stored at that instant or later. */
  readonly createdFrom: number | null;
  /** Only what is at this path or below it. */
  readonly pathUnder: string | null;
  /** Only what this agent produced. */
  readonly agentId: string | null;
  /** Only what has this source, in NFC. */
  readonly source: string | null;
  /** Only these memories, by their public ids. */
  readonly memoryIds: readonly string[] | null;
  /** False leaves the bucket and type `knowledge` out. */
  readonly includeKnowledge: boolean;
  /** Of working memories only those of this session and of none; null: of any. */
  readonly session: string | null;
  /** True leaves todos and decisions of projects out. */
  readonly withoutItems: boolean;
  /** The instant at which expiry is judged: no filter itself. */
  readonly now: number;
}

/** The members that let memories through or keep them out. */
export type FilterMembers = Omit<MemoryFilter, "now">;

/** Every live memory: the filter of somebody who asks for nothing in particular. */
export function everyLiveMemory(now: number): MemoryFilter {
  return {
    path: "%",
    bucket: "%",
    memoryTypes: ["%"],
    status: "active",
    scope: null,
    teamId: null,
    projectId: null,
    metadata: null,
    asOf: null,
    createdBefore: null,
    createdFrom: null,
    pathUnder: null,
    agentId: null,
    source: null,
    memoryIds: null,
    includeKnowledge: true,
    session: null,
    withoutItems: false,
    now,
  };
}

/**
 * The filter a request asks for, within what its credential may ask.
 * `knowledge_scope_required` where knowledge is asked for by name without its scope; under a wildcard it is left out.
 */
export function memoryFilter(caller: Caller, asked: RequestedFilter, now: number): MemoryFilter {
  if (namesKnowledge(asked)) requireKnowledgeScope(caller);
  const members = eachMember<RequestedFilter, Partial<MemoryFilter>>(asked, {
    path: (path) => ({ path }),
    bucket: (bucket) => ({ bucket }),
    memory_type: (pattern) => ({ memoryTypes: [pattern] }),
    status: (status) => ({ status }),
    scope: (scope) => ({ scope }),
    team_id: (teamId) => ({ teamId }),
    project_id: (projectId) => ({ projectId }),
    metadata: (metadata) => ({ metadata }),
    as_of: (instant) => ({ asOf: Date.parse(instant) }),
    created_before: (instant) => ({ createdBefore: Date.parse(instant) }),
    created_from: (instant) => ({ createdFrom: Date.parse(instant) }),
    path_under: (pathUnder) => ({ pathUnder }),
    agent_id: (agentId) => ({ agentId }),
    source: (source) => ({ source }),
    memory_ids: (memoryIds) => ({ memoryIds }),
    sessions: (sessions) => ({ session: sessionOf(caller, { sessions }) }),
  });
  const base = {
    ...everyLiveMemory(now),
    projectId: caller.projectId,
    includeKnowledge: caller.scopes.has("knowledge:read"),
  };
  return Object.assign(base, ...members);
}

/** Whether the request names knowledge itself, rather than a pattern that knowledge matches too. */
export function namesKnowledge({ bucket, memory_type }: RequestedFilter): boolean {
  return bucket === KNOWLEDGE || memory_type === KNOWLEDGE;
}

/**
 * The session that the request keeps to, if it asks for that: a session that is merely named hides nothing, so that work
 * can be handed over. `validation_failed` where it asks for its own and names none.
 */
export function sessionOf(
  { attribution: { sessionId } }: Caller,
  { sessions }: Pick<RequestedFilter, "sessions">,
): string | null {
  if (sessions !== "own") return null;
  if (sessionId === null) throw invalidClaim("sessionId", "must name the session that sessions=own asks for");
  return sessionId;
}

/** Refuses with `knowledge_scope_required` a caller that may not read knowledge. */
export function requireKnowledgeScope(caller: Caller): void {
  if (caller.scopes.has("knowledge:read")) return;
  throw new DomainError("knowledge_scope_required", "Reading knowledge needs the scope knowledge:read.");
}

/**
 * What is to be made of each member of `T`, null where it asks for nothing after all. Every member must be named: one that
 * is new to `T` does not compile until somebody has decided what becomes of it.
 */
export type MemberTable<T, Made> = {
  readonly [Member in keyof T]-?: (value: NonNullable<T[Member]>) => Made | null;
};

/** What a table makes of the members that are given, in the order of the table. Null and undefined ask for nothing. */
export function eachMember<T, Made>(values: T, table: MemberTable<T, Made>): Made[] {
  const made = <Member extends keyof T>(member: Member): Made | null => {
    const value = values[member];
    return value === null || value === undefined ? null : table[member](value);
  };
  return (Object.keys(table) as (keyof T)[]).map(made).filter((one) => one !== null);
}
