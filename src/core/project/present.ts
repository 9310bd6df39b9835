import type { AuditLineItem, ProjectDecision, ProjectTodo } from "../../contract/project.ts";
import { type Caller, holds } from "../caller.ts";
import { teamOf } from "../memory/place.ts";
import { etagOf, rfc3339, timeOrNull } from "../memory/present.ts";
import type { ItemMemory, StoredDecision, StoredTodo, WorkspaceEvent } from "./workspace-store.ts";

/** A todo as it is shown to the caller; only its id and status if the caller lacks `memory:read`. */
export function presentTodo(caller: Caller, stored: StoredTodo) {
  if (holds(caller, "memory:read")) return todoOf(stored);
  const { memory, state } = stored;
  return { todo_id: memory.memoryId, project_id: projectOf(memory), status: state.status };
}

/** A decision as it is shown to the caller; only its id and status if the caller lacks `memory:read`. */
export function presentDecision(caller: Caller, stored: StoredDecision) {
  if (holds(caller, "memory:read")) return decisionOf(stored);
  const { memory, state } = stored;
  return { decision_id: memory.memoryId, project_id: projectOf(memory), status: state.status };
}

export function todoOf(stored: StoredTodo): ProjectTodo {
  const { state } = stored;
  const isCompleted = state.status === "completed";
  const isCancelled = state.status === "cancelled";
  return {
    todo_id: stored.memory.memoryId,
    content: state.content,
    status: state.status,
    priority: state.priority,
    assignee_agent_id: state.assignee,
    accepted_by_agent_id: state.acceptedBy,
    blocked_reason: state.blockedReason,
    depends_on: [...stored.dependsOn],
    completed_at: isCompleted ? timeOrNull(state.endedAt) : null,
    completion_note: isCompleted ? state.endNote : null,
    cancelled_at: isCancelled ? timeOrNull(state.endedAt) : null,
    cancel_reason: isCancelled ? state.endNote : null,
    ...itemOf(stored),
  };
}

export function decisionOf(stored: StoredDecision): ProjectDecision {
  const { state } = stored;
  return {
    decision_id: stored.memory.memoryId,
    content: state.context,
    title: typeof state.extra.title === "string" ? state.extra.title : titleOf(state.context),
    decision: state.resolution,
    rationale: typeof state.extra.rationale === "string" ? state.extra.rationale : null,
    status: state.status,
    proposed_by_agent_id: state.proposedBy,
    resolved_by_agent_id: state.resolvedBy,
    impact_level: state.impactLevel,
    supersedes: stored.supersedes,
    superseded_by: stored.supersededBy,
    options: [...state.options],
    resolution: state.resolution,
    decision_context: state.context,
    resolved_at: timeOrNull(state.resolvedAt),
    ...itemOf(stored),
  };
}

function itemOf({ memory, state, trail, trailOmitted, sourceStatus }: StoredTodo | StoredDecision) {
  return {
    project_id: projectOf(memory),
    ...sourceOf({ state, sourceStatus }),
    bucket: memory.bucket,
    path: memory.path,
    scope: memory.scope,
    team_id: teamOf(memory),
    due_at: timeOrNull(state.dueAt),
    created_at: rfc3339(memory.createdAt),
    updated_at: rfc3339(memory.updatedAt),
    archived_at: memory.status === "archived" ? archivedAt(memory, trail) : null,
    redacted_at: timeOf(trail.find(isOf("redact"))),
    audit_trail: trail.map(lineOf),
    ...(trailOmitted > 0 ? { audit_trail_omitted: trailOmitted } : {}),
    extra_metadata: { ...state.extra },
    etag: etagOf(memory),
  };
}

/** The id and status of the memory that a todo or decision comes from. */
export function sourceOf({
  state: { sourceMemoryId },
  sourceStatus,
}: Pick<StoredTodo | StoredDecision, "state" | "sourceStatus">) {
  return {
    source_memory_id: sourceMemoryId,
    source_memory_status: sourceMemoryId === null ? null : (sourceStatus ?? ("missing" as const)),
  };
}

function lineOf({ at, operation, from, to, actor, note }: WorkspaceEvent): AuditLineItem {
  const { agentId, credentialKind, trust } = actor;
  return {
    at: rfc3339(at),
    operation,
    from,
    to,
    actor: { agent_id: agentId, token_kind: credentialKind, trust },
    note,
  };
}

/** Todos and decisions are always in a project. */
function projectOf(memory: ItemMemory): string {
  return memory.projectId as string;
}

/**
 * When it was last archived: a run may be undone, and a later one may archive it again. Falls back to the last change
 * for imports without a trail.
 */
function archivedAt({ updatedAt }: ItemMemory, trail: readonly WorkspaceEvent[]): string {
  return timeOf(trail.findLast(isOf("archive"))) ?? rfc3339(updatedAt);
}

function isOf(operation: string) {
  return (line: WorkspaceEvent) => line.operation === operation;
}

function timeOf(line: WorkspaceEvent | undefined): string | null {
  return timeOrNull(line?.at ?? null);
}

const TITLE_MAX = 120;

/** The first line, truncated to whole words if it is too long for a title. */
function titleOf(context: string): string {
  const line = context.trim().split("\n", 1)[0] ?? "";
  if (line.length <= TITLE_MAX) return line;
  const start = line.slice(0, TITLE_MAX);
  const end = start.lastIndexOf(" ");
  return `${(end > 0 ? start.slice(0, end) : start).toWellFormed()}…`;
}
