import { randomUUID } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import type {
  ClaimedWebhook,
  Delivery,
  DeliveryOutcome,
  DeliveryQueue,
} from "../../../core/events/delivery.ts";
import type { Fragment, Sql, TransactionSql } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { advanceLog } from "./advance.ts";
import { eventColumns, eventIdsOf, eventsSeenBy, isFor, toEvent } from "./event-log.ts";
import { secretColumns, secretsOf } from "./webhook-store.ts";

/**
 * Maximum number of events to take from the log at a time, and of deliveries that wait for one webhook. The rest stays
 * in the log.
 */
const TAKEN_AT_ONCE = 500;
const WAITING_MAX = 2000;
const DUE_AT_ONCE = 200;
/** How long a webhook without authority is suspended. */
const SUSPENDED_SECONDS = 60;
/** Maximum pause of a delivery, and of a receiver at which nothing succeeds. */
const PAUSE_MAX_SECONDS = 3600;
const RECEIVER_PAUSE_MAX_SECONDS = 60;

export interface QueueOptions {
  /** Number of attempts before an event is given up. */
  readonly attemptsMax: number;
  /** The pause after the first failure. It doubles with each further failure. */
  readonly retrySeconds: number;
  /** How long a claim holds unless it is renewed. */
  readonly leaseSeconds: number;
}

/** Creates a `DeliveryQueue` in the record's own database. */
export function createDeliveryQueue(sql: Sql, options: QueueOptions): DeliveryQueue {
  const idsOf = eventIdsOf(sql);
  const { leaseSeconds } = options;
  return {
    async claim(limit) {
      const [any] = await sql`select exists (select from webhooks where is_enabled) as is_any`;
      if (any?.is_any !== true) return { webhooks: [], isAny: false };
      const rows = await claim(sql, await advanceLog(sql), limit, leaseSeconds);
      return { webhooks: rows.map(toClaimed), isAny: true };
    },
    async renew({ id, ownerId, lease }) {
      const [row] = await sql`
        update webhooks set leased_until = now() + ${leaseSeconds} * interval '1 second'
        where owner_id = ${ownerId} and id = ${id} and lease = ${lease} and is_enabled
        returning ${claimedColumns(sql)}`;
      return row ? toClaimed(row) : null;
    },
    async take(webhook, caller) {
      const end = await advanceLog(sql);
      await retried(() => sql.begin((tx) => take(tx, webhook, caller, end)));
    },
    async due({ id, ownerId }, caller) {
      const ids = await idsOf();
      // Events that the caller may no longer see count as gone: it no longer sees the owner, or the event is not for
      // this caller.
      const event = eventsSeenBy(
        sql,
        caller,
        (isOfOwner) => sql`
          select e.* from events e where ${isOfOwner} and e.position = d.position and ${isFor(sql, caller)}`,
      );
      const rows = await sql`
        with heads as (
          select distinct on (memory) memory, next_at, attempts from webhook_deliveries
          where owner_id = ${ownerId} and webhook = ${id} and dead_at is null order by memory, position
        )
        select ${eventColumns(sql)}, d.position as waiting, d.memory as waits_with, d.attempts
        from webhook_deliveries d join heads h on h.memory = d.memory and h.next_at <= now()
        left join lateral ${event} e on true
        where d.owner_id = ${ownerId} and d.webhook = ${id} and d.dead_at is null
        order by h.attempts, d.position limit ${DUE_AT_ONCE}`;
      const deliveries = rows.map(
        ({ waiting, waits_with: memory, attempts, ...event }): Delivery => ({
          position: waiting,
          memory,
          attempts,
          event: event.position === null ? null : toEvent(event, ids),
        }),
      );
      return deliveries.sort((a, b) => a.position - b.position);
    },
    settle: (webhook, outcomes) =>
      retried(async () => {
        await sql.begin((tx) => settle(tx, webhook, outcomes, options));
      }),
    async disable({ id, ownerId, lease }, reason) {
      await sql`
        update webhooks set is_enabled = false, last_error = ${reason}, lease = null, leased_until = null
        where owner_id = ${ownerId} and id = ${id} and lease = ${lease}`;
    },
    async release({ id, ownerId, lease }, reason) {
      await sql`
        update webhooks set lease = null, leased_until = null, last_error = coalesce(${reason}, last_error),
          next_try_at = case when ${reason}::text is null then next_try_at
            else now() + ${SUSPENDED_SECONDS} * interval '1 second' end
        where owner_id = ${ownerId} and id = ${id} and lease = ${lease}`;
    },
  };
}

function claim(sql: Sql, end: number, limit: number, leaseSeconds: number) {
  return sql`
    update webhooks set lease = ${randomUUID()}, leased_until = now() + ${leaseSeconds} * interval '1 second'
    where (owner_id, id) in (
      select w.owner_id, w.id from webhooks w
      where w.is_enabled and w.next_try_at <= now() and (w.leased_until is null or w.leased_until < now())
        and (w.position < ${end} or exists (
          select from webhook_deliveries d
          where d.owner_id = w.owner_id and d.webhook = w.id and d.dead_at is null and d.next_at <= now()
        ))
      order by w.next_try_at limit ${limit} for update skip locked
    )
    returning ${claimedColumns(sql)}`;
}

function claimedColumns(sql: Sql): Fragment {
  return sql`id, owner_id, lease, authority, url, has_end_users, failures, ${secretColumns(sql)}`;
}

function toClaimed({ secret, former_secret, ...row }: Row): ClaimedWebhook {
  return { ...fromRow<Omit<ClaimedWebhook, "secrets">>(row), secrets: secretsOf({ secret, former_secret }) };
}

/** Records which events to deliver and how far the log has been read, in one transaction. */
async function take(
  sql: TransactionSql,
  { id, ownerId, lease }: ClaimedWebhook,
  caller: Caller,
  end: number,
): Promise<void> {
  const [webhook] = await sql`
    select w.position, w.subjects, w.project_id, log.cleared_to, (
      select count(*) from webhook_deliveries d where d.owner_id = w.owner_id and d.webhook = w.id and d.dead_at is null
    ) as waiting
    from webhooks w cross join event_log log where w.owner_id = ${ownerId} and w.id = ${id}
      and w.lease = ${lease} for update of w`;
  if (!webhook || Number(webhook.waiting) >= WAITING_MAX || webhook.position >= end) return;
  const taken = await sql`
    insert into webhook_deliveries (owner_id, webhook, position, memory)
    select ${ownerId}, ${id}, e.position, e.memory from ${eventsSeenBy(
      sql,
      caller,
      (isOfOwner) => sql`
        select e.* from events e
        where ${isOfOwner} and e.position > ${webhook.position} and e.position <= ${end} and ${isFor(sql, caller)}
          and (${webhook.subjects}::text[] is null or e.subject = any(${webhook.subjects}::text[]))
          and (${webhook.project_id}::text is null or e.project_id = ${webhook.project_id})
        order by e.position limit ${TAKEN_AT_ONCE}`,
    )} e
    order by e.position limit ${TAKEN_AT_ONCE}
    on conflict do nothing returning position`;
  const isAll = taken.length < TAKEN_AT_ONCE;
  const position = isAll ? end : Math.max(...taken.map((row) => row.position as number));
  await sql`
    update webhooks set position = ${position},
      missed_at = case when position < ${webhook.cleared_to} then now() else missed_at end
    where owner_id = ${ownerId} and id = ${id}`;
}

async function settle(
  sql: TransactionSql,
  { id, ownerId, lease }: ClaimedWebhook,
  outcomes: readonly DeliveryOutcome[],
  { attemptsMax, retrySeconds }: QueueOptions,
): Promise<void> {
  // Locks the webhook before its deliveries, as everywhere. A concurrent removal waits, or has already removed them
  // all.
  const [known] =
    await sql`select from webhooks where owner_id = ${ownerId} and id = ${id} for no key update`;
  if (!known) return;
  const positionsOf = (kind: DeliveryOutcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).map(({ position }) => position);
  const delivered = positionsOf("delivered");
  const over = [...delivered, ...positionsOf("dropped")];
  if (over.length > 0)
    await sql`delete from webhook_deliveries where owner_id = ${ownerId} and webhook = ${id} and position = any(${over}::bigint[])`;
  if (delivered.length > 0)
    await sql`
      update webhooks set failures = 0, next_try_at = now(), last_error = null, last_delivered_at = now()
      where owner_id = ${ownerId} and id = ${id} and lease = ${lease}`;
  for (const outcome of outcomes) {
    if (outcome.kind !== "failed") continue;
    await sql`
      update webhook_deliveries set attempts = attempts + 1, last_error = ${outcome.reason},
        dead_at = case when attempts + 1 >= ${attemptsMax} then now() end,
        next_at = now() + least(${PAUSE_MAX_SECONDS}, ${retrySeconds} * power(2, least(attempts, 20)))
          * (0.5 + random()) * interval '1 second'
      where owner_id = ${ownerId} and webhook = ${id} and position = ${outcome.position}`;
    // One refused event says little about the receiver. The pause of all its deliveries grows while nothing succeeds.
    const asked = Math.min(PAUSE_MAX_SECONDS, (outcome.tryAgainAfterMs ?? 0) / 1000);
    await sql`
      update webhooks set failures = failures + 1, last_error = ${outcome.reason},
        next_try_at = now() + greatest(${asked}, case when failures = 0 then 0 else
          least(${RECEIVER_PAUSE_MAX_SECONDS}, ${retrySeconds} * power(2, least(failures - 1, 20))) * (0.5 + random())
        end) * interval '1 second'
      where owner_id = ${ownerId} and id = ${id} and lease = ${lease}`;
  }
}
