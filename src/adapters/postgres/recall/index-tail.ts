import type { IndexTail } from "../../../core/recall/index-tail.ts";
import type { Sql } from "../database/client.ts";
import { documentColumns, toIndexDocument, withEmbedding } from "./index-document-row.ts";

/** So many ids are answered; a larger backlog is an import, and recall says by its coverage that it is behind. */
const IDS_MAX = 20_000;

/** What waits in the outbox. With nothing waiting it is one look into an index. */
export function createIndexTail(sql: Sql): IndexTail {
  return {
    async read(ownerIds, limit, generation) {
      // One statement: a line that leaves the outbox between two would be missed by both.
      const rows = await sql`
        with waiting as (
          select owner_id, memory, row_number() over (order by memory) as place from (
            select distinct owner_id, memory from outbox
            where owner_id = any(${ownerIds as string[]}) and kind <> 'embed' limit ${IDS_MAX}
          ) w
        ), documents as (
          select ${documentColumns(sql)} from ${withEmbedding(sql, generation)}
          where m.id in (select memory from waiting where place <= ${limit}) and m.owner_id = any(${ownerIds as string[]})
        )
        select w.memory, w.owner_id as waiting_of, w.place, d.* from waiting w
        left join documents d on d.id = w.memory`;
      const documents = new Map(rows.filter((row) => row.id !== null).map((row) => [row.id, row]));
      const missing = new Map<string, number>();
      for (const row of rows) {
        if (row.place > limit) missing.set(row.waiting_of, (missing.get(row.waiting_of) ?? 0) + 1);
      }
      return {
        documents: [...documents.values()].map(toIndexDocument),
        ids: [...new Set(rows.map((row) => row.memory as string))],
        missing,
      };
    },
  };
}
