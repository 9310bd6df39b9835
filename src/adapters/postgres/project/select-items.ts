import type { TodoStatus } from "../../../contract/project.ts";
import type { Caller } from "../../../core/caller.ts";
import type { SnakeCase } from "../../../core/member-table.ts";
import type { Decision } from "../../../core/project/decision.ts";
import { isFinished, type Todo } from "../../../core/project/todo.ts";
import type { StoredDecision, StoredTodo, WorkspaceEvent } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { itemColumns, type MemoryRow, toItemMemory } from "../memory/memory-row.ts";
import { inOrderOfMeaning } from "../memory/seen-memories.ts";
import { statusAt } from "../memory/supersession.ts";
import { visible } from "../memory/visibility.ts";

/** Which todos or decisions: memories' rows, which the caller may see, and whether with their audit trails. */
interface ItemRows {
  readonly ids: readonly string[];
  readonly withTrail: boolean;
}

/**
 * The todos of these rows, in their order. What they refer to is answered as far as the caller sees it. All is read for
 * all rows at once and put together here: a subquery for each of ten thousand takes its time, and so may a join of which
 * the planner expects a few rows. The statements must see one snapshot, or the rows locked.
 */
export async function selectTodos(sql: AnySql, caller: Caller, of: ItemRows): Promise<StoredTodo[]> {
  const ids = of.ids as string[];
  if (ids.length === 0) return [];
  const [rows, trails, { dependsOn, dependents }] = await Promise.all([
    sql`select ${itemColumns(sql)}, ${todoState(sql)} from memories m join todos t on t.id = m.id where m.id = any(${ids})`,
    trailsOf(sql, of),
    dependencies(sql, caller, ids),
  ]);
  const common = await commonOf(sql, caller, rows, trails);
  return inOrderOf(ids, rows).map((row) => ({
    ...common(row),
    state: toTodo(row),
    dependsOn: dependsOn(row.id as string),
    dependents: dependents(row.id as string),
  }));
}

/** What these todos wait for, as public ids, and how many unfinished todos wait for them: as far as the caller sees. */
async function dependencies(sql: AnySql, caller: Caller, of: readonly string[]) {
  const ids = of as string[];
  const links = await sql`
    select d.todo, d.depends_on from todo_dependencies d
    where d.todo = any(${ids}) or d.depends_on = any(${ids}) order by d.place`;
  const linked = await linkedItems(
    sql,
    caller,
    links.flatMap((link) => [link.todo, link.depends_on] as string[]),
  );
  const needed = grouped(links, (link) => link.depends_on as string, "todo");
  const waiting = grouped(links, (link) => link.todo as string, "depends_on");
  const isUnfinished = (id: string) => {
    const status = linked.get(id)?.status ?? null;
    return status !== null && !isFinished(status as TodoStatus);
  };
  return {
    dependsOn: (id: string) => (needed.get(id) ?? []).flatMap((one) => linked.get(one)?.memoryId ?? []),
    dependents: (id: string) => (waiting.get(id) ?? []).filter(isUnfinished).length,
  };
}

/** The same for decisions. */
export async function selectDecisions(sql: AnySql, caller: Caller, of: ItemRows): Promise<StoredDecision[]> {
  const ids = of.ids as string[];
  if (ids.length === 0) return [];
  const [rows, trails, links] = await Promise.all([
    sql`select ${itemColumns(sql)}, ${decisionState(sql)} from memories m join decisions d on d.id = m.id where m.id = any(${ids})`,
    trailsOf(sql, of),
    sql`
      select d.id as newer, d.supersedes as older from decisions d
      where d.supersedes is not null and (d.id = any(${ids}) or d.supersedes = any(${ids}))`,
  ]);
  const common = await commonOf(sql, caller, rows, trails);
  const linked = await linkedItems(
    sql,
    caller,
    links.flatMap((link) => [link.newer, link.older] as string[]),
  );
  const older = new Map(links.map((link) => [link.newer as string, link.older as string]));
  const newer = new Map(links.map((link) => [link.older as string, link.newer as string]));
  const shown = (id: string | undefined) => (id === undefined ? null : (linked.get(id)?.memoryId ?? null));
  return inOrderOf(ids, rows).map((row) => ({
    ...common(row),
    state: toDecision(row),
    supersedes: shown(older.get(row.id as string)),
    supersededBy: shown(newer.get(row.id as string)),
  }));
}

/** Public ids and states of the items among these rows that the caller sees and that are not deleted; null for redacted ones. */
async function linkedItems(
  sql: AnySql,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, { readonly memoryId: string; readonly status: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql`
    select m.id, m.memory_id, m.item_status
    -- By their ids first (offset 0 keeps the planner from anything else).
    from (select * from memories where id = any(${[...new Set(ids)]}) offset 0) m
    where m.status <> 'soft_deleted' and ${visible(sql, caller)}`;
  return new Map(
    rows.map((row) => [
      row.id as string,
      { memoryId: row.memory_id as string, status: row.item_status as string | null },
    ]),
  );
}

/** What happened to each of these rows, oldest first. */
async function trailsOf(sql: AnySql, { ids, withTrail }: ItemRows): Promise<Map<string, WorkspaceEvent[]>> {
  if (!withTrail) return new Map();
  const events = await sql`
    select e.item, e.at, e.operation, e.from_status, e.to_status, e.agent_id, e.token_kind, e.trust, e.note
    from workspace_events e where e.item = any(${ids as string[]}) order by e.id`;
  return grouped(events, toEvent, "item");
}

/** What todos and decisions have in common, as a function of the row. */
async function commonOf(
  sql: AnySql,
  caller: Caller,
  rows: readonly MemoryRow[],
  trails: ReadonlyMap<string, WorkspaceEvent[]>,
) {
  const statuses = await sourceStatuses(
    sql,
    caller,
    rows.flatMap((row) => (row.source_memory_id === null ? [] : [row.source_memory_id as string])),
  );
  return (row: MemoryRow) => ({
    memory: toItemMemory(row),
    trail: trails.get(row.id as string) ?? [],
    sourceStatus: statuses.get(row.source_memory_id as string) ?? null,
  });
}

/** The status of those of these memories that the caller sees, by public id. */
async function sourceStatuses(
  sql: AnySql,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, StoredTodo["sourceStatus"]>> {
  if (ids.length === 0) return new Map();
  // What was soft-deleted is gone for a reader.
  const rows = await sql`
    select distinct on (m.memory_id) m.memory_id, ${statusAt(sql, sql`now()`)} as status
    from memories m
    where m.memory_id = any(${[...new Set(ids)]}) and m.status <> 'soft_deleted' and ${visible(sql, caller)}
    order by m.memory_id, ${inOrderOfMeaning(sql, caller)}`;
  return new Map(rows.map((row) => [row.memory_id as string, row.status as StoredTodo["sourceStatus"]]));
}

function grouped<T>(rows: readonly MemoryRow[], read: (row: MemoryRow) => T, key = "id"): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row[key] as string);
    if (group) group.push(read(row));
    else groups.set(row[key] as string, [read(row)]);
  }
  return groups;
}

function inOrderOf(ids: readonly string[], rows: readonly MemoryRow[]): MemoryRow[] {
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/** The state of the todo `t`, under names that differ from its memory's columns. */
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

/** The state of the decision `d`, under names that differ from its memory's columns. */
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
