import type { ReadEventStatus } from "../../../core/events/event-status.ts";
import type { Sql } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";

/**
 * Reads the `EventStatus` in one statement. Events that a webhook has not taken yet are searched for only among those
 * of its own owner.
 */
export function createEventStatus(sql: Sql): ReadEventStatus {
  return async () => {
    const [row] = await sql`
      with waiting as (
        select e.noted_at from webhook_deliveries d join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook and w.is_enabled
        join events e on e.position = d.position where d.dead_at is null
      ), untaken as (
        select e.noted_at from webhooks w cross join lateral (
          select noted_at from events e
          where e.owner_id = w.owner_id and e.position > w.position
            and (w.subjects is null or e.subject = any(w.subjects))
            and (w.project_id is null or e.project_id = w.project_id)
          order by e.position limit 1
        ) e where w.is_enabled
      )
      select (select count(*)::int from event_inbox) as unlogged,
        (select extract(epoch from now() - min(at))::float8 from event_inbox) as unlogged_seconds,
        (select count(*)::int from webhooks) as webhooks,
        (select count(*)::int from webhooks where is_enabled and failures > 0) as failing,
        (select count(*)::int from waiting) as waiting,
        (select extract(epoch from now() - min(noted_at))::float8
         from (select noted_at from waiting union all select noted_at from untaken) undelivered) as undelivered_seconds,
        (select count(*)::int from webhook_deliveries where dead_at is not null) as dead_letters`;
    return fromRow(row as Row);
  };
}
