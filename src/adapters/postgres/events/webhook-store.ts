import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import type {
  DeadLetter,
  StoredWebhook,
  WebhookHolder,
  WebhookStore,
} from "../../../core/events/webhook-store.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { lockNumber } from "../database/locks.ts";
import { fromRow, type Row, toRow } from "../database/rows.ts";
import { NO_TOKEN } from "../project/author-trust.ts";
import { advanceLog } from "./advance.ts";
import { eventColumns, eventIdsOf, isFor, toEvent } from "./event-log.ts";

const SECRET_BYTES = 32;

/** Creates a `WebhookStore` in the record's own database. */
export function createWebhookStore(sql: Sql): WebhookStore {
  const idsOf = eventIdsOf(sql);
  return {
    async create(caller, webhook, ownMax) {
      const end = await advanceLog(sql);
      const secret = randomBytes(SECRET_BYTES);
      const row = { ...toRow(webhook), token_id: caller.tokenId, secret, position: end };
      const isMade = await sql.begin(async (tx) => {
        // Concurrent requests count one after the other.
        await tx`select pg_advisory_xact_lock(${lockNumber(`webhooks:${caller.owner.id}`)})`;
        const [own] = await tx`select count(*) as count from webhooks where owner_id = ${caller.owner.id}`;
        if (Number(own?.count) >= ownMax) return false;
        await tx`insert into webhooks ${tx({ owner_id: caller.owner.id, ...row })}`;
        await audit(tx, caller, "webhook_create", webhook.id);
        return true;
      });
      if (!isMade) return null;
      const made = await one(sql, { ownerId: caller.owner.id, tokenId: null }, webhook.id);
      return { webhook: made as StoredWebhook, secret: shown(secret) };
    },
    async list(holder) {
      return (await sql`${shownWebhooks(sql)} where ${isOf(sql, holder)} order by w.id`).map(
        fromRow<StoredWebhook>,
      );
    },
    get: (holder, id) => one(sql, holder, id),
    async update(caller, holder, id, change) {
      const row = toRow({ ...change, tokenId: caller.tokenId });
      const end = await advanceLog(sql);
      const isThere = await sql.begin(async (tx) => {
        // A restored webhook does not report the events that were restored with it.
        const changed = await tx`
          update webhooks w set ${tx(row)}, failures = 0, next_try_at = now(), updated_at = now(),
            position = case when w.token_id = ${NO_TOKEN} then ${end} else w.position end
          where w.id::text = ${id} and ${isOf(tx, holder)}`;
        if (changed.count > 0) await audit(tx, caller, "webhook_update", id);
        return changed.count > 0;
      });
      return isThere ? one(sql, { ...holder, tokenId: null }, id) : null;
    },
    remove: (caller, holder, id) =>
      sql.begin(async (tx) => {
        const removed = await tx`delete from webhooks w where w.id::text = ${id} and ${isOf(tx, holder)}`;
        if (removed.count > 0) await audit(tx, caller, "webhook_delete", id);
        return removed.count > 0;
      }) as Promise<boolean>,
    async rotate(caller, holder, id, formerUntil) {
      const secret = randomBytes(SECRET_BYTES);
      const isThere = await sql.begin(async (tx) => {
        const rotated = await tx`
          update webhooks w set former_secret = secret, former_until = ${formerUntil}, secret = ${secret}, updated_at = now()
          where w.id::text = ${id} and ${isOf(tx, holder)}`;
        if (rotated.count > 0) await audit(tx, caller, "webhook_rotate", id);
        return rotated.count > 0;
      });
      return isThere ? { secret: shown(secret) } : null;
    },
    beginTest: (caller, holder, id, pauseSeconds) =>
      sql.begin(async (tx) => {
        const [row] = await tx`
          update webhooks w set tested_at = now()
          where w.id::text = ${id} and ${isOf(tx, holder)}
            and (w.tested_at is null or w.tested_at <= now() - ${pauseSeconds} * interval '1 second')
          returning url, ${secretColumns(tx)}`;
        if (!row) return null;
        await audit(tx, caller, "webhook_test", id);
        return { url: row.url as string, secrets: secretsOf(row) };
      }) as ReturnType<WebhookStore["beginTest"]>,
    async deadLetters(caller, id, limit) {
      const ownerId = caller.owner.id;
      const ids = await idsOf();
      const rows = await sql`
        select ${eventColumns(sql)}, d.attempts, d.last_error, d.dead_at from webhook_deliveries d join events e on e.position = d.position
        where d.owner_id = ${ownerId} and d.webhook = ${id} and d.dead_at is not null and ${isFor(sql, caller)}
        order by d.position limit ${limit}`;
      return rows.map(
        ({ attempts, last_error: lastError, dead_at: givenUpAt, ...row }): DeadLetter => ({
          event: toEvent(row, ids),
          attempts,
          lastError,
          givenUpAt,
        }),
      );
    },
    async redeliver(caller, id, eventIds) {
      const ownerId = caller.owner.id;
      const ids = await idsOf();
      const positions = eventIds?.flatMap((eventId) => ids.positionOf(eventId) ?? []) ?? null;
      return sql.begin(async (tx) => {
        await tx`select from webhooks where owner_id = ${ownerId} and id = ${id} for no key update`;
        const again = await tx`
          update webhook_deliveries d set dead_at = null, attempts = 0, next_at = now(), last_error = null
          from events e where e.position = d.position and d.owner_id = ${ownerId} and d.webhook = ${id} and d.dead_at is not null
            and ${isFor(tx, caller)} ${positions === null ? tx`` : tx`and d.position = any(${positions}::bigint[])`}`;
        await tx`update webhooks set next_try_at = now() where owner_id = ${ownerId} and id = ${id}`;
        await audit(tx, caller, "webhook_redeliver", id);
        return again.count;
      }) as Promise<number>;
    },
  };
}

/** Columns for `secretsOf`. The former secret is included as long as it is valid. */
export function secretColumns(sql: AnySql): Fragment {
  return sql`secret, case when former_until > now() then former_secret end as former_secret`;
}

/** Returns the secrets that a webhook signs with now. */
export function secretsOf({ secret, former_secret }: Row): readonly Uint8Array[] {
  return [secret, former_secret].filter((one) => one !== null).map((one) => Buffer.from(one as Uint8Array));
}

/** Formats a secret as the Standard Webhooks specification does. */
function shown(secret: Buffer): string {
  return `whsec_${secret.toString("base64")}`;
}

async function one(sql: AnySql, holder: WebhookHolder, id: string): Promise<StoredWebhook | null> {
  const [row] = await sql`${shownWebhooks(sql)} where w.id::text = ${id} and ${isOf(sql, holder)}`;
  return row ? fromRow(row) : null;
}

function isOf(sql: AnySql, { ownerId, tokenId }: WebhookHolder): Fragment {
  return sql`(w.owner_id = ${ownerId} ${tokenId === null ? sql`` : sql`and w.token_id = ${tokenId}`})`;
}

function shownWebhooks(sql: AnySql): Fragment {
  return sql`
    select w.id, w.owner_id, w.authority, w.url, w.description, w.subjects, w.project_id, w.has_end_users, w.is_enabled,
      w.failures,
      d.waiting, d.dead_letters, w.last_error, w.last_delivered_at, w.missed_at, w.created_at, w.updated_at
    from webhooks w cross join lateral (
      select count(*) filter (where dead_at is null) as waiting, count(*) filter (where dead_at is not null) as dead_letters
      from webhook_deliveries where owner_id = w.owner_id and webhook = w.id
    ) d`;
}

/** Writes an audit line, which contains only ids. */
async function audit(sql: AnySql, caller: Caller, operation: string, webhook: string): Promise<void> {
  await sql`
    insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
    values (${caller.owner.id}, ${operation}, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
            ${{ webhook } as never})`;
}
