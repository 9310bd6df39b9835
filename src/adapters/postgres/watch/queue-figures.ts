import { QUEUE_LENGTH_MAX, type QueueFigures } from "../../../core/watch/watch.ts";
import type { Sql } from "../database/client.ts";

/**
 * Counts what is pending, up to `QUEUE_LENGTH_MAX` in each queue. The oldest is searched for among as many. Due work is
 * read in the order in which it became due, which is close enough.
 */
export async function readQueueFigures(sql: Sql): Promise<QueueFigures> {
  const [row] = await sql`
    with lines as (
      select kind, queued_at, set_aside from outbox order by available_at, id limit ${QUEUE_LENGTH_MAX}
    ), inbox as (
      select at from event_inbox limit ${QUEUE_LENGTH_MAX}
    ), waiting as (
      select e.noted_at from webhook_deliveries d join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook and w.is_enabled
      join events e on e.position = d.position where d.dead_at is null limit ${QUEUE_LENGTH_MAX}
    )
    select
      (select count(*) from lines where kind <> 'embed' and set_aside is null)::int as outbox,
      (select max(extract(epoch from now() - queued_at)) from lines where kind <> 'embed' and set_aside is null)::float8
        as outbox_age,
      (select count(*) from (
        select from outbox where set_aside is not null limit ${QUEUE_LENGTH_MAX}
      ) aside)::int as set_aside,
      (select count(*) from lines where kind = 'embed' and set_aside is null)::int as embedding,
      (select max(extract(epoch from now() - queued_at)) from lines where kind = 'embed' and set_aside is null)::float8
        as embedding_age,
      (select count(*) from inbox)::int as events,
      (select max(extract(epoch from now() - at)) from inbox)::float8 as events_age,
      (select count(*) from waiting)::int as webhooks,
      (select max(extract(epoch from now() - noted_at)) from waiting)::float8 as webhooks_age,
      (select count(*) from (
        select from webhook_deliveries where dead_at is not null limit ${QUEUE_LENGTH_MAX}
      ) dead)::int as dead_letters,
      (select scanned::float8 / greatest(total, 1) from index_generations where state = 'building') as index_build,
      (select greatest(count(*)::float8, (
        select reltuples::float8 from pg_class where oid = 'memories'::regclass
      )) from (select from memories limit ${QUEUE_LENGTH_MAX}) counted) as memories,
      incarnation.number as incarnation, incarnation.mended_at is not null as is_mended
    from (select number, mended_at from record_incarnations order by number desc limit 1) incarnation`;
  const aged = (name: "outbox" | "embedding" | "events" | "webhooks") => ({
    name,
    length: row?.[name] as number,
    oldestSeconds: (row?.[`${name}_age`] as number | null) ?? 0,
  });
  return {
    queues: [
      aged("outbox"),
      { name: "set_aside", length: row?.set_aside as number, oldestSeconds: null },
      aged("embedding"),
      aged("events"),
      aged("webhooks"),
      { name: "dead_letters", length: row?.dead_letters as number, oldestSeconds: null },
    ],
    indexBuild: row?.index_build === null ? null : Math.min(1, row?.index_build as number),
    memories: row?.memories as number,
    incarnation: row?.incarnation as number,
    isMended: row?.is_mended as boolean,
  };
}
