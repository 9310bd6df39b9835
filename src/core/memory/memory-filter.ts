import type { Caller } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";

/** What a search, list or delete-by-filter asks for. Patterns know `%` only; null means no such filter. */
export interface MemoryFilter {
  readonly path: string;
  readonly bucket: string;
  /** Any of these patterns. */
  readonly memoryTypes: readonly string[];
  readonly status: string;
  readonly scope: "private" | "team" | null;
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Only what was stored by then and not yet superseded. */
  readonly asOf: number | null;
  readonly createdBefore: number | null;
  /** False leaves the bucket and type `knowledge` out. */
  readonly includeKnowledge: boolean;
  /** Of working memories only those of this session and of none; null: of any. */
  readonly session: string | null;
  /** True leaves todos and decisions of projects out. */
  readonly withoutItems?: boolean;
  /** The instant at which expiry is judged. */
  readonly now: number;
}

/** Filter members as the contract names them. */
export interface RequestedFilter {
  readonly path?: string | undefined;
  readonly bucket?: string | undefined;
  readonly memory_type?: string | undefined;
  readonly status?: string | undefined;
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
  readonly project_id?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly as_of?: string | null | undefined;
  readonly created_before?: string | undefined;
  readonly sessions?: "own" | "all" | undefined;
}

/**
 * The filter a request asks for, within what its credential may ask.
 * `knowledge_scope_required` where knowledge is asked for by name without its scope; under a wildcard it is left out.
 */
export function memoryFilter(caller: Caller, asked: RequestedFilter, now: number): MemoryFilter {
  const mayReadKnowledge = caller.scopes.has("knowledge:read");
  const named = asked.bucket === "knowledge" || asked.memory_type === "knowledge";
  if (named) requireKnowledgeScope(caller);
  return {
    path: asked.path ?? "%",
    bucket: asked.bucket ?? "%",
    memoryTypes: [asked.memory_type ?? "%"],
    status: asked.status ?? "active",
    scope: asked.scope ?? null,
    teamId: asked.team_id ?? null,
    projectId: asked.project_id ?? caller.projectId,
    metadata: asked.metadata ?? null,
    asOf: asked.as_of ? Date.parse(asked.as_of) : null,
    createdBefore: asked.created_before ? Date.parse(asked.created_before) : null,
    includeKnowledge: mayReadKnowledge,
    session: sessionOf(caller, asked),
    now,
  };
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
  if (sessionId === null)
    throw invalid(["header", "x-session-id"], "must name the session that sessions=own asks for");
  return sessionId;
}

/** Refuses with `knowledge_scope_required` a caller that may not read knowledge. */
export function requireKnowledgeScope(caller: Caller): void {
  if (caller.scopes.has("knowledge:read")) return;
  throw new DomainError("knowledge_scope_required", "Reading knowledge needs the scope knowledge:read.");
}
