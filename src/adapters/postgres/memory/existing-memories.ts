import { Buffer } from "node:buffer";
import { mayChange } from "../../../core/memory/access.ts";
import type { MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type { ExistingMemories } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import type { Context } from "./context.ts";
import { columns, type MemoryRow, toRecord, toSeen } from "./memory-row.ts";
import { isLive, statesFact, waitsForFact } from "./supersession.ts";
import { role, visible } from "./visibility.ts";

/**
 * Who holds the id, what is equal, and what states the same fact, in one statement; the rows are locked.
 * It looks at the whole owner, and says of each row whether the caller may see it. A row that another transaction was
 * changing is judged by what it is once that has committed: the conditions are asked again of the locked row.
 */
export async function existing(
  { sql, caller }: Context,
  memory: NewMemory | MemoryRecord,
  ask: { dedupe: boolean },
): Promise<ExistingMemories> {
  const hash = ask.dedupe && memory.dedupeHash ? Buffer.from(memory.dedupeHash, "hex") : null;
  const live = isLive(sql, memory.updatedAt);
  const isOwners = sql`m.owner_id = ${memory.ownerId}`;
  const isEqual = sql`(${isOwners} and m.dedupe_hash = ${hash} and ${live})`;
  const fact = memory.semanticKey === null ? null : factRelations(sql, memory);
  const found = await sql`
    with found as (
      (select m.id, 'holder' as relation from memories m
       where ${isOwners} and m.memory_id = ${memory.memoryId})
      union all
      (select m.id, 'equal' from memories m where ${isEqual} order by m.seq limit 1)
      ${fact ? fact.found : sql``}
    )
    select ${columns(sql)}, found.relation, ${role(sql, caller)} as role, ${visible(sql, caller)} as is_visible,
           case found.relation when 'equal' then ${isEqual} ${fact ? fact.stillIs : sql``} else ${isOwners} end as still_is
    from memories m join found on found.id = m.id order by m.seq for update of m`;
  const rows = found.filter((row) => row.still_is);
  const judged = (row: MemoryRow) => ({
    memory: toRecord(row),
    writable: row.is_visible === true && mayChange(caller, toSeen(row)),
  });
  const related = (relation: string) => rows.filter((row) => row.relation === relation);
  const [holder] = related("holder");
  const [equal] = related("equal");
  const [newest] = related("version").map(toRecord);
  return {
    idHolder: holder ? { memory: toRecord(holder), isVisible: holder.is_visible === true } : null,
    duplicate: equal ? judged(equal) : null,
    factVersion: newest ? Math.max(newest.version, newest.factVersion ?? 0) : null,
    sameKey: related("key").map(judged),
    waiting: related("waiting").map(toRecord),
  };
}

/** What has to do with the fact that the memory states, and how. */
function factRelations(
  sql: AnySql,
  memory: NewMemory | MemoryRecord,
): { found: Fragment; stillIs: Fragment } {
  const states = statesFact(sql, memory);
  const live = isLive(sql, memory.updatedAt);
  const waits = waitsForFact(sql, memory.updatedAt);
  return {
    found: sql`
      union all
      (select m.id, case when ${live} then 'key' else 'waiting' end from memories m
       where ${states} and (${live} or ${waits}))
      union all
      (select m.id, 'version' from memories m where ${states} order by greatest(m.version, m.fact_version) desc limit 1)`,
    stillIs: sql`when 'key' then ${states} and ${live} when 'waiting' then ${states} and ${waits} when 'version' then ${states}`,
  };
}
