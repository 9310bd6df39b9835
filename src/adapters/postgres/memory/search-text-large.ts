/**
 * Full-text search for owners with too many memories to read all of their texts. It takes two statements, neither of
 * which reads more than some thousand memories. One judges the newest memories, and estimates from them how many have
 * each word. The other looks up older matches, by words that few memories have.
 */
import type { Caller } from "../../../core/caller.ts";
import type { TextFinding, TextSearch } from "../../../core/memory/memory-store.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { readWithin } from "../database/transactions.ts";
import { matches } from "./filter.ts";
import { visible } from "./visibility.ts";

/** Maximum number of memories whose texts each statement judges. */
const JUDGED_MAX = 1000;
/** Maximum bytes of these texts, since splitting them into words takes most of the time. */
const JUDGED_BYTES_MAX = 2_000_000;
/** If the newest memories in scope are not found in time, only this many of each owner's newest are searched. */
const NEWEST_MAX = 20_000;
/** The memories in scope are counted up to this number. In a larger scope, rare words weigh enough as well. */
const COUNTED_MAX = 20_000;
/** A word that more memories have is only looked up together with others. */
const FEW = 1000;
/** Maximum number of matches to read per query, whatever the estimate was. */
const LOOKED_UP_MAX = 2000;
/** Maximum number of a query's words (the rarest) and names that are looked up. */
const LOOKED_UP_WORDS = 12;
const LOOKED_UP_NAMES = 4;
/** Names are not looked up if this many of the newest memories have one. */
const NAMED_ENOUGH = 100;
const STATEMENT_MS = 3000;

/** Returns the best of the newest memories and of those with rare words. These are not all of the matches. */
export async function searchLarge(
  sql: Sql,
  caller: Caller,
  search: TextSearch,
  ownedCount: number,
): Promise<TextFinding> {
  const question = { ...search, ...(await understood(sql, search)) };
  const inScope = await readWithin(sql, STATEMENT_MS, (tx) => newestInScope(tx, caller, question));
  const recent = inScope ?? (await newestOfAll(sql, caller, question));
  const words = estimated(question, recent);
  const sought = recent.isAll ? [] : toLookUp(question, recent, words, ownedCount);
  const lookedUp =
    sought.length === 0
      ? []
      : await readWithin(sql, STATEMENT_MS, (tx) => lookUp(tx, caller, question, sought));
  return {
    ids: bestOf([...recent.judged, ...(lookedUp ?? [])], words).slice(0, question.limit),
    memoryCount: recent.memoryCount,
    frequencies: words.map(({ share }) => Math.round(share * recent.memoryCount)),
    isPartial: inScope === null || lookedUp === null,
  };
}

/** A search, with the queries for its words and names. */
type Question = TextQuestion & Omit<TextSearch, keyof TextQuestion>;

interface Judged {
  readonly id: string;
  readonly seq: number;
  /** Positions, from 1 on, of the query's words that the memory has. */
  readonly places: readonly number[];
  readonly isNamed: boolean;
  /** Higher if the words are nearer to each other. */
  readonly rank: number;
}

interface Reading {
  /** Number of memories found, and of those whose text was read. */
  readonly found: number;
  readonly read: number;
  /** The memories that match. */
  readonly judged: readonly Judged[];
}

/** A reading of the newest memories, from which figures for all of them are estimated. */
interface Recent extends Reading {
  /** True if there are no others in scope. */
  readonly isAll: boolean;
  /** Number of memories in scope, as far as they are counted. No others count, since scores depend on it. */
  readonly memoryCount: number;
}

async function newestInScope(tx: TransactionSql, caller: Caller, question: Question): Promise<Recent> {
  const reading = await newest(tx, caller, question, null);
  if (reading.read === reading.found && reading.found < JUDGED_MAX)
    return { ...reading, isAll: true, memoryCount: reading.found };
  const [row] = await tx`
    select count(*) as count from (
      select from memories m where m.owner_id = any(${question.owners as string[]})
        and ${visible(tx, caller)} and ${matches(tx, question.filter)}
      limit ${COUNTED_MAX}
    ) counted`;
  return { ...reading, isAll: false, memoryCount: Number(row?.count) };
}

async function newestOfAll(sql: Sql, caller: Caller, question: Question): Promise<Recent> {
  const reading = (await sql.begin("read only", (tx) => newest(tx, caller, question, NEWEST_MAX))) as Reading;
  return { ...reading, isAll: false, memoryCount: reading.found };
}

/** Judges the newest memories in scope. If `among` is not null, only among so many newest of each owner. */
async function newest(
  tx: TransactionSql,
  caller: Caller,
  question: Question,
  among: number | null,
): Promise<Reading> {
  // On a table with few owners, a sequential scan looks cheapest to the planner, but it reads all of them.
  await tx`select set_config('enable_seqscan', 'off', true)`;
  const inOrder = tx`order by m.created_at desc, m.seq desc`;
  // Memories are in one index in this order, todos and decisions in another.
  const ofKind = (kind: Fragment) => {
    const rows =
      among === null
        ? tx`memories m`
        : tx`(select m.* from memories m where m.owner_id = o.id and ${kind} ${inOrder} limit ${among}) m`;
    return tx`(
      select m.id, m.seq, m.content, m.created_at from ${rows}
      where m.owner_id = o.id and ${kind} and ${visible(tx, caller)} and ${matches(tx, question.filter)}
      ${inOrder} limit ${JUDGED_MAX}
    )`;
  };
  const found = tx`
    select r.*, row_number() over (order by r.seq desc) as turn from unnest(${question.owners as string[]}::uuid[]) as o (id) cross join lateral (
      select m.id, m.seq, m.content from (
        ${ofKind(tx`m.workspace_item is null`)} union all ${ofKind(tx`m.workspace_item is not null`)}
      ) m ${inOrder} limit ${JUDGED_MAX}
    ) r`;
  return judge(tx, question, found);
}

/**
 * Looks up some queries in the index of words, in no order: only then can it stop early. Queries take turns, so that
 * rare matches are judged however many others there are.
 */
async function lookUp(
  tx: TransactionSql,
  caller: Caller,
  question: Question,
  sought: readonly string[],
): Promise<readonly Judged[]> {
  // Forces the index of words. An index by owner would be read for all of the owner's memories.
  await tx`select set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'off', true)`;
  const found = tx`
    select distinct on (id) id, seq, content, turn from (
      select f.*, row_number() over (partition by s.place order by f.seq desc) as turn
      from unnest(${sought as string[]}::text[]) with ordinality as s (query, place) cross join lateral (
        select m.id, m.seq, m.content from (
          select * from memories where memory_words(content) @@ s.query::tsquery offset 0
        ) m
        where m.owner_id = any(${question.owners as string[]}) and ${visible(tx, caller)} and ${matches(tx, question.filter)}
        limit ${LOOKED_UP_MAX}
      ) f
    ) each_turn order by id, turn`;
  return (await judge(tx, question, found)).judged;
}

/** Judges the memories found, in the order of their turns. */
async function judge(tx: TransactionSql, question: Question, found: Fragment): Promise<Reading> {
  const anyWord = anyOf(question.words);
  const [row] = await tx`
    with found as materialized (${found}),
    lengths as (
      select id, seq, content, turn, octet_length(content) as bytes from found order by turn, seq desc limit ${JUDGED_MAX}
    ),
    read as materialized (
      select id, seq, memory_words(content) as has from (
        select *, sum(bytes) over (order by turn, seq desc) - bytes as bytes_before from lengths
      ) l where bytes_before < ${JUDGED_BYTES_MAX}
    ),
    words as materialized (
      select place, word::tsquery as has from unnest(${question.words as string[]}::text[]) with ordinality as w (word, place)
      where word <> ''
    ),
    judged as (
      select id, seq, array(select place::int from words where read.has @@ words.has) as places,
        coalesce(read.has @@ ${anyOf(question.names)}::tsquery, false) as is_named,
        coalesce(ts_rank_cd(read.has, ${anyWord}::tsquery, 32), 0) as rank
      from read
    )
    select (select count(*) from found)::int as found, (select count(*) from read)::int as read,
      (
        select coalesce(json_agg(json_build_array(id, seq, places, is_named, rank)), '[]') from judged
        where is_named or places <> '{}'
      ) as judged`;
  const told = row as unknown as { found: number; read: number; judged: JudgedRow[] };
  const judged = told.judged.map(([id, seq, places, isNamed, rank]) => ({ id, seq, places, isNamed, rank }));
  return { ...told, judged };
}

type JudgedRow = [id: string, seq: number, places: number[], isNamed: boolean, rank: number];

interface Word {
  readonly query: string;
  /** The share of the newest memories that have it. */
  readonly share: number;
}

function estimated({ words }: TextQuestion, { judged, read }: Reading): Word[] {
  const counts = words.map(() => 0);
  for (const { places } of judged)
    for (const place of places) counts[place - 1] = (counts[place - 1] ?? 0) + 1;
  return words.map((query, at) => ({ query, share: (counts[at] ?? 0) / Math.max(1, read) }));
}

/**
 * Queries to look up: names, and each rare word by itself. A more frequent word is combined with the next rarest ones,
 * until few memories should have all of them. Empty if the newest memories were enough.
 */
function toLookUp(
  { names }: TextQuestion,
  { judged, read }: Reading,
  words: readonly Word[],
  ownedCount: number,
): string[] {
  // Older memories may have a word that none of the newest has.
  const least = 1 / (2 * (read || JUDGED_MAX));
  const rarest = [...new Map(words.map((word) => [word.query, word])).values()]
    .filter(({ query }) => query !== "")
    .sort((a, b) => a.share - b.share)
    .slice(0, LOOKED_UP_WORDS);
  const groups = rarest.flatMap((_, at) => {
    let expected = ownedCount;
    const together: string[] = [];
    for (const { query, share } of rarest.slice(at)) {
      if (expected <= FEW) break;
      expected *= Math.max(share, least);
      together.push(query);
    }
    return expected <= LOOKED_UP_MAX ? [together.join(" & ")] : [];
  });
  const isTold = judged.filter(({ isNamed }) => isNamed).length >= NAMED_ENOUGH;
  return [...new Set([...(isTold ? [] : names.slice(0, LOOKED_UP_NAMES)), ...groups])];
}

/**
 * Sorts memories: those with a name first, then by the weight of their words. A rare word weighs more than several
 * frequent ones.
 */
function bestOf(judged: readonly Judged[], words: readonly Word[]): string[] {
  const worth = words.map(({ share }) => Math.log(1 + 1 / (share + 1 / JUDGED_MAX)));
  const weighed = [...new Map(judged.map((one) => [one.id, one])).values()].map((one) => ({
    ...one,
    weight: one.places.reduce((sum, place) => sum + (worth[place - 1] ?? 0), 0),
  }));
  weighed.sort(
    (a, b) =>
      Number(b.isNamed) - Number(a.isNamed) || b.weight - a.weight || b.rank - a.rank || b.seq - a.seq,
  );
  return weighed.map(({ id }) => id);
}

/** The tsqueries of words and names that are searched for. */
interface TextQuestion {
  /** One query per word; empty for a stop word. */
  readonly words: readonly string[];
  /** One query per name, except names that consist of stop words. */
  readonly names: readonly string[];
}

/** Characters that `memory_words` treats as blanks. */
const SIGNS = "_-./:@<>&#'\"+=~%?!|\\*()[]{}^$;,`";

/** SQL of the query for a column `name`. Characters that `memory_words` treats as blanks are blanks in it too. */
export function queryOfName(sql: AnySql): Fragment {
  return sql`plainto_tsquery('english', translate(name, ${SIGNS}, repeat(' ', ${SIGNS.length})))`;
}

/** Converts the words and names of a search to tsqueries. */
async function understood(
  sql: AnySql,
  { words, names }: Pick<TextSearch, "words" | "names">,
): Promise<TextQuestion> {
  const [row] = await sql`
    select
      array(
        select plainto_tsquery('english', word)::text from unnest(${words as string[]}::text[]) with ordinality as w (word, place)
        order by place
      ) as words,
      array(
        select ${queryOfName(sql)}::text
        from unnest(${names as string[]}::text[]) with ordinality as n (name, place) order by place
      ) as names`;
  const made = row as unknown as { words: string[]; names: string[] };
  return { words: made.words, names: made.names.filter((name) => name !== "") };
}

/** Query for texts that match any of these; null if all are empty. */
function anyOf(queries: readonly string[]): string | null {
  return queries.filter((query) => query !== "").join(" | ") || null;
}
