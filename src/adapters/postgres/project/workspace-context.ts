import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { ContextAsk, ContextFacts } from "../../../core/project/context/facts.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { snapshot } from "../database/snapshot.ts";
import { like } from "../memory/filter.ts";
import { columns, toRecord } from "../memory/memory-row.ts";
import { visible } from "../memory/visibility.ts";
import { itemCounts, summaryOf } from "./context-counts.ts";
import { agentTraces, itemEvents, memoryEvents } from "./context-history.ts";
import { decisionKeys, recentKeys, reminderKeys, todoKeys } from "./context-keys.ts";
import { selectDecisions, selectTodos } from "./select-items.ts";

/**
 * What a context pack is made of: a fixed number of statements, each of which reads as many rows as are asked for by an
 * index that has them in that order. Only the counts read more, and these from the index alone unless the caller is confined
 * to a path. What decides about a row is read first; whole rows are read of what was chosen.
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
    return { ...summary, counts, events, agents, choice, ...(await rowsOf(tx, caller, choice)) };
  });
}

/**
 * The first so many rows in some order are read by the index that has them in it, and what belongs to few rows by their
 * ids. The planner, which has no statistics of projects, takes each for small: to it any index and a sort look as good, or
 * a table read from end to end. What cannot do without a sort looks so dear to an older server that it would compile it
 * first, for seconds.
 */
async function readByIndex(sql: AnySql): Promise<void> {
  await sql`
    select set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`;
}

/** The workspace's rows that the caller sees, in the buckets asked for. */
function workspaceRows(sql: AnySql, caller: Caller, { workspace, bucket }: ContextAsk): Fragment {
  return sql`m.owner_id = ${workspace.ownerId} and m.project_id = ${workspace.projectId}
    and ${visible(sql, caller)} and ${like(sql, sql`m.bucket`, bucket)}`;
}

async function rowsOf(
  sql: AnySql,
  caller: Caller,
  choice: ContextFacts["choice"],
): Promise<Pick<ContextFacts, "todos" | "decisions" | "dueReminders" | "recent">> {
  const [todos, decisions, memories] = await Promise.all([
    selectTodos(sql, caller, { ids: choice.todos, withTrail: false }),
    selectDecisions(sql, caller, { ids: choice.decisions, withTrail: false }),
    memoriesOf(sql, caller, [...choice.reminders, ...choice.recent]),
  ]);
  const inOrder = (ids: readonly string[]) =>
    ids.map((id) => memories.get(id)).filter((memory) => memory !== undefined);
  return { todos, decisions, dueReminders: inOrder(choice.reminders), recent: inOrder(choice.recent) };
}

async function memoriesOf(
  sql: AnySql,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, MemoryRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await sql`
    select ${columns(sql)} from (select * from memories where id = any(${ids as string[]}) offset 0) m
    where ${visible(sql, caller)}`;
  return new Map(rows.map((row) => [row.id as string, toRecord(row)]));
}
