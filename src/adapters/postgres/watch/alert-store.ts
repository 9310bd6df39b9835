import { randomUUID } from "node:crypto";
import { alertMeasureNames } from "../../../contract/alert.ts";
import type {
  AlertStore,
  AlertThresholds,
  RaisedAlert,
  WatchedWorkspace,
} from "../../../core/watch/alert-store.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { fromRow } from "../database/rows.ts";
import { retried } from "../database/transactions.ts";
import { countConflicts } from "../project/workspace-store.ts";

/** A credential that has not been used for so long is forgotten, not silent. */
const IN_USE_DAYS = 30;
/** Workspaces that a server takes at a time. */
const DUE_MAX = 100;

const NONE = Object.fromEntries(alertMeasureNames.map((measure) => [measure, null])) as AlertThresholds;
const thresholdsIn = (stored: unknown): AlertThresholds => ({ ...NONE, ...(stored as object) });

/** Creates the store of alerts. */
export function createAlertStore(sql: Sql): AlertStore {
  const within = async (work: (tx: TransactionSql) => Promise<void>) => {
    await retried(() => sql.begin(work));
  };
  return {
    async thresholds(ownerId) {
      const [row] = await sql`select thresholds from alert_thresholds where owner_id = ${ownerId}`;
      return thresholdsIn(row?.thresholds);
    },
    setThresholds: ({ tokenId, attribution, requestId }, ownerId, thresholds) =>
      within(async (tx) => {
        const watched = alertMeasureNames.filter((measure) => thresholds[measure] !== null);
        if (watched.length === 0) await tx`delete from alert_thresholds where owner_id = ${ownerId}`;
        else
          await tx`
            insert into alert_thresholds (owner_id, thresholds) values (${ownerId}, ${thresholds as never}::jsonb)
            on conflict (owner_id) do update set thresholds = excluded.thresholds, checked_at = null`;
        await end(tx, ownerId, tx`measure <> all(${watched}::text[])`);
        await tx`
          insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
          values (${ownerId}, 'set_alerts', ${tokenId}, ${attribution.agentId}, ${requestId},
            ${thresholds as never}::jsonb)`;
      }),
    async raised(ownerId) {
      const rows = await sql`
        select l.measure, l.about, l.value, l.threshold, l.raised_at, l.calm_since, t.name,
          coalesce(t.is_agent, false) as is_agent
        from alerts l left join lateral (
          select coalesce(g.client ->> 'client_name', t.name) as name, t.agent_id is not null as is_agent
          from tokens t left join agents g on g.id = t.agent_id
          where ${isOf(sql, sql`l.owner_id`)} and ${about(sql)} = l.about
          order by t.created_at desc limit 1
        ) t on true
        where l.owner_id = ${ownerId} order by l.raised_at, l.measure, l.about`;
      return rows.map(fromRow<RaisedAlert>);
    },
    async takeDue({ now, before }) {
      const rows = await sql`
        update alert_thresholds set checked_at = ${sql.typed.instant(now)}
        where owner_id in (
          select owner_id from alert_thresholds
          where checked_at is null or checked_at <= ${sql.typed.instant(before)}
          order by checked_at nulls first limit ${DUE_MAX} for no key update skip locked
        )
        returning owner_id, thresholds`;
      return rows.map(
        ({ owner_id, thresholds }): WatchedWorkspace => ({
          ownerId: owner_id,
          thresholds: thresholdsIn(thresholds),
        }),
      );
    },
    conflicts: (ownerId, now) => countConflicts(sql, { ownerId, now }),
    async silent(ownerId, before) {
      const rows = await sql`
        select ${about(sql)} as id, max(t.last_used_at) as last_used_at from tokens t
        where ${isOf(sql, sql`${ownerId}::uuid`)} and t.kind in ('api_key', 'oauth', 'agent_formal')
          and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
        group by 1 having max(t.last_used_at) <= ${sql.typed.instant(before)} and (
          max(t.last_used_at) > ${sql.typed.instant(before)} - make_interval(days => ${IN_USE_DAYS}) or ${about(sql)} in (
            select about from alerts where owner_id = ${ownerId} and measure = 'silent_agent'
          ))`;
      return rows.map((row) => fromRow<{ id: string; lastUsedAt: number }>(row));
    },
    record: (ownerId, exceeded, { now, calmBefore }) =>
      within(async (tx) => {
        const at = tx.typed.instant(now);
        const lines = exceeded.map((one) => ({ ...one, id: randomUUID() }));
        // The lock keeps the thresholds from being changed until this is committed.
        const rows = await tx`
          insert into alerts (id, owner_id, measure, about, value, threshold, raised_at)
          select e.id, ${ownerId}, e.measure, e.about, e.value, e.threshold, ${at}
          from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as e (
            id uuid, measure text, about text, value float8, threshold float8
          ) join alert_thresholds t on t.owner_id = ${ownerId} and (t.thresholds ->> e.measure)::float8 = e.threshold
          order by e.measure, e.about for share of t
          on conflict (owner_id, measure, about) do update
            set value = excluded.value, threshold = excluded.threshold, calm_since = null
          returning id`;
        const ids = rows.map(({ id }) => id as string);
        // Another id is that of an alert that was raised before.
        const raised = lines.map(({ id }) => id as string).filter((id) => ids.includes(id));
        await report(tx, ownerId, "raised", raised);
        await tx`
          update alerts set calm_since = ${at}
          where owner_id = ${ownerId} and id <> all(${ids}::uuid[]) and calm_since is null`;
        await end(tx, ownerId, tx`calm_since <= ${tx.typed.instant(calmBefore)}`);
      }),
  };
}

/** The agent of the token `t`, all of whose tokens are one; otherwise the token itself. */
const about = (sql: AnySql): Fragment => sql`coalesce(t.agent_id, t.id::text)`;

/** True if the token `t` is one of the user's own workspace, or one of the team's. */
function isOf(sql: AnySql, ownerId: Fragment): Fragment {
  return sql`((t.owner_id = ${ownerId} and t.team_id is null) or t.team_id = ${ownerId})`;
}

async function end(tx: TransactionSql, ownerId: string, which: Fragment): Promise<void> {
  const rows = await tx`
    select id from alerts where owner_id = ${ownerId} and ${which} order by measure, about for update`;
  const ids = rows.map(({ id }) => id as string);
  await report(tx, ownerId, "ended", ids);
  await tx`delete from alerts where owner_id = ${ownerId} and id = any(${ids}::uuid[])`;
}

/**
 * Adds an event for each alert. It is of no memory, so it is reported as one that is gone, in no project, path or bucket:
 * only credentials for the whole workspace see it.
 */
async function report(
  tx: TransactionSql,
  ownerId: string,
  kind: "raised" | "ended",
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    insert into event_inbox (
      memory, owner_id, memory_id, scope, subject, kind, revision, is_gone, path, bucket, memory_type
    )
    select l.id, l.owner_id, concat_ws(':', l.measure, nullif(l.about, '')),
      case o.kind when 'team' then 'team' else 'private' end, 'alert', ${kind}, ${kind === "raised" ? 1 : 2}, true, '', '', ''
    from alerts l join owners o on o.id = l.owner_id
    where l.owner_id = ${ownerId} and l.id = any(${ids as string[]}::uuid[])
    order by l.measure, l.about`;
}
