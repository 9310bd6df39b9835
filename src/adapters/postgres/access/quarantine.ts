/** Reads everything that an agent wrote before it was bound. */
import type { Quarantined } from "../../../core/agent/adopted-memory.ts";
import { type Fact, factKey } from "../../../core/memory/supersession.ts";
import type { TransactionSql } from "../database/client.ts";
import { columns, grouped, type MemoryRow, selectionOf, toRecord } from "../memory/memory-row.ts";
import { decisionState, todoState } from "../project/item-row.ts";

/** See `AgentTransaction.quarantined`. */
export async function readQuarantine(
  sql: TransactionSql,
  quarantineId: string,
  { isLocked }: { isLocked: boolean },
): Promise<Quarantined[]> {
  const memories = await sql`
    select ${columns(sql)} from memories m where m.owner_id = ${quarantineId}
    order by m.seq ${isLocked ? sql`for update of m` : sql``}`;
  const ids = memories.map((row) => row.id as string);
  const [todos, decisions, links] = await Promise.all([
    sql`select t.id, ${todoState.selected(sql)} from todos t where t.owner_id = ${quarantineId} and t.id = any(${ids})`,
    sql`select d.id, ${decisionState.selected(sql)} from decisions d where d.owner_id = ${quarantineId} and d.id = any(${ids})`,
    sql`
      select d.todo as id, d.depends_on as other from todo_dependencies d
      where d.owner_id = ${quarantineId} and d.todo = any(${ids})
      union all
      select d.id, d.supersedes from decisions d
      where d.owner_id = ${quarantineId} and d.id = any(${ids}) and d.supersedes is not null`,
  ]);
  const [todoOf, decisionOf] = [byId(todos, todoState.read), byId(decisions, decisionState.read)];
  const linked = grouped(links, "id", (link) => link.other as string);
  return memories.map((row) => {
    const memory = toRecord(row);
    const { id } = memory;
    return { memory, todo: todoOf(id), decision: decisionOf(id), linkedTo: linked.get(id) ?? [] };
  });
}

function byId<T>(rows: readonly MemoryRow[], read: (row: MemoryRow) => T): (id: string) => T | null {
  const states = new Map(rows.map((row) => [row.id as string, read(row)]));
  return (id) => states.get(id) ?? null;
}

const fact = selectionOf({
  ownerId: true,
  scope: true,
  projectId: true,
  bucket: true,
  semanticKey: true,
} satisfies Record<keyof Fact, true>);

/** See `AgentTransaction.factsOf`. */
export async function factsStated(
  sql: TransactionSql,
  ownerId: string,
  semanticKeys: readonly string[],
): Promise<Set<string>> {
  if (semanticKeys.length === 0) return new Set();
  const rows = await sql`
    select distinct ${fact.columns(sql)} from memories m
    where m.owner_id = ${ownerId} and m.semantic_key = any(${semanticKeys as string[]})`;
  return new Set(rows.map((row) => factKey(fact.read(row))));
}
