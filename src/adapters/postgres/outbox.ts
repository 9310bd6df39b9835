import { Buffer } from "node:buffer";
import type { MadeVector, Outbox, OutboxLine } from "../../core/projection/outbox.ts";
import { sweepAgents } from "./agent-sweep.ts";
import type { AnySql, Sql, TransactionSql } from "./client.ts";
import { ANSWERS_KEPT_HOURS } from "./idempotency.ts";

/** An index that has not read its owner's changes for longer is built anew (see the embedded index). */
export const TOMBSTONES_KEPT_HOURS = 24;
/** So long a run of maintenance is listed, and can be undone. */
const RUNS_KEPT_DAYS = 90;
const PAUSE_MAX_SECONDS = 300;

export function createOutbox(sql: Sql, generation: number): Outbox {
  return {
    async process(limit, work) {
      let taken: OutboxLine[] = [];
      try {
        return (await sql.begin(async (transaction) => {
          taken = await take(transaction, generation, limit);
          if (taken.length === 0) return 0;
          const vectors = await work(taken);
          await finish(transaction, generation, taken, vectors);
          return taken.length;
        })) as number;
      } catch (error) {
        await postpone(sql, taken);
        throw error;
      }
    },
    async sweep() {
      await sql`delete from tombstones where removed_at < now() - make_interval(hours => ${TOMBSTONES_KEPT_HOURS})`;
      await sweepAgents(sql);
      await sql`
        delete from maintenance_runs
        where finished_at < now() - make_interval(days => ${RUNS_KEPT_DAYS}) and status <> 'undoing'`;
      await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${ANSWERS_KEPT_HOURS})`;
    },
  };
}

async function take(sql: TransactionSql, generation: number, limit: number): Promise<OutboxLine[]> {
  const rows = await sql`
    with due as (
      select * from outbox where available_at <= now() order by id limit ${limit} for update skip locked
    )
    select due.id, due.owner_id, due.memory, due.kind, due.receipt, coalesce(m.revision, due.revision) as revision,
           case when due.kind = 'put' and e.memory is null and m.status <> 'redacted' then m.content end as unembedded
    from due
    left join memories m on m.id = due.memory
    left join embeddings e on e.memory = due.memory and e.generation = ${generation}`;
  return rows.map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    memory: row.memory,
    revision: row.revision,
    kind: row.kind,
    receipt: row.receipt,
    unembedded: row.unembedded,
  }));
}

async function finish(
  sql: TransactionSql,
  generation: number,
  lines: readonly OutboxLine[],
  vectors: readonly MadeVector[],
): Promise<void> {
  for (const made of vectors) await storeVector(sql, generation, made);
  const ids = lines.map((line) => line.id);
  await sql`
    with done as (
      delete from outbox where id = any(${ids}) returning receipt
    ), confirmed as (
      select receipt, count(*) as lines from done where receipt is not null group by receipt
    )
    update receipts r set
      pending = r.pending - confirmed.lines,
      confirmed_at = case when r.pending <= confirmed.lines then now() end
    from confirmed where r.id = confirmed.receipt`;
}

/**
 * Stores a vector made after the write, and tells indexes of it by the change feed. A memory that has changed since its
 * text was read is left alone: its own outbox line follows.
 */
export async function storeVector(sql: AnySql, generation: number, made: MadeVector): Promise<void> {
  const { memory, revision, vector } = made;
  await sql`
    with m as (
      update memories set changed_xid = pg_current_xact_id() where id = ${memory} and revision = ${revision} returning id
    )
    insert into embeddings (memory, generation, vector)
    select id, ${generation}, ${Buffer.from(vector)}::bytea from m
    on conflict (memory, generation) do update set vector = excluded.vector`;
}

async function postpone(sql: Sql, lines: readonly OutboxLine[]): Promise<void> {
  const ids = lines.map((line) => line.id);
  await sql`
    update outbox set attempts = attempts + 1,
      available_at = now() + least(${PAUSE_MAX_SECONDS}, power(2, least(attempts, 10))) * (0.5 + random()) * interval '1 second'
    where id = any(${ids})`;
}
