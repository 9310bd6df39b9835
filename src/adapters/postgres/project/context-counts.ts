import type { Caller } from "../../../core/caller.ts";
import type { ContextAsk, ContextFacts } from "../../../core/project/context/facts.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { openReminders } from "./context-keys.ts";
import { itemStates } from "./workspace-sql.ts";

/** When something last happened in the workspace, and how many reminders it has. */
export async function summaryOf(
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

/** How many todos and decisions are in each state and who has them, from the index alone. What is archived is in no list either. */
export async function itemCounts(
  sql: AnySql,
  workspace: Fragment,
  { now }: ContextAsk,
): Promise<ContextFacts["counts"]> {
  // State by state, in the order of the index, so that thousands of rows need not be sorted or hashed.
  const rows = await sql`
    select state.item, state.status, counted.* from ${itemStates(sql)} cross join lateral (
      select m.item_agent as agent, count(*) as count, count(*) filter (where m.due_at <= ${now}) as overdue from memories m
      where ${workspace} and m.workspace_item = state.item and m.item_status = state.status and m.status <> 'archived'
      group by m.item_agent
    ) counted`;
  return rows as never;
}
