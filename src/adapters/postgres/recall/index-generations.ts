import {
  type IndexGeneration,
  type IndexGenerations,
  RETIRED_FOR_SECONDS,
} from "../../../core/projection/index-generations.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { withSessionLock } from "../database/locks.ts";
import { fromRow, type Row, toRow } from "../database/rows.ts";

export function createIndexGenerations(sql: Sql): IndexGenerations {
  return {
    async live() {
      const rows = await sql`select ${columns(sql)} from index_generations order by created_at`;
      return rows.map(toGeneration);
    },
    async begin(begun) {
      const row = toRow({ ...begun, state: "building", spread: Object.fromEntries(begun.spread) });
      const [stored] = await sql`insert into index_generations ${sql(row)} returning ${columns(sql)}`;
      return toGeneration(stored as Row);
    },
    async progress(name, scannedTo, scanned) {
      const rows = await sql`
        update index_generations set scanned_to = ${scannedTo}, scanned = ${scanned}, touched_at = now()
        where name = ${name} and state = 'building'`;
      return rows.count === 1;
    },
    activate: (name) =>
      sql.begin(async (transaction) => {
        await transaction`
          update index_generations set state = 'retired', retired_at = now()
          where state = 'active' and exists (select from index_generations where name = ${name} and state = 'building')`;
        const rows = await transaction`
          update index_generations set state = 'active', active_at = now(), touched_at = now() where name = ${name} and state = 'building'`;
        return rows.count === 1;
      }) as Promise<boolean>,
    async forget(name) {
      await sql`delete from index_generations where name = ${name}`;
    },
    async forgetRetired() {
      const rows = await sql`
        delete from index_generations
        where state = 'retired' and retired_at < now() - make_interval(secs => ${RETIRED_FOR_SECONDS}) returning name`;
      return rows.map((row) => row.name as string);
    },
    async retireAll() {
      const rows = await sql`
        update index_generations set state = 'retired', retired_at = now() where state <> 'retired'`;
      return rows.count;
    },
    async checkDue() {
      const [row] = await sql`
        update index_generations set touched_at = now(), checks = checks + 1
        where state = 'active' and touched_at < now() - interval '1 hour' returning checks - 1 as checks`;
      return row === undefined ? null : (row.checks as number);
    },
    whileBuilding: (work) => withSessionLock(sql, "index build", work),
  };
}

function columns(sql: AnySql): Fragment {
  return sql`name, alias, uuid, mapping_version, embedding_generation, state, shards, spread, scanned_to, scanned, total,
    (select dimension from embedding_generations where id = embedding_generation) as dimension`;
}

function toGeneration(row: Row): IndexGeneration {
  const generation = fromRow<IndexGeneration & { spread: Record<string, readonly string[]> }>(row);
  return { ...generation, spread: new Map(Object.entries(generation.spread)) };
}
