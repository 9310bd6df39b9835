import { DomainError } from "../../../core/error.ts";
import type {
  OpenErasure,
  SubjectErasure,
  SubjectErasures,
  SubjectTransaction,
} from "../../../core/subject/subject-store.ts";
import type { Sql, TransactionSql } from "../database/client.ts";
import { explainDatabaseFailure } from "../database/failure.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";

/** An erasure counts as interrupted this long after its last batch. */
const LEASE = "10 seconds";
/** Pause after the first failure, and the longest one, which one a few hours later is. */
const RETRY_SECONDS = 10;
const RETRY_SECONDS_MAX = 3600;

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
        select id, records, erased, skipped, questions, receipts, began_at, finished_at, was_stopped, failures, failure,
          due_at
        from subject_erasures
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
    finish: (id) => retried(() => sql.begin((tx) => finish(tx, id))) as Promise<never>,
    async fail(id, error) {
      await sql`
        update subject_erasures set failures = failures + 1, failure = ${reasonOf(error)},
          due_at = now() + least(${RETRY_SECONDS_MAX}, ${RETRY_SECONDS} * power(2, least(failures, 20))) * interval '1 second'
        where id = ${id} and finished_at is null`;
    },
    stop: (ownerId, id) =>
      retried(() =>
        sql.begin(async (tx) => {
          const [open] = await tx`
            select from subject_erasures where id = ${id} and owner_id = ${ownerId} and finished_at is null`;
          if (!open) return false;
          await finish(tx, id);
          await tx`update subject_erasures set was_stopped = true where id = ${id}`;
          return true;
        }),
      ) as Promise<boolean>,
  };
}

/** Locks the records before the erasure, as its batches do. One that has ended stays as it ended. */
async function finish(sql: TransactionSql, id: string): Promise<void> {
  const { count } = await sql`delete from subject_erasure_records where erasure = ${id}`;
  await sql`
    update subject_erasures set skipped = skipped + ${count}, question_ids = '{}', finished_at = now(),
      failures = 0, failure = null
    where id = ${id} and finished_at is null`;
}

/** A sentence for people. The database's own messages may quote stored content, so only their codes are kept. */
function reasonOf(error: unknown): string {
  const known = error instanceof DomainError ? error.message : explainDatabaseFailure(error);
  if (known !== undefined) return known;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string"
    ? `An unexpected error (${code}): the server's log has more.`
    : "An unexpected error: the server's log has more.";
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
          receipts = receipts || ${receipt === null ? [] : [receipt]}::uuid[], due_at = now() + ${LEASE}::interval,
          failures = 0, failure = null
        where id = ${erasure}`;
    },
  };
}
