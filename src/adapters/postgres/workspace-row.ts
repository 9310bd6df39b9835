import type { Caller } from "../../core/caller.ts";
import type { Decision } from "../../core/project/decision.ts";
import type { Todo } from "../../core/project/todo.ts";
import type { StoredDecision, StoredTodo, WorkspaceEvent } from "../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "./client.ts";
import { columns, type MemoryRow, toRecord } from "./memory-row.ts";
import { visible } from "./visibility.ts";

/**
 * The todos among the rows `m` that `where` leaves, which is to say that the caller may see them; `t` is the todo's own.
 * What they refer to is answered as far as the caller sees it.
 */
export async function selectTodos(
  sql: AnySql,
  caller: Caller,
  where: Fragment,
  order: Fragment = sql``,
): Promise<StoredTodo[]> {
  const rows = await sql`
    select ${columns(sql)}, to_jsonb(t) as state, ${trail(sql)} as trail,
      ${sourceStatus(sql, caller, sql`t.source_memory_id`)} as source_status,
      array(
        select m.memory_id from todo_dependencies d join memories m on m.id = d.depends_on
        where d.todo = t.id and ${visible(sql, caller)} order by d.place
      ) as depends_on,
      (
        select count(*) from todo_dependencies d join todos waiting on waiting.id = d.todo join memories m on m.id = d.todo
        where d.depends_on = t.id and waiting.status not in ('completed', 'cancelled') and ${visible(sql, caller)}
      ) as dependents
    from memories m join todos t on t.id = m.id where ${where} ${order}`;
  return rows.map((row) => ({
    ...toItem(row),
    state: toTodo(row.state),
    dependsOn: row.depends_on,
    dependents: row.dependents,
  }));
}

/** The same for decisions: `d` is the decision's own. */
export async function selectDecisions(
  sql: AnySql,
  caller: Caller,
  where: Fragment,
  order: Fragment = sql``,
): Promise<StoredDecision[]> {
  const rows = await sql`
    select ${columns(sql)}, to_jsonb(d) as state, ${trail(sql)} as trail,
      ${sourceStatus(sql, caller, sql`d.source_memory_id`)} as source_status,
      (select m.memory_id from memories m where m.id = d.supersedes and ${visible(sql, caller)}) as old_id,
      (
        select m.memory_id from decisions later join memories m on m.id = later.id
        where later.supersedes = d.id and ${visible(sql, caller)}
      ) as new_id
    from memories m join decisions d on d.id = m.id where ${where} ${order}`;
  return rows.map((row) => ({
    ...toItem(row),
    state: toDecision(row.state),
    supersedes: row.old_id,
    supersededBy: row.new_id,
  }));
}

function trail(sql: AnySql): Fragment {
  return sql`(
    select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]') from workspace_events e where e.item = m.id
  )`;
}

/** Ids are resolved in the credential's own space first, as everywhere. What was soft-deleted is gone for a reader. */
function sourceStatus(sql: AnySql, caller: Caller, id: Fragment): Fragment {
  return sql`(
    select case when m.status in ('active', 'started', 'completed') and m.expires_at <= now() then 'expired' else m.status end
    from memories m where m.memory_id = ${id} and m.status <> 'soft_deleted' and ${visible(sql, caller)}
    order by (m.owner_id = ${caller.owner.id}) desc, m.seq limit 1
  )`;
}

type Row = Readonly<Record<string, unknown>>;

function toItem(row: MemoryRow) {
  return {
    memory: toRecord(row),
    sourceStatus: row.source_status as StoredTodo["sourceStatus"],
    trail: (row.trail as Row[]).map(
      (event): WorkspaceEvent => ({
        at: instant(event.at) as number,
        operation: event.operation as string,
        from: event.from_status as string | null,
        to: event.to_status as string,
        actor: {
          agentId: event.agent_id as string | null,
          credentialKind: event.token_kind as string,
          trust: event.trust as WorkspaceEvent["actor"]["trust"],
        },
        note: event.note as string | null,
      }),
    ),
  };
}

function toTodo(row: Row): Todo {
  return {
    content: row.content as string,
    status: row.status as Todo["status"],
    priority: row.priority as Todo["priority"],
    assignee: row.assignee as string | null,
    acceptedBy: row.accepted_by as string | null,
    blockedFrom: row.blocked_from as Todo["blockedFrom"],
    blockedReason: row.blocked_reason as string | null,
    dueAt: instant(row.due_at),
    endedAt: instant(row.ended_at),
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
  };
}

function toDecision(row: Row): Decision {
  return {
    context: row.context as string,
    options: row.options as string[],
    impactLevel: row.impact_level as Decision["impactLevel"],
    status: row.status as Decision["status"],
    proposedBy: row.proposed_by as string | null,
    resolution: row.resolution as string | null,
    resolvedBy: row.resolved_by as string | null,
    resolvedAt: instant(row.resolved_at),
    dueAt: instant(row.due_at),
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
  };
}

/** An instant inside a JSON document, where the driver does not read it. */
function instant(value: unknown): number | null {
  return typeof value === "string" ? Date.parse(value) : null;
}
