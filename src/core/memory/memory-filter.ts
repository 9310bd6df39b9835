import type { Facet } from "../../contract/facet.ts";
import type { MetadataValue, RequestedFilter } from "../../contract/filter.ts";
import { eachMember } from "../../recall/each-member.ts";
import { type IndexedMembers, type IndexFilter, KNOWLEDGE } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalidClaim } from "../error.ts";

/**
 * The conditions of a search, list or delete-by-filter. null: no condition. The database (`filter.ts` in Postgres)
 * supports every member, which the compiler enforces; indexes support those of `IndexFilter`.
 */
export interface MemoryFilter extends IndexFilter {
  /** For each name, the value that the metadata member must equal or contain (see `metadata-filter.ts`). */
  readonly metadata: Readonly<Record<string, MetadataValue>> | null;
  /** Only memories that this agent wrote. */
  readonly agentId: string | null;
  /** Only memories with this source, in NFC. */
  readonly source: string | null;
  /** Only memories with these public ids. */
  readonly memoryIds: readonly string[] | null;
  /** Only memories that have one of these values, for each facet. */
  readonly oneOf: FacetValues | null;
  /** Only memories that came in recalls of the log, or in none of them. */
  readonly recalled: boolean | null;
}

export type FacetValues = Readonly<Partial<Record<Facet, readonly string[]>>>;

/** The members that include or exclude memories. */
export type FilterMembers = Omit<MemoryFilter, "now">;

/** The members that no index supports. */
export type RecordMember = Exclude<keyof FilterMembers, keyof IndexedMembers>;

/**
 * The database resolves these to ids before an index is queried. A member of the filter that is not in `IndexFilter`
 * does not compile until it is listed here.
 */
const LEFT_TO_THE_RECORD: Readonly<Record<RecordMember, true>> = {
  metadata: true,
  asOf: true,
  agentId: true,
  source: true,
  memoryIds: true,
  oneOf: true,
  recalled: true,
};
const recordMembers = Object.keys(LEFT_TO_THE_RECORD) as RecordMember[];

/** True if the filter has a member that only the database supports, so that its scope must be resolved to ids. */
export function needsIds(filter: MemoryFilter): boolean {
  return recordMembers.some((member) => filter[member] !== null);
}

/** The filter that matches every live memory. */
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
    oneOf: null,
    recalled: null,
    includeKnowledge: true,
    session: null,
    withoutItems: false,
    now,
  };
}

/**
 * The filter of a request, limited to what its credential may read. `knowledge_scope_required` if the request names
 * knowledge without having its scope. A wildcard just excludes it.
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
    one_of: (oneOf) => ({ oneOf }),
    recalled: (recalled) => ({ recalled }),
    sessions: (sessions) => ({ session: sessionOf(caller, { sessions }) }),
  });
  const base = {
    ...everyLiveMemory(now),
    projectId: caller.projectId,
    includeKnowledge: caller.scopes.has("knowledge:read"),
  };
  return Object.assign(base, ...members);
}

/** The filter of the memory list. Todos and decisions have lists of their own, so they are in it only if they are named. */
export function listFilter(caller: Caller, asked: RequestedFilter, now: number): MemoryFilter {
  const filter = memoryFilter(caller, asked, now);
  return { ...filter, withoutItems: filter.memoryIds === null };
}

/** True if the request names knowledge itself, rather than a pattern that also matches it. */
export function namesKnowledge({ bucket, memory_type, one_of }: RequestedFilter): boolean {
  const named = [bucket, memory_type, ...(one_of?.bucket ?? []), ...(one_of?.type ?? [])];
  return named.includes(KNOWLEDGE);
}

/**
 * The session that the request is restricted to; null without a restriction. Merely naming a session hides nothing, so
 * that work can be handed over. `validation_failed` if the request asks for its own session and names none.
 */
export function sessionOf(
  { attribution: { sessionId } }: Caller,
  { sessions }: Pick<RequestedFilter, "sessions">,
): string | null {
  if (sessions !== "own") return null;
  if (sessionId === null) throw invalidClaim("sessionId", "must name the session that sessions=own asks for");
  return sessionId;
}

/** Rejects with `knowledge_scope_required` if the caller may not read knowledge. */
export function requireKnowledgeScope(caller: Caller): void {
  if (caller.scopes.has("knowledge:read")) return;
  throw new DomainError("knowledge_scope_required", "Reading knowledge needs the scope knowledge:read.");
}
