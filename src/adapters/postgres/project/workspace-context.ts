import { decisionStatuses, todoStatuses } from "../../../contract/project.ts";
import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type {
  AgentTrace,
  ContextAsk,
  ContextEvent,
  ContextFacts,
  ContextKeys,
} from "../../../core/project/context/facts.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { snapshot } from "../database/transactions.ts";
import { ofSession } from "../memory/filter.ts";
import { columns, toRecord } from "../memory/memory-row.ts";
import { pairsOf, type RowsOfOwner } from "../memory/owned-rows.ts";
import { like } from "../memory/pattern.ts";
import { hasLiveStatus, isInStatus, isLive, statusAt } from "../memory/supersession.ts";
import { visible } from "../memory/visibility.ts";
import { authorColumns, authorTrust } from "./author-trust.ts";
import { decisionKeyColumns, finishedStatuses, todoKeyColumns } from "./item-row.ts";
import { selectDecisions, selectTodos } from "./select-items.ts";

/**
 * Reads the facts of a context pack: a fixed number of statements, each of which reads as many rows as are needed by an index
 * in that order. Only the counts read more, and these from the index alone unless the caller is confined to a path. Keys are
 * read first, then whole rows of the chosen ones.
 */
export function contextFacts(sql: Sql, caller: Caller, ask: ContextAsk): Promise<ContextFacts> {
  return snapshot(sql, async (tx) => {
    const workspace = workspaceRows(tx, caller, ask);
    const [, summary, counts, todos, reminders, decisions, recent, ofItems, ofMemories, agents] =
      await Promise.all([
        readByIndex(tx),
        summaryOf(tx, caller, ask, workspace),
        itemCounts(tx, workspace, ask),
        todoKeys(tx, caller, workspace, ask),
        reminderKeys(tx, caller, ask),
        decisionKeys(tx, workspace, ask),
        recentKeys(tx, workspace, ask),
        itemEvents(tx, workspace, ask),
        memoryEvents(tx, workspace, ask),
        agentTraces(tx, workspace, ask),
      ]);
    const events = [...ofItems, ...ofMemories].sort((a, b) => b.at - a.at).slice(0, ask.limit);
    const choice = ask.choose({ todos, reminders, decisions, recent });
    return { ...summary, counts, events, agents, choice, ...(await rowsOf(tx, caller, ask, choice)) };
  });
}

/**
 * Makes the planner read the first rows by the index in their order, and others by their ids. Without statistics on
 * projects, it takes each for small, so any index and a sort, or a sequential scan, look as good to it. With these
 * settings, a statement that needs a sort looks so expensive that Postgres would compile it first, which takes seconds,
 * so JIT is off too.
 */
async function readByIndex(sql: AnySql): Promise<void> {
  await sql`
    select set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`;
}

/** Condition for the workspace's rows that the caller may see, in the requested buckets. */
function workspaceRows(sql: AnySql, caller: Caller, { workspace, bucket }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and m.project_id = ${workspace.projectId}
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}`;
}

async function rowsOf(
  sql: AnySql,
  caller: Caller,
  { workspace: { ownerId } }: ContextAsk,
  choice: ContextFacts["choice"],
): Promise<Pick<ContextFacts, "todos" | "decisions" | "dueReminders" | "recent">> {
  const [todos, decisions, memories] = await Promise.all([
    selectTodos(sql, caller, { ownerId, ids: choice.todos, withTrail: false }),
    selectDecisions(sql, caller, { ownerId, ids: choice.decisions, withTrail: false }),
    memoriesOf(sql, caller, { ownerId, ids: [...choice.reminders, ...choice.recent] }),
  ]);
  const inOrder = (ids: readonly string[]) =>
    ids.map((id) => memories.get(id)).filter((memory) => memory !== undefined);
  return { todos, decisions, dueReminders: inOrder(choice.reminders), recent: inOrder(choice.recent) };
}

async function memoriesOf(
  sql: AnySql,
  caller: Caller,
  { ownerId, ids }: RowsOfOwner,
): Promise<Map<string, MemoryRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await sql`
    select ${columns(sql)}
    from (select * from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })} offset 0) m
    where ${visible(sql, caller)}`;
  return new Map(rows.map((row) => [row.id as string, toRecord(row)]));
}

/**
 * Condition for rows `m` without an agent, as the owner writes them. They are also read separately, so that agents
 * cannot crowd them out.
 */
function unattributed(sql: AnySql): Fragment {
  return sql`m.agent_id is null`;
}

/**
 * Keys of the most pressing todos: those longest due and those of the most weight, both once more among todos without
 * an agent, and the todos that any of these depend on.
 */
async function todoKeys(
  sql: AnySql,
  caller: Caller,
  workspace: Fragment,
  { limit }: ContextAsk,
): Promise<ContextKeys["todos"]> {
  const longestDue = (rows: Fragment) => sql`
    (select m.id, m.owner_id, m.seq, m.created_at from memories m
      where ${rows} and m.memory_type = 'todo' and m.workspace_item = 'todo'
        and m.status in ('active', 'started') and m.due_at is not null
      order by m.due_at limit ${limit})`;
  const weightiest = (rows: Fragment) => sql`
    (select weighty.* from ${itemStates(sql)} cross join lateral (
      select m.id, m.owner_id, m.seq, m.created_at from memories m
      where ${rows} and m.workspace_item = 'todo' and m.item_status = state.status
      order by m.importance desc, m.seq limit ${limit}) weighty
      where state.item = 'todo' and state.status not in ${finishedStatuses(sql)})`;
  const owners = sql`${workspace} and ${unattributed(sql)}`;
  const rows = await sql`
    with pressing as (
      ${longestDue(workspace)} union ${weightiest(workspace)} union ${longestDue(owners)} union ${weightiest(owners)}
    ), chosen as (
      select * from pressing
      union
      (select needed.* from pressing join todo_dependencies d on d.owner_id = pressing.owner_id and d.todo = pressing.id cross join lateral (
        select m.id, m.owner_id, m.seq, m.created_at
        -- By its id (offset 0 keeps the planner from reading the workspace for it).
        from (select * from memories where owner_id = d.owner_id and id = d.depends_on offset 0) m
        where ${workspace} and m.item_status not in ${finishedStatuses(sql)}) needed
        limit ${limit})
    )
    select ${todoKeyColumns(sql)}, waiting.count as dependents, ${authorColumns(sql)}
    from chosen join memories m on m.owner_id = chosen.owner_id and m.id = chosen.id
    join todos t on t.owner_id = chosen.owner_id and t.id = chosen.id cross join lateral (
      select count(*) from todo_dependencies d join memories m on m.owner_id = d.owner_id and m.id = d.todo
      where d.owner_id = chosen.owner_id and d.depends_on = chosen.id and m.item_status not in ${finishedStatuses(sql)}
        and not m.provenance ? 'adopted_from' and ${visible(sql, caller)}
    ) waiting`;
  return rows.map(fromRow<ContextKeys["todos"][number]>);
}

/**
 * Keys of the proposed decisions of the greatest impact and of those resolved last, and of as many of both without an
 * agent.
 */
async function decisionKeys(
  sql: AnySql,
  workspace: Fragment,
  { limit }: ContextAsk,
): Promise<ContextKeys["decisions"]> {
  const decisions = sql`${workspace} and m.workspace_item = 'decision' and m.status <> 'archived'`;
  const weightiest = (rows: Fragment) => sql`
    (select m.id, m.owner_id from memories m where ${rows} and m.item_status = 'proposed'
      order by m.importance desc, m.seq limit ${limit})`;
  const latest = (rows: Fragment) => sql`
    (select m.id, m.owner_id from memories m where ${rows} and m.item_status = 'resolved'
      order by m.updated_at desc, m.seq desc limit ${limit})`;
  const owners = sql`${decisions} and ${unattributed(sql)}`;
  const rows = await sql`
    with key as (
      ${weightiest(decisions)} union ${latest(decisions)} union ${weightiest(owners)} union ${latest(owners)}
    )
    select ${decisionKeyColumns(sql)}, ${authorColumns(sql)}
    from key join memories m on m.owner_id = key.owner_id and m.id = key.id
    join decisions d on d.owner_id = key.owner_id and d.id = key.id`;
  return rows.map(fromRow<ContextKeys["decisions"][number]>);
}

/**
 * Condition for reminders `m` that are still to be done: those of the project, and those of the owner without a
 * project.
 */
function openReminders(sql: AnySql, caller: Caller, { workspace, bucket, now }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and (m.project_id = ${workspace.projectId} or m.project_id is null)
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}
    and m.memory_type = 'reminder' and m.workspace_item is null and m.due_at is not null
    and ${hasLiveStatus(sql, TO_DO(sql), now)}`;
}

/** The live statuses of a reminder that is still to be done, as SQL. */
export const TO_DO = (sql: AnySql): Fragment => sql`('active', 'started')`;

/** Keys of the open reminders that are due, the longest due first, and of as many without an agent. */
async function reminderKeys(sql: AnySql, caller: Caller, ask: ContextAsk): Promise<ContextKeys["reminders"]> {
  const longestDue = (rows: Fragment) => sql`
    (select m.id, m.seq, m.due_at, m.created_at, ${authorColumns(sql)} from memories m
    where ${rows} and m.due_at <= ${ask.now} order by m.due_at, m.seq limit ${ask.limit})`;
  const open = openReminders(sql, caller, ask);
  const rows = await sql`
    ${longestDue(open)} union ${longestDue(sql`${open} and ${unattributed(sql)}`)}`;
  return rows.map(fromRow<ContextKeys["reminders"][number]>);
}

/** Keys of other live memories of the project, the latest change first, except reminders that are due. */
async function recentKeys(
  sql: AnySql,
  workspace: Fragment,
  { since, now, session, limit }: ContextAsk,
): Promise<ContextKeys["recent"]> {
  const rows = await sql`
    select m.id, m.memory_type, m.importance, m.confidence, m.updated_at from memories m
    where ${workspace} and m.workspace_item is null and m.updated_at >= ${since} and ${isLive(sql, now)}
      and not (m.memory_type = 'reminder' and ${isInStatus(sql, TO_DO(sql), now)} and coalesce(m.due_at <= ${now}, false))
      and ${ofSession(sql, session)}
    order by m.updated_at desc, m.seq desc limit ${limit}`;
  return rows.map(fromRow<ContextKeys["recent"][number]>);
}

/** Reads when something last happened in the workspace, and how many reminders it has. */
async function summaryOf(
  sql: AnySql,
  caller: Caller,
  ask: ContextAsk,
  workspace: Fragment,
): Promise<Pick<ContextFacts, "lastActivityAt" | "reminders">> {
  const [row] = await sql`
    select greatest(
      (select m.updated_at from memories m where ${workspace} and m.workspace_item is null and m.status <> 'soft_deleted'
        order by m.updated_at desc, m.seq desc limit 1),
      (select max(newest.updated_at) from ${itemStates(sql)} cross join lateral (
        select m.updated_at from memories m
        where ${workspace} and m.workspace_item = state.item and m.item_status = state.status
        order by m.updated_at desc, m.seq desc limit 1) newest)
    ) as last_activity_at, reminders.due, reminders.upcoming
    from (
      select count(*) filter (where m.due_at <= ${ask.now}) as due, count(*) filter (where m.due_at > ${ask.now}) as upcoming
      from memories m where ${openReminders(sql, caller, ask)}
    ) reminders`;
  return {
    lastActivityAt: (row?.last_activity_at ?? null) as number | null,
    reminders: { due: (row?.due ?? 0) as number, upcoming: (row?.upcoming ?? 0) as number },
  };
}

/** Counts todos and decisions by state and agent. Archived ones are not counted, as they are not listed. */
async function itemCounts(
  sql: AnySql,
  workspace: Fragment,
  { now }: ContextAsk,
): Promise<ContextFacts["counts"]> {
  // Reads state by state, in the order of the index, so that thousands of rows need not be sorted or hashed.
  const rows = await sql`
    select state.item, state.status, counted.* from ${itemStates(sql)} cross join lateral (
      select m.item_agent as agent, count(*) as count, count(*) filter (where m.due_at <= ${now}) as overdue from memories m
      where ${workspace} and m.workspace_item = state.item and m.item_status = state.status and m.status <> 'archived'
      group by m.item_agent
    ) counted`;
  return rows as never;
}

/** Maximum characters of a text that a line of a history shows. */
const BEGINNING = 400;
/** Maximum number of a project's agents that are read, by name. */
const AGENTS_MAX = 1000;

/**
 * Steps of todos and decisions, newest first. Every step changes its memory, so the latest steps are among the memories that
 * were changed last.
 */
async function itemEvents(
  sql: AnySql,
  workspace: Fragment,
  { workspace: { ownerId }, since, now, limit }: ContextAsk,
): Promise<ContextEvent[]> {
  const rows = await sql`
    select e.item as row, e.at, e.operation, e.from_status as "from", e.to_status as "to", e.agent_id, e.trust, m.memory_id as id,
      m.workspace_item as kind,
      case when ${isLive(sql, now)} then left(m.content, ${BEGINNING}) end as beginning
    from (
      select newest.id from ${itemStates(sql)} cross join lateral (
        select m.id, m.updated_at, m.seq from memories m
        where ${workspace} and m.workspace_item = state.item and m.item_status = state.status and m.updated_at >= ${since}
        order by m.updated_at desc, m.seq desc limit ${limit}) newest
      order by newest.updated_at desc, newest.seq desc limit ${limit}
    ) changed cross join lateral (
      select * from workspace_events e where e.owner_id = ${ownerId} and e.item = changed.id and e.at >= ${since} order by e.id desc limit ${limit}
    ) e join memories m on m.owner_id = e.owner_id and m.id = e.item
    order by e.at desc, e.id desc limit ${limit}`;
  return rows.map(fromRow<ContextEvent>);
}

/** Writes and changes of a project's other memories, newest first. */
async function memoryEvents(
  sql: AnySql,
  workspace: Fragment,
  { since, now, session, limit }: ContextAsk,
): Promise<ContextEvent[]> {
  const rows = await sql`
    select m.id as row, m.memory_id as id, m.status as "to", m.created_at, m.updated_at, m.agent_id, ${authorTrust(sql)} as trust,
      case when ${isLive(sql, now)} then left(m.content, ${BEGINNING}) end as beginning
    from memories m
    where ${workspace} and m.workspace_item is null and m.updated_at >= ${since} and m.status <> 'soft_deleted'
      and ${ofSession(sql, session)}
    order by m.updated_at desc, m.seq desc limit ${limit}`;
  return rows.flatMap(
    ({ created_at: createdAt, updated_at: updatedAt, agent_id: agentId, trust, ...row }) => {
      const event = {
        ...(row as Pick<ContextEvent, "row" | "id" | "to" | "beginning">),
        kind: "memory",
        from: null,
      } as const;
      // The row does not say who changed it.
      const changed = {
        ...event,
        at: updatedAt,
        operation: "change",
        agentId: null,
        trust: "unattributed",
      } as const;
      const stored = { ...event, at: createdAt, operation: "store", agentId, trust };
      return [...(updatedAt > createdAt ? [changed] : []), ...(createdAt >= since ? [stored] : [])];
    },
  );
}

/** The agents that stored something in the project, the latest active first. */
async function agentTraces(sql: AnySql, workspace: Fragment, ask: ContextAsk): Promise<AgentTrace[]> {
  const { ownerId, projectId } = ask.workspace;
  const ofProject = sql`m.owner_id = ${ownerId} and m.project_id = ${projectId}`;
  // Steps from each agent to the next by the index, and reads the newest row of each that the caller may see.
  const rows = await sql`
    with recursive agent (id) as (
      (select m.agent_id from memories m where ${ofProject} and m.agent_id is not null order by m.agent_id limit 1)
      union all
      select (select m.agent_id from memories m where ${ofProject} and m.agent_id > agent.id order by m.agent_id limit 1)
      from agent where agent.id is not null
    )
    select known.id as agent_id, last.*, task.*
    from (select id from agent where id is not null limit ${AGENTS_MAX}) known
    cross join lateral (
      select m.created_at as at, ${authorTrust(sql)} as trust from memories m
      where ${workspace} and m.agent_id = known.id and m.status <> 'soft_deleted' order by m.seq desc limit 1
    ) last
    left join lateral (
      select m.memory_id as "task?.id", ${statusAt(sql, ask.now)} as "task?.status", m.provenance ->> 'task_id' as "task?.task_id",
        m.updated_at as "task?.at"
      from memories m
      where ${workspace} and m.agent_id = known.id and m.memory_type = 'working'
        and ${hasLiveStatus(sql, sql`('started', 'completed')`, ask.now)}
      order by m.updated_at desc limit 1
    ) task on true
    order by last.at desc, known.id limit ${ask.limit}`;
  return rows.map(fromRow<AgentTrace>);
}

/** Every state of todos and decisions, for reading the rows of each by an index that has them in another order. */
function itemStates(sql: AnySql): Fragment {
  return sql.unsafe(`(values ${ITEM_STATES.join(", ")}) as state (item, status)`);
}

/** As SQL. None contains a quote. */
const ITEM_STATES = [
  ...todoStatuses.map((status) => `('todo', '${status}')`),
  ...decisionStatuses.map((status) => `('decision', '${status}')`),
];
