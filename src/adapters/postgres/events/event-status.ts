import type { Sql } from "../database/client.ts";

/** How far behind the log of events and its deliveries are. */
export interface EventStatus {
  /** Events that are not in the log yet, and for how many seconds the oldest of them; null where there are none. */
  readonly unlogged: number;
  readonly unloggedSeconds: number | null;
  readonly webhooks: number;
  /** Webhooks that are enabled and whose last attempt failed. */
  readonly failing: number;
  readonly waiting: number;
  readonly deadLetters: number;
}

export async function readEventStatus(sql: Sql): Promise<EventStatus> {
  const [row] = await sql`
    select (select count(*)::int from event_inbox) as unlogged,
      (select extract(epoch from now() - min(at))::float8 from event_inbox) as unlogged_seconds,
      (select count(*)::int from webhooks) as webhooks,
      (select count(*)::int from webhooks where is_enabled and failures > 0) as failing,
      (select count(*)::int from webhook_deliveries where dead_at is null) as waiting,
      (select count(*)::int from webhook_deliveries where dead_at is not null) as dead`;
  return {
    unlogged: row?.unlogged as number,
    unloggedSeconds: row?.unlogged_seconds as number | null,
    webhooks: row?.webhooks as number,
    failing: row?.failing as number,
    waiting: row?.waiting as number,
    deadLetters: row?.dead as number,
  };
}
