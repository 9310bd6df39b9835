import type { AnySql, Fragment } from "../database/client.ts";

/**
 * SQL table of all memories that came in recalls of the log, by internal id, with the number of those recalls. It reads
 * the log once, so join it rather than look up memory by memory. Ids show nothing by themselves: a statement that shows
 * more must contain the authorisation predicate.
 */
export function recallCounts(sql: AnySql): Fragment {
  return sql`(
    select came.memory, count(*)::int as recalls from recalls r cross join lateral unnest(r.memories) as came (memory)
    group by came.memory
  )`;
}

/**
 * True if the memory `m` came in a recall of the log, or in none. Compared with a boolean, so that the planner hashes
 * the ids once: it guesses that there are few, and a join would read all of them for each memory.
 */
export function wasRecalled(sql: AnySql, isAsked: boolean): Fragment {
  const isRecalled = sql`(m.id in (select came.memory from ${recallCounts(sql)} came))`;
  return isAsked ? sql`${isRecalled} is true` : sql`${isRecalled} is not true`;
}
