import type { Caller } from "../../../core/caller.ts";
import type { TextFinding, TextSearch } from "../../../core/memory/memory-store.ts";
import type { Sql, TransactionSql } from "../database/client.ts";
import { readWithin } from "../database/transactions.ts";
import { matches } from "./filter.ts";
import { queryOfName, searchLarge } from "./search-text-large.ts";
import { memoriesOf } from "./total.ts";
import { visible } from "./visibility.ts";

/** Owners with at most this many memories together are searched as a whole. */
const WHOLE_MAX = 20_000;
/** Time limit for that. If long texts make it take longer, the search is done as for more memories. */
const WHOLE_MS = 10_000;

/** See `MemoryStore.searchText`. */
export async function searchText(sql: Sql, caller: Caller, search: TextSearch): Promise<TextFinding> {
  const [row] = await sql`select ${memoriesOf(sql, search.owners)} as count`;
  const ownedCount = row?.count as number;
  const whole =
    ownedCount > WHOLE_MAX ? null : await readWithin(sql, WHOLE_MS, (tx) => searchWhole(tx, caller, search));
  return whole ?? searchLarge(sql, caller, search, ownedCount);
}

/** Full-text ranking reads each match as a whole, so only this many of the newest are ranked. */
const RANKED_MAX = 1000;
/** Maximum number of memories with all words of a name. They are kept however many newer ones have some other words. */
const NAMED_MAX = 100;

/** Full-text search that can read all matches of the owners: they are counted, not estimated. */
async function searchWhole(sql: TransactionSql, caller: Caller, search: TextSearch): Promise<TextFinding> {
  const { words, names, owners, filter, limit } = search;
  const scope = sql`m.owner_id = any(${owners as string[]}) and ${visible(sql, caller)} and ${matches(sql, filter)}`;
  const [row] = await sql`
    with words as (
      select place, plainto_tsquery('english', word) as has
      from unnest(${words as string[]}::text[]) with ordinality as w (word, place)
    ),
    asked as (select string_agg(has::text, ' | ' order by place)::tsquery as any_word from words where numnode(has) > 0),
    names as (
      select ${queryOfName(sql)} as has
      from unnest(${names as string[]}::text[]) as n (name)
    ),
    worded as materialized (
      select m.id, m.seq, memory_words(m.content) as has
      from asked join memories m on memory_words(m.content) @@ asked.any_word
      where ${scope} order by m.seq desc limit ${RANKED_MAX}
    ),
    named as materialized (
      select distinct found.id, found.seq from names cross join lateral (
        select m.id, m.seq from memories m
        where memory_words(m.content) @@ names.has and numnode(names.has) > 0 and ${scope}
        order by m.seq desc limit ${NAMED_MAX}
      ) found
    ),
    best as (
      select id, seq, true as is_named, 0 as rank from named
      union all
      select id, seq, false, ts_rank_cd(worded.has, asked.any_word, 32) from worded, asked
      where id not in (select id from named)
      order by is_named desc, rank desc, seq desc limit ${limit}
    )
    select
      (select coalesce(array_agg(id order by is_named desc, rank desc, seq desc), '{}') from best) as ids,
      (select array_agg((select count(*) from worded where worded.has @@ words.has)::integer order by place) from words)
        as frequencies,
      (select count(*) from worded)::integer as worded,
      (select count(*) from memories m where ${scope})::integer as scope`;
  const { ids, frequencies, worded, scope: memoryCount } = row as unknown as Row;
  // If not all matches were ranked, word frequencies are extrapolated.
  const share = worded < RANKED_MAX ? 1 : memoryCount / worded;
  return {
    ids,
    memoryCount,
    frequencies: (frequencies ?? []).map((count) => Math.round(count * share)),
    isPartial: false,
  };
}

interface Row {
  readonly ids: readonly string[];
  readonly frequencies: readonly number[] | null;
  readonly worded: number;
  readonly scope: number;
}
