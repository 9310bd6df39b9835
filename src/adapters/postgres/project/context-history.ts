import type { AgentTrace, ContextAsk, ContextEvent, Trust } from "../../../core/project/context/facts.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { ofSession } from "../memory/filter.ts";
import { hasLiveStatus, isLive, statusAt } from "../memory/supersession.ts";
import { authorTrust, itemStates } from "./workspace-sql.ts";

/** Of a text that may be long, what a line of a history can show. */
const BEGINNING = 400;
/** Agents of a project that are looked at, by name. */
const AGENTS_MAX = 1000;

/**
 * What was done with todos and decisions, newest first. Every step changes its memory, so that the latest steps are among
 * those of the memories that were changed last.
 */
export async function itemEvents(
  sql: AnySql,
  workspace: Fragment,
  { since, now, limit }: ContextAsk,
): Promise<ContextEvent[]> {
  const rows = await sql`
    select e.item, e.at, e.operation, e.from_status, e.to_status, e.agent_id, e.trust, m.memory_id, m.workspace_item as kind,
      case when ${isLive(sql, now)} then left(m.content, ${BEGINNING}) end as beginning
    from (
      select newest.id from ${itemStates(sql)} cross join lateral (
        select m.id, m.updated_at, m.seq from memories m
        where ${workspace} and m.workspace_item = state.item and m.item_status = state.status and m.updated_at >= ${since}
        order by m.updated_at desc, m.seq desc limit ${limit}) newest
      order by newest.updated_at desc, newest.seq desc limit ${limit}
    ) changed cross join lateral (
      select * from workspace_events e where e.item = changed.id and e.at >= ${since} order by e.id desc limit ${limit}
    ) e join memories m on m.id = e.item
    order by e.at desc, e.id desc limit ${limit}`;
  return rows.map((row) => ({
    at: row.at as number,
    kind: row.kind as ContextEvent["kind"],
    row: row.item as string,
    id: row.memory_id as string,
    operation: row.operation as string,
    from: row.from_status as string | null,
    to: row.to_status as string,
    agentId: row.agent_id as string | null,
    trust: row.trust as Trust,
    beginning: row.beginning as string | null,
  }));
}

/** What was stored and changed of a project's other memories, newest first. */
export async function memoryEvents(
  sql: AnySql,
  workspace: Fragment,
  { since, now, session, limit }: ContextAsk,
): Promise<ContextEvent[]> {
  const rows = await sql`
    select m.id, m.memory_id, m.status, m.created_at, m.updated_at, m.agent_id, ${authorTrust(sql)} as trust,
      case when ${isLive(sql, now)} then left(m.content, ${BEGINNING}) end as beginning
    from memories m
    where ${workspace} and m.workspace_item is null and m.updated_at >= ${since} and m.status <> 'soft_deleted'
      and ${ofSession(sql, session)}
    order by m.updated_at desc, m.seq desc limit ${limit}`;
  return rows.flatMap((row): ContextEvent[] => {
    const [createdAt, updatedAt] = [row.created_at as number, row.updated_at as number];
    const event = {
      kind: "memory" as const,
      row: row.id as string,
      id: row.memory_id as string,
      from: null,
      to: row.status as string,
      beginning: row.beginning as string | null,
    };
    const author = { agentId: row.agent_id as string | null, trust: row.trust as Trust };
    // Whoever changed it is not known to the row.
    const changed = {
      ...event,
      at: updatedAt,
      operation: "change",
      agentId: null,
      trust: "unattributed" as const,
    };
    const stored = { ...event, at: createdAt, operation: "store", ...author };
    return [...(updatedAt > createdAt ? [changed] : []), ...(createdAt >= since ? [stored] : [])];
  });
}

/** The agents that stored something in the project, the latest active first. */
export async function agentTraces(sql: AnySql, workspace: Fragment, ask: ContextAsk): Promise<AgentTrace[]> {
  const { ownerId, projectId } = ask.workspace;
  const ofProject = sql`m.owner_id = ${ownerId} and m.project_id = ${projectId}`;
  // From each agent to the next by the index, and of each the newest row that the caller sees.
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
      select m.memory_id as task, ${statusAt(sql, ask.now)} as task_status, m.provenance ->> 'task_id' as task_id, m.updated_at as task_at
      from memories m
      where ${workspace} and m.agent_id = known.id and m.memory_type = 'working'
        and ${hasLiveStatus(sql, sql`('started', 'completed')`, ask.now)}
      order by m.updated_at desc limit 1
    ) task on true
    order by last.at desc, known.id limit ${ask.limit}`;
  return rows.map((row) => ({
    agentId: row.agent_id as string,
    at: row.at as number,
    trust: row.trust as Trust,
    task:
      row.task === null
        ? null
        : {
            id: row.task as string,
            status: row.task_status as "started" | "completed",
            taskId: row.task_id as string | null,
            at: row.task_at as number,
          },
  }));
}
