import type { MetadataValue, RequestedFilter } from "../../contract/filter.ts";
import { eachMember } from "../../recall/each-member.ts";
import { type IndexFilter, KNOWLEDGE } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalidClaim } from "../error.ts";

/**
 * What a search, list or delete-by-filter asks for. Null means no such filter. The record (`filter.ts` in Postgres) answers
 * every member and does not compile while one is left out; indexes answer those of `IndexFilter`.
 */
export interface MemoryFilter extends IndexFilter {
  /** By name, the value that the member must equal or have among its own (see `metadata-filter.ts`). */
  readonly metadata: Readonly<Record<string, MetadataValue>> | null;
  /** Only what this agent produced. */
  readonly agentId: string | null;
  /** Only what has this source, in NFC. */
  readonly source: string | null;
  /** Only these memories, by their public ids. */
  readonly memoryIds: readonly string[] | null;
}

/** The members that let memories through or keep them out. */
export type FilterMembers = Omit<MemoryFilter, "now">;

/** The members of a filter that no index answers: the record resolves them to ids before an index is asked. */
const LEFT_TO_THE_RECORD = [
  "metadata",
  "asOf",
  "agentId",
  "source",
  "memoryIds",
] as const satisfies readonly (Exclude<keyof MemoryFilter, keyof IndexFilter> | "asOf")[];

/** Whether a filter asks for what only the record can tell, so that its scope needs the record's ids. */
export function needsIds(filter: MemoryFilter): boolean {
  return LEFT_TO_THE_RECORD.some((member) => filter[member] !== null);
}

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
