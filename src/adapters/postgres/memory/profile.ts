import type { Caller } from "../../../core/caller.ts";
import { GUIDING_TYPES } from "../../../core/memory/guiding.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { ProfileAsk } from "../../../core/memory/memory-store.ts";
import { VOUCHING } from "../../../core/memory/metadata.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { finishedStatuses } from "../project/item-row.ts";
import { TO_DO } from "../project/workspace-context.ts";
import { askedOf } from "./filter.ts";
import { columns, toRecord } from "./memory-row.ts";
import { isInStatus, mayBeLive } from "./supersession.ts";

/** How many memories of each kind are read. */
const OF_EACH_KIND = 24;

/**
 * See `MemoryStore.profile`. One statement, of which each part reads as many rows as it returns, by an index in its order.
 */
export async function profileCandidates(
  sql: Sql,
  caller: Caller,
  { ownerId, filter }: ProfileAsk,
): Promise<MemoryRecord[]> {
  const { now } = filter;
  const { seen, allowed: shown } = askedOf(sql, caller, filter);
  const allowed = sql`m.owner_id = ${ownerId} and ${shown}`;
  // A literal, by which the planner sees how little is read. It then plans the statement once instead of each time.
  const limit = sql.unsafe(String(OF_EACH_KIND));
  const first = (condition: Fragment, order: Fragment) =>
    sql`(select m.id from memories m where ${allowed} and ${condition} order by ${order} limit ${limit})`;
  const guiding = sql`(m.metadata ->> 'authority' in ${literals(sql, VOUCHING)} or m.memory_type in ${literals(sql, GUIDING_TYPES)})`;
  const byImportance = sql`m.importance desc, m.seq desc`;
  const rows = await sql`
    with ${seen}, candidate as (
      ${first(sql`${guiding} and ${mayBeLive(sql)}`, byImportance)}
      union ${first(sql`m.semantic_key is not null and ${mayBeLive(sql)}`, byImportance)}
      union ${first(
        sql`m.workspace_item = 'todo' and m.item_status not in ${finishedStatuses(sql)}`,
        sql`m.due_at, m.importance desc, m.seq`,
      )}
      union ${first(
        sql`m.workspace_item is null and m.memory_type = 'reminder' and m.due_at <= ${now} and ${isInStatus(sql, TO_DO(sql), now)}`,
        sql`m.due_at, m.seq`,
      )}
      union ${first(sql`m.workspace_item is null`, sql`m.created_at desc, m.seq desc`)}
      union (
        select m.id from (
          select * from memories where owner_id = ${ownerId} order by changed_xid desc limit ${limit} offset 0
        ) m where ${allowed}
      )
    )
    select ${columns(sql)} from candidate cross join lateral (
      -- By its id (offset 0 keeps the planner from reading the owner's memories for it).
      select * from memories where owner_id = ${ownerId} and id = candidate.id offset 0
    ) m`;
  return rows.map(toRecord);
}

/** Words as SQL. None contains a quote. */
function literals(sql: Sql, words: readonly unknown[]): Fragment {
  return sql.unsafe(`('${words.join("', '")}')`);
}
