import type { TodoPriority, TodoStatus } from "../../contract/project.ts";
import type { Caller } from "../../core/caller.ts";
import type { ContextAsk, ContextFacts } from "../../core/project/context/facts.ts";
import type { AnySql, Fragment, Sql } from "./client.ts";
import { agentTraces, itemEvents, memoryEvents } from "./context-history.ts";
import { like, ofSession } from "./filter.ts";
import { columns, toRecord } from "./memory-row.ts";
import { dependencies, selectDecisions, selectTodos } from "./select-items.ts";
import { snapshot } from "./snapshot.ts";
import { visible } from "./visibility.ts";
import { itemStates } from "./workspace-sql.ts";

/**
 * What a context pack is made of: a fixed number of statements, each of which reads as many rows as are asked for by an
 * index that has them in that order. Only the counts read more, and these from the index alone.
 */
export function contextFacts(sql: Sql, caller: Caller, ask: ContextAsk): Promise<ContextFacts> {
  return snapshot(sql, async (tx) => {
    const workspace = workspaceRows(tx, caller, ask);
    const [summary, counts, reminders, todos, decisions, dueReminders, recent, ofItems, ofMemories, agents] =
      await Promise.all([
        summaryOf(tx, caller, ask, workspace),
        countsOf(tx, workspace, ask),
        countReminders(tx, caller, ask),
        unfinishedTodos(tx, caller, workspace, ask),
        liveDecisions(tx, caller, workspace, ask),
        dueRows(tx, caller, ask),
        recentRows(tx, workspace, ask),
        itemEvents(tx, workspace, ask),
        memoryEvents(tx, workspace, ask),
        agentTraces(tx, workspace, ask),
      ]);
    const events = [...ofItems, ...ofMemories].sort((a, b) => b.at - a.at).slice(0, ask.limit);
    return { ...summary, counts, reminders, todos, decisions, dueReminders, recent, events, agents };
  });
}

/** The workspace's rows that the caller sees, in the buckets asked for. */
function workspaceRows(sql: AnySql, caller: Caller, { workspace, bucket }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and m.project_id = ${workspace.projectId}
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}`;
}

async function summaryOf(
  sql: AnySql,
  caller: Caller,
  { workspace: { ownerId } }: ContextAsk,
  workspace: Fragment,
): Promise<Pick<ContextFacts, "standing" | "lastActivityAt">> {
  const [row] = await sql`
    select case when ${ownerId}::uuid = ${caller.owner.id} then 'self' else (
        select role from team_members where team_id = ${ownerId} and user_id = ${caller.owner.id}
      ) end as standing,
      greatest(
        (select m.updated_at from memories m where ${workspace} and m.workspace_item is null and m.status <> 'soft_deleted'
          order by m.updated_at desc, m.seq desc limit 1),
        (select max(newest.updated_at) from ${itemStates(sql)} cross join lateral (
          select m.updated_at from memories m
          where ${workspace} and m.workspace_item = state.item and m.item_status = state.status
          order by m.updated_at desc, m.seq desc limit 1) newest)
      ) as last_activity_at`;
  return {
    standing: (row?.standing ?? null) as ContextFacts["standing"],
    lastActivityAt: (row?.last_activity_at ?? null) as number | null,
  };
}

async function countsOf(
  sql: AnySql,
  workspace: Fragment,
  { now }: ContextAsk,
): Promise<ContextFacts["counts"]> {
  // What is archived is in no list either.
  const rows = await sql`
    select m.workspace_item as item, m.item_status as status,
      case when m.item_status in ('completed', 'cancelled') then null else m.item_agent end as agent,
      count(*) as count, count(*) filter (where m.due_at <= ${now}) as overdue
    from memories m where ${workspace} and m.workspace_item is not null and m.status <> 'archived'
    group by 1, 2, 3`;
  return rows as never;
}

/**
 * The most pressing: chosen from those that press most by each thing that presses (how long due, how weighty) and what
 * these wait for.
 */
async function unfinishedTodos(
  sql: AnySql,
  caller: Caller,
  workspace: Fragment,
  { limit, inOrder }: ContextAsk,
) {
  const rows = await sql`
    with pressing as (
      (select m.id from memories m
        where ${workspace} and m.memory_type = 'todo' and m.workspace_item = 'todo'
          and m.status in ('active', 'started') and m.due_at is not null
        order by m.due_at limit ${limit})
      union
      (select weighty.id from ${itemStates(sql)} cross join lateral (
        select m.id from memories m where ${workspace} and m.workspace_item = 'todo' and m.item_status = state.status
        order by m.importance desc, m.seq limit ${limit}) weighty
        where state.item = 'todo' and state.status not in ('completed', 'cancelled'))
    ), chosen as (
      select id from pressing
      union
      (select m.id from pressing join todo_dependencies d on d.todo = pressing.id join memories m on m.id = d.depends_on
        where ${workspace} and m.item_status not in ('completed', 'cancelled') limit ${limit})
    )
    select m.id, m.seq, m.created_at, t.priority, t.status, t.due_at, t.ended_at
    from chosen join memories m on m.id = chosen.id join todos t on t.id = chosen.id`;
  const { dependents } = await dependencies(
    sql,
    caller,
    rows.map((row) => row.id as string),
  );
  const ordered = inOrder(
    rows.map((row) => ({
      id: row.id as string,
      state: {
        priority: row.priority as TodoPriority,
        status: row.status as TodoStatus,
        dueAt: row.due_at as number | null,
        endedAt: row.ended_at as number | null,
      },
      dependents: dependents(row.id as string),
      createdAt: row.created_at as number,
      seq: row.seq as number,
    })),
  );
  const ids = ordered.slice(0, limit).map(({ id }) => id);
  return selectTodos(sql, caller, { ids, withTrail: false });
}

async function liveDecisions(sql: AnySql, caller: Caller, workspace: Fragment, { limit }: ContextAsk) {
  const decisions = sql`${workspace} and m.workspace_item = 'decision' and m.status <> 'archived'`;
  const rows = await sql`
    (select m.id from memories m where ${decisions} and m.item_status = 'proposed'
      order by m.importance desc, m.seq limit ${limit})
    union all
    (select m.id from memories m where ${decisions} and m.item_status = 'resolved'
      order by m.updated_at desc, m.seq desc limit ${limit})`;
  const ids = rows.map((row) => row.id as string);
  return selectDecisions(sql, caller, { ids, withTrail: false });
}

/** Reminders that are still to be done: the project's, and those of the owner that are of no project. */
function openReminders(sql: AnySql, caller: Caller, { workspace, bucket, now }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and (m.project_id = ${workspace.projectId} or m.project_id is null)
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}
    and m.memory_type = 'reminder' and m.workspace_item is null and m.due_at is not null
    and m.status in ('active', 'started') and (m.expires_at is null or m.expires_at > ${now})`;
}

async function countReminders(
  sql: AnySql,
  caller: Caller,
  ask: ContextAsk,
): Promise<ContextFacts["reminders"]> {
  const [row] = await sql`
    select count(*) filter (where m.due_at <= ${ask.now}) as due, count(*) filter (where m.due_at > ${ask.now}) as upcoming
    from memories m where ${openReminders(sql, caller, ask)}`;
  return { due: (row?.due ?? 0) as number, upcoming: (row?.upcoming ?? 0) as number };
}

async function dueRows(sql: AnySql, caller: Caller, ask: ContextAsk) {
  const rows = await sql`
    select ${columns(sql)} from memories m where ${openReminders(sql, caller, ask)} and m.due_at <= ${ask.now}
    order by m.due_at, m.seq limit ${ask.limit}`;
  return rows.map(toRecord);
}

async function recentRows(sql: AnySql, workspace: Fragment, { since, now, session, limit }: ContextAsk) {
  const rows = await sql`
    select ${columns(sql)} from memories m
    where ${workspace} and m.workspace_item is null and m.updated_at >= ${since}
      and m.status in ('active', 'started', 'completed') and (m.expires_at is null or m.expires_at > ${now})
      and not (m.memory_type = 'reminder' and m.status <> 'completed' and coalesce(m.due_at <= ${now}, false))
      and ${ofSession(sql, session)}
    order by m.updated_at desc, m.seq desc limit ${limit}`;
  return rows.map(toRecord);
}
