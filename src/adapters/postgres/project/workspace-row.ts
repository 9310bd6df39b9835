import type { SnakeCase } from "../../../core/member-table.ts";
import type { Decision } from "../../../core/project/decision.ts";
import type { Todo } from "../../../core/project/todo.ts";
import type { WorkspaceEvent } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import type { MemoryRow } from "../memory/memory-row.ts";

/** The state of the todo `t`, named apart from the columns of its memory. */
export function todoState(sql: AnySql): Fragment {
  return sql`t.content as state_content, t.status as state_status, t.priority, t.assignee, t.accepted_by, t.blocked_from,
    t.blocked_reason, t.due_at as state_due_at, t.ended_at, t.end_note, t.source_memory_id, t.extra`;
}

export function toTodo(row: MemoryRow): Todo {
  return {
    content: row.state_content as string,
    status: row.state_status as Todo["status"],
    priority: row.priority as Todo["priority"],
    assignee: row.assignee as string | null,
    acceptedBy: row.accepted_by as string | null,
    blockedFrom: row.blocked_from as Todo["blockedFrom"],
    blockedReason: row.blocked_reason as string | null,
    dueAt: row.state_due_at as number | null,
    endedAt: row.ended_at as number | null,
    endNote: row.end_note as string | null,
    sourceMemoryId: row.source_memory_id as string | null,
    extra: row.extra as Todo["extra"],
  };
}

/** The columns of a todo, but for its id. */
export function todoColumns(todo: Todo) {
  return {
    content: todo.content,
    status: todo.status,
    priority: todo.priority,
    assignee: todo.assignee,
    accepted_by: todo.acceptedBy,
    blocked_from: todo.blockedFrom,
    blocked_reason: todo.blockedReason,
    due_at: todo.dueAt,
    ended_at: todo.endedAt,
    end_note: todo.endNote,
    source_memory_id: todo.sourceMemoryId,
    extra: todo.extra as never,
  } satisfies Record<SnakeCase<keyof Todo>, unknown>;
}

/** The state of the decision `d`, named apart from the columns of its memory. */
export function decisionState(sql: AnySql): Fragment {
  return sql`d.context, d.options, d.impact_level, d.status as state_status, d.proposed_by, d.resolution, d.resolved_by,
    d.resolved_at, d.due_at as state_due_at, d.source_memory_id, d.extra`;
}

export function toDecision(row: MemoryRow): Decision {
  return {
    context: row.context as string,
    options: row.options as string[],
    impactLevel: row.impact_level as Decision["impactLevel"],
    status: row.state_status as Decision["status"],
    proposedBy: row.proposed_by as string | null,
    resolution: row.resolution as string | null,
    resolvedBy: row.resolved_by as string | null,
    resolvedAt: row.resolved_at as number | null,
    dueAt: row.state_due_at as number | null,
    sourceMemoryId: row.source_memory_id as string | null,
    extra: row.extra as Decision["extra"],
  };
}

/** The columns of a decision, but for its id and what it supersedes. */
export function decisionColumns(decision: Decision) {
  return {
    context: decision.context,
    options: decision.options as never,
    impact_level: decision.impactLevel,
    status: decision.status,
    proposed_by: decision.proposedBy,
    resolution: decision.resolution,
    resolved_by: decision.resolvedBy,
    resolved_at: decision.resolvedAt,
    due_at: decision.dueAt,
    source_memory_id: decision.sourceMemoryId,
    extra: decision.extra as never,
  } satisfies Record<SnakeCase<keyof Decision>, unknown>;
}

/** A row of `workspace_events`. */
export function toEvent(row: MemoryRow): WorkspaceEvent {
  return {
    at: row.at as number,
    operation: row.operation as string,
    from: row.from_status as string | null,
    to: row.to_status as string,
    actor: {
      agentId: row.agent_id as string | null,
      credentialKind: row.token_kind as string,
      trust: row.trust as WorkspaceEvent["actor"]["trust"],
    },
    note: row.note as string | null,
  };
}
