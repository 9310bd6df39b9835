import type { Caller } from "../../../core/caller.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { RelatedMemory } from "../../../core/memory/memory-store.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { columns, toRecord } from "./memory-row.ts";
import { withVisibleSuccessors } from "./seen-memories.ts";
import { statesFact } from "./supersession.ts";
import { ofEachOwner, visible } from "./visibility.ts";

/** Number of recalls, the newest, in which memories that came together are counted. */
const RECALLS_MAX = 1000;

/** See `MemoryStore.related`. */
export async function related(
  sql: Sql,
  caller: Caller,
  memory: MemoryRecord,
  limit: number,
): Promise<RelatedMemory[]> {
  const { ownerId, id, memoryId, supersededBy } = memory;
  const isOthers = sql`m.owner_id = ${ownerId} and m.id <> ${id} and m.status <> 'soft_deleted' and ${visible(sql, caller)}`;
  const ofKind = (kind: RelatedMemory["kind"], condition: Fragment) => sql`(
    select ${kind}::text as kind, null::integer as recalls, ${columns(sql)} from memories m
    where ${isOthers} and ${condition} order by m.updated_at desc, m.seq desc limit ${limit})`;
  const rows = await sql`
    ${ofKind("superseded_by", sql`m.memory_id = ${supersededBy}`)}
    union all ${ofKind("supersedes", sql`m.superseded_by = ${memoryId}`)}
    union all ${ofKind(
      "same_fact",
      sql`${statesFact(sql, memory)} and m.superseded_by is distinct from ${memoryId}
        and m.memory_id is distinct from ${supersededBy}`,
    )}
    union all (
      select 'recalled_with', together.recalls, ${columns(sql)} from (
        select came.memory, count(*)::integer as recalls
        from (
          select r.memories from recalls r where r.memories @> array[${id}::uuid] order by r.at desc limit ${RECALLS_MAX}
        ) recalled cross join lateral unnest(recalled.memories) as came (memory)
        where came.memory <> ${id} group by 1
      ) together cross join lateral ${ofEachOwner(
        sql,
        caller,
        (owner) => sql`
          select m.* from memories m where m.owner_id = ${owner} and m.id = together.memory
            and m.status not in ('soft_deleted', 'redacted') and ${visible(sql, caller)}`,
      )} m
      order by together.recalls desc, m.seq desc limit ${limit}
    )`;
  const records = await withVisibleSuccessors(sql, caller, rows.map(toRecord));
  return rows.map((row, at) => ({
    kind: row.kind as RelatedMemory["kind"],
    recalls: row.recalls as number | null,
    memory: records[at] as MemoryRecord,
  }));
}
