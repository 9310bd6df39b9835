import type { EventUpkeep } from "../../../core/events/event-log.ts";
import type { Sql, TransactionSql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";
import { retried } from "../database/transactions.ts";

/** Maintains the log of the record's own database. Each event is kept for `keptHours`. */
export function createEventUpkeep(sql: Sql, keptHours: number): EventUpkeep {
  return { advance: () => advanceLog(sql), clear: () => clearLog(sql, keptHours) };
}

/** Events moved at a time, few enough that no one waits long for the lock. */
const AT_ONCE = 1000;

const LOCK = lockNumber("event log");

/**
 * Moves committed events from the inbox into the log, and expiries that are due. Only one server does so at a time, so
 * a reader that sees an event in the log sees all before it, and misses nothing when it reads on from there. The inbox
 * has the events of one memory in order, and shows none before its predecessors. Returns the last assigned position. An
 * erasure may have deleted its event.
 */
export async function advanceLog(sql: Sql): Promise<number> {
  const { isWaiting, end } = await look(sql);
  if (!isWaiting) return end;
  for (let moved = AT_ONCE; moved >= AT_ONCE; ) {
    moved = await retried(() => sql.begin((transaction) => moveSome(transaction)));
  }
  return (await look(sql)).end;
}

async function look(sql: Sql): Promise<{ isWaiting: boolean; end: number }> {
  const [row] = await sql`
    select exists (select from event_inbox) or exists (select from event_instants where at <= now()) as is_waiting,
           (select greatest(last_position, (select max(position) from events)) from event_log) as last`;
  return { isWaiting: row?.is_waiting === true, end: row?.last as number };
}

/**
 * Moves a batch of expiries and a batch of inbox events. Returns the size of the larger batch. Each statement sees what
 * was committed before it began.
 */
async function moveSome(sql: TransactionSql): Promise<number> {
  await sql`select pg_advisory_xact_lock(${LOCK})`;
  // Skips a row that another transaction is changing: that change reports what the clock did before it.
  const told = await sql`
    with due as (
      select i.owner_id as instant_owner, i.memory as instant_of, i.kind as instant, i.at as instant_at, m.*
      from event_instants i join memories m on m.owner_id = i.owner_id and m.id = i.memory
      where i.at <= now() order by i.at limit ${AT_ONCE} for update of i skip locked for share of m skip locked
    ), over as (
      delete from event_instants i using due
      where i.owner_id = due.instant_owner and i.memory = due.instant_of and i.kind = due.instant
    )
    insert into event_inbox (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at)
    select id, owner_id, memory_id, scope, project_id, coalesce(workspace_item, 'memory'), instant, revision, instant_at
    from due order by instant_at`;
  // Arrays make this an index lookup. A join would read everything that waits for every batch.
  const [moved] = await sql`
    with next as materialized (
      select owner_id, seq from event_inbox order by seq limit ${AT_ONCE}
    ), taken as (
      delete from event_inbox
      where owner_id = any(array(select distinct owner_id from next)) and seq = any(array(select seq from next))
      returning *
    ), moved as (
      insert into events (memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at, is_gone, path,
        bucket, memory_type)
      select memory, owner_id, memory_id, scope, project_id, subject, kind, revision, at, is_gone, path, bucket, memory_type
      from taken order by seq returning position
    ), reached as (
      select count(*)::int as moved, max(position) as position from moved
    )
    update event_log set last_position = reached.position from reached where reached.moved > 0 returning reached.moved`;
  return Math.max(told.count, moved?.moved ?? 0);
}

const DEAD_LETTERS_KEPT_DAYS = 30;

/** Removes older events, except those that are still to be delivered, and records how far the log is cleared. */
export async function clearLog(sql: Sql, keptHours: number): Promise<void> {
  await sql`delete from webhook_deliveries where dead_at < now() - make_interval(days => ${DEAD_LETTERS_KEPT_DAYS})`;
  await sql`
    with cleared as (
      delete from events e where noted_at < now() - make_interval(hours => ${keptHours})
        and not exists (select from webhook_deliveries d where d.position = e.position)
      returning position
    )
    update event_log set cleared_to = greatest(cleared_to, (select max(position) from cleared))`;
}
