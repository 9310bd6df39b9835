import { Buffer } from "node:buffer";
import { mayChange } from "../../core/memory/access.ts";
import type { MemoryRecord, NewMemory } from "../../core/memory/memory-record.ts";
import type { Surroundings } from "../../core/memory/memory-store.ts";
import type { Context } from "./context.ts";
import { highestVersion, statesFact } from "./facts.ts";
import { isLive } from "./liveness.ts";
import { columns, type MemoryRow, toRecord, toSeen } from "./memory-row.ts";
import { standing, visible } from "./visibility.ts";

/**
 * Who holds the id, what is equal, and what states the same fact, in one statement; the rows are locked.
 * It looks at the whole owner, and says of each row whether the caller may see it. A row that another transaction was
 * changing is judged by what it is once that has committed: the conditions are asked again of the locked row.
 */
export async function surroundings(
  { sql, caller }: Context,
  memory: NewMemory | MemoryRecord,
  ask: { dedupe: boolean },
): Promise<Surroundings> {
  const hash = ask.dedupe && memory.dedupeHash ? Buffer.from(memory.dedupeHash, "hex") : null;
  const live = isLive(sql, memory.updatedAt);
  const isOwners = sql`m.owner_id = ${memory.ownerId}`;
  const isEqual = sql`(${isOwners} and m.dedupe_hash = ${hash} and ${live})`;
  const holdsFact = sql`(${statesFact(sql, memory)} and ${live})`;
  const found = await sql`
    with found as (
      (select m.id, 'holder' as role from memories m
       where ${isOwners} and m.memory_id = ${memory.memoryId})
      union all
      (select m.id, 'equal' from memories m where ${isEqual} order by m.seq limit 1)
      union all
      (select m.id, 'key' from memories m where ${holdsFact})
    )
    select ${columns(sql)}, found.role, ${standing(sql, caller)} as standing, ${visible(sql, caller)} as is_visible,
           case found.role when 'equal' then ${isEqual} when 'key' then ${holdsFact} else ${isOwners} end as still_is
    from memories m join found on found.id = m.id order by m.seq for update of m`;
  const rows = found.filter((row) => row.still_is);
  const judged = (row: MemoryRow) => ({
    memory: toRecord(row),
    writable: row.is_visible === true && mayChange(caller, toSeen(row)),
  });
  const holder = rows.find((row) => row.role === "holder");
  const equal = rows.find((row) => row.role === "equal");
  return {
    factVersion: memory.semanticKey === null ? null : await highestVersion(sql, memory),
    idHolder: holder ? { memory: toRecord(holder), isVisible: holder.is_visible === true } : null,
    duplicate: equal ? judged(equal) : null,
    sameKey: rows.filter((row) => row.role === "key").map(judged),
  };
}
