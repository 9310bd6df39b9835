import type {
  OpenErasure,
  SubjectErasure,
  SubjectErasures,
  SubjectTransaction,
} from "../../../core/subject/subject-store.ts";
import type { Sql, TransactionSql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";

/** An erasure counts as interrupted this long after its last batch. */
const LEASE = "10 seconds";

/** Creates the store of erasures of subjects. */
export function createSubjectErasures(sql: Sql): SubjectErasures {
  return {
    begin: ({ id, ownerId, authority, records, questions }) =>
      retried(() =>
        sql.begin(async (tx) => {
          await tx`
            insert into subject_erasures (id, owner_id, authority, records, question_ids, questions)
            values (${id}, ${ownerId}, ${authority as never}::jsonb, ${records.length}, ${questions as never}::jsonb,
                    ${Object.values(questions).flat().length})`;
          await tx`
            insert into subject_erasure_records (erasure, workspace_id, memory, digest)
            select ${id}, * from unnest(${records.map((record) => record.ownerId)}::uuid[],
              ${records.map((record) => record.id)}::uuid[], ${records.map(({ digest }) => digest)}::text[])`;
        }),
      ) as Promise<never>,
    async list(ownerId, limit) {
      const rows = await sql`
        select id, records, erased, skipped, questions, receipts, began_at, finished_at from subject_erasures
        where owner_id = ${ownerId} order by began_at desc, id desc limit ${limit}`;
      return rows.map((row) => fromRow<SubjectErasure>(row));
    },
    async takeUp() {
      const [row] = await sql`
        update subject_erasures set due_at = now() + ${LEASE}::interval where id = (
          select id from subject_erasures where finished_at is null and due_at <= now()
          order by due_at limit 1 for update skip locked
        ) returning id, authority, question_ids as questions`;
      return row ? fromRow<OpenErasure>(row) : null;
    },
    finish: (id) =>
      retried(() =>
        sql.begin(async (tx) => {
          const { count } = await tx`delete from subject_erasure_records where erasure = ${id}`;
          await tx`
            update subject_erasures set skipped = skipped + ${count}, question_ids = '{}', finished_at = now()
            where id = ${id}`;
        }),
      ) as Promise<never>,
  };
}

export function createSubjectTransaction(sql: TransactionSql): SubjectTransaction {
  return {
    async take(erasure, workspaceId, limit) {
      const next = sql`erasure = ${erasure} and workspace_id = ${workspaceId}`;
      const rows = await sql`
        delete from subject_erasure_records where ${next} and memory = any(array(
          select memory from subject_erasure_records where ${next} order by memory limit ${limit} for update
        )) returning memory as id, digest`;
      return rows.map(({ id, digest }) => ({ id, digest }) as { id: string; digest: string });
    },
    async note(erasure, { erased, skipped, receipt }) {
      await sql`
        update subject_erasures set erased = erased + ${erased}, skipped = skipped + ${skipped},
          receipts = receipts || ${receipt === null ? [] : [receipt]}::uuid[], due_at = now() + ${LEASE}::interval
        where id = ${erasure}`;
    },
  };
}
