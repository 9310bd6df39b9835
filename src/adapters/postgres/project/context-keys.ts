import type { Caller } from "../../../core/caller.ts";
import type { ContextAsk, ContextKeys } from "../../../core/project/context/facts.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { like, ofSession } from "../memory/filter.ts";
import { hasLiveStatus, isLive } from "../memory/supersession.ts";
import { visible } from "../memory/visibility.ts";
import { itemStates } from "./workspace-sql.ts";

/**
 * The most pressing todos: chosen from those that press most by each thing that presses (how long due, how weighty) and
 * what these wait for.
 */
export async function todoKeys(
  sql: AnySql,
  caller: Caller,
  workspace: Fragment,
  { limit }: ContextAsk,
): Promise<ContextKeys["todos"]> {
  const rows = await sql`
    with pressing as (
      (select m.id, m.seq, m.created_at from memories m
        where ${workspace} and m.memory_type = 'todo' and m.workspace_item = 'todo'
          and m.status in ('active', 'started') and m.due_at is not null
        order by m.due_at limit ${limit})
      union
      (select weighty.* from ${itemStates(sql)} cross join lateral (
        select m.id, m.seq, m.created_at from memories m
        where ${workspace} and m.workspace_item = 'todo' and m.item_status = state.status
        order by m.importance desc, m.seq limit ${limit}) weighty
        where state.item = 'todo' and state.status not in ('completed', 'cancelled'))
    ), chosen as (
      select * from pressing
      union
      (select needed.* from pressing join todo_dependencies d on d.todo = pressing.id cross join lateral (
        select m.id, m.seq, m.created_at
        -- By its id (offset 0 keeps the planner from reading the workspace for it).
        from (select * from memories where id = d.depends_on offset 0) m
        where ${workspace} and m.item_status not in ('completed', 'cancelled')) needed
        limit ${limit})
    )
    select chosen.id, chosen.seq, chosen.created_at, t.priority, t.status, t.due_at, t.ended_at, waiting.count as dependents
    from chosen join todos t on t.id = chosen.id cross join lateral (
      select count(*) from todo_dependencies d join memories m on m.id = d.todo
      where d.depends_on = chosen.id and m.item_status not in ('completed', 'cancelled') and ${visible(sql, caller)}
    ) waiting`;
  return rows.map((row) => ({
    id: row.id as string,
    seq: row.seq as number,
    createdAt: row.created_at as number,
    dependents: row.dependents as number,
    state: {
      priority: row.priority as ContextKeys["todos"][number]["state"]["priority"],
      status: row.status as ContextKeys["todos"][number]["state"]["status"],
      dueAt: row.due_at as number | null,
      endedAt: row.ended_at as number | null,
    },
  }));
}

/** Proposed decisions of the greatest impact, and those resolved last. */
export async function decisionKeys(
  sql: AnySql,
  workspace: Fragment,
  { limit }: ContextAsk,
): Promise<ContextKeys["decisions"]> {
  const decisions = sql`${workspace} and m.workspace_item = 'decision' and m.status <> 'archived'`;
  const rows = await sql`
    select key.*, d.status, d.impact_level, d.due_at, d.resolved_at from (
      (select m.id, m.seq, m.updated_at from memories m where ${decisions} and m.item_status = 'proposed'
        order by m.importance desc, m.seq limit ${limit})
      union all
      (select m.id, m.seq, m.updated_at from memories m where ${decisions} and m.item_status = 'resolved'
        order by m.updated_at desc, m.seq desc limit ${limit})
    ) key join decisions d on d.id = key.id`;
  return rows.map((row) => ({
    id: row.id as string,
    memory: { seq: row.seq as number, updatedAt: row.updated_at as number },
    state: {
      status: row.status as ContextKeys["decisions"][number]["state"]["status"],
      impactLevel: row.impact_level as ContextKeys["decisions"][number]["state"]["impactLevel"],
      dueAt: row.due_at as number | null,
      resolvedAt: row.resolved_at as number | null,
    },
  }));
}

/** Reminders `m` that are still to be done: the project's, and those of the owner that are of no project. */
export function openReminders(sql: AnySql, caller: Caller, { workspace, bucket, now }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and (m.project_id = ${workspace.projectId} or m.project_id is null)
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}
    and m.memory_type = 'reminder' and m.workspace_item is null and m.due_at is not null
    and ${hasLiveStatus(sql, sql`('active', 'started')`, now)}`;
}

/** Those of them that are due, the longest due first. */
export async function reminderKeys(
  sql: AnySql,
  caller: Caller,
  ask: ContextAsk,
): Promise<ContextKeys["reminders"]> {
  const rows = await sql`
    select m.id, m.seq, m.due_at, m.created_at from memories m
    where ${openReminders(sql, caller, ask)} and m.due_at <= ${ask.now}
    order by m.due_at, m.seq limit ${ask.limit}`;
  return rows.map((row) => ({
    id: row.id as string,
    seq: row.seq as number,
    dueAt: row.due_at as number,
    createdAt: row.created_at as number,
  }));
}

/** Other live memories of the project, the latest change first; without reminders that are due. */
export async function recentKeys(
  sql: AnySql,
  workspace: Fragment,
  { since, now, session, limit }: ContextAsk,
): Promise<ContextKeys["recent"]> {
  const rows = await sql`
    select m.id, m.memory_type, m.importance, m.confidence, m.updated_at from memories m
    where ${workspace} and m.workspace_item is null and m.updated_at >= ${since} and ${isLive(sql, now)}
      and not (m.memory_type = 'reminder' and m.status <> 'completed' and coalesce(m.due_at <= ${now}, false))
      and ${ofSession(sql, session)}
    order by m.updated_at desc, m.seq desc limit ${limit}`;
  return rows.map((row) => ({
    id: row.id as string,
    memoryType: row.memory_type as string,
    importance: row.importance as number,
    confidence: row.confidence as number,
    updatedAt: row.updated_at as number,
  }));
}
