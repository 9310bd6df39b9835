import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import type { EventFilter, EventLog, LoggedEvent } from "../../../core/events/event-log.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";
import { BLOCK_BYTES, type BlockSeal, blockSealOf } from "../database/sealed-block.ts";
import { isVisibleOwner, ofEachOwner, type Sight, sightOf, visible } from "../memory/visibility.ts";
import { advanceLog } from "./advance.ts";

const ID_PREFIX = "evt_";

/** Converts positions in the log to ids that cannot be forged and that do not reveal how many events lie in between. */
export interface EventIds {
  idOf(position: number): string;
  /**
   * A place to read on from. It is a different text each time, so that two of them do not reveal whether events of
   * others lie in between.
   */
  placeOf(position: number): string;
  /** null if the text is not one of our ids or places. */
  positionOf(id: string): number | null;
}

const RANDOM_AT = 8;
const RANDOM_BYTES = 5;

/**
 * Each id is one sealed block: the position, five bytes that are random in a place and zero in an event's id, and three
 * that must be zero. An event has the same id on every server, for the lifetime of the database.
 */
function createEventIds(seal: BlockSeal): EventIds {
  const textOf = (position: number, random: Uint8Array) => {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(position));
    block.set(random, RANDOM_AT);
    return ID_PREFIX + seal.seal(block);
  };
  return {
    idOf: (position) => textOf(position, new Uint8Array(RANDOM_BYTES)),
    placeOf: (position) => textOf(position, randomBytes(RANDOM_BYTES)),
    positionOf(id) {
      const block = seal.open(id.slice(ID_PREFIX.length));
      if (block === null) return null;
      const isOurs =
        block.subarray(RANDOM_AT + RANDOM_BYTES).every((byte) => byte === 0) &&
        block.readUInt32BE(0) < 2 ** 21;
      return isOurs ? Number(block.readBigUInt64BE()) : null;
    },
  };
}

/** The ids of this database's events. The key is read at the first use. */
export function eventIdsOf(sql: Sql): () => Promise<EventIds> {
  const sealOf = blockSealOf(sql, "event_ids");
  return async () => createEventIds(await sealOf());
}

/** Creates the `EventLog` of the record's own database. */
export function createEventLog(sql: Sql): EventLog {
  const idsOf = eventIdsOf(sql);
  return {
    async read(caller, after, { limit, ...filter }) {
      const ids = await idsOf();
      const from = after === null ? null : ids.positionOf(after);
      if (after !== null && from === null) return "unknown";
      const end = await advanceLog(sql);
      const sight = sightOf(sql, caller);
      const rows = await sql`
        with ${sight.seen}
        select log.cleared_to, ${eventColumns(sql)} from event_log log left join lateral (
          select e.* from ${ofEachOwner(
            sql,
            caller,
            (owner) => sql`
              select e.* from events e where e.owner_id = ${owner} and e.position > ${from ?? 0} and e.position <= ${end}
                and ${isFor(sql, caller, sight)} and ${passes(sql, filter)}
              order by e.position limit ${limit}`,
            sight.owners,
          )} e order by e.position limit ${limit}
        ) e on true order by e.position`;
      const clearedTo = rows[0]?.cleared_to as number;
      // A place beyond the end means that a backup was restored: events since then are not those that were reported
      // before.
      if (from !== null && (from < clearedTo || from > end)) return "gone";
      const events = rows.filter((row) => row.position !== null);
      const hasMore = events.length === limit;
      const next = hasMore ? (events.at(-1)?.position as number) : end;
      return {
        events: events.map(({ cleared_to: _, ...row }) => toEvent(row, ids)),
        next: ids.placeOf(next),
        hasMore,
      };
    },
    async end() {
      const ids = await idsOf();
      return ids.placeOf(await advanceLog(sql));
    },
  };
}

/**
 * True if the caller may see the event `e` now, by the one authorisation predicate. It applies to the memory as it is
 * now or, if the memory is gone, to where it was. So an erased memory is reported only by its erasure. `offset 0` keeps
 * the planner from hashing the memories of all owners instead of looking one up.
 */
export function isFor(sql: AnySql, caller: Caller, sight?: Sight): Fragment {
  const isVisible = sight?.visible ?? visible(sql, caller);
  return sql`(
    ${isVisibleOwner(sql, caller, sql`e.owner_id`, sight?.owners)}
    and case when e.is_gone
      then exists (
        select from (select e.owner_id, e.scope, e.project_id, e.path, e.bucket, e.memory_type) m
        where ${isVisible}
      )
      else exists (select from memories m where m.id = e.memory and m.owner_id = e.owner_id and ${isVisible} offset 0)
    end
  )`;
}

/**
 * SQL table of the events `e` of the owners that a caller sees. End users may be too many to read owner by owner: with
 * them it is read by position.
 */
export function eventsSeenBy(
  sql: AnySql,
  caller: Caller,
  select: (isOfOwner: Fragment) => Fragment,
): Fragment {
  return caller.includesEndUsers === true
    ? sql`(${select(sql`true`)})`
    : ofEachOwner(sql, caller, (owner) => select(sql`e.owner_id = ${owner}`));
}

/** True if the event `e` matches the filter. */
export function passes(sql: AnySql, { subjects, projectId, memoryId }: EventFilter): Fragment {
  return sql`(
    true ${subjects === null ? sql`` : sql`and e.subject = any(${subjects as string[]})`}
    ${projectId === null ? sql`` : sql`and e.project_id = ${projectId}`}
    ${memoryId === null ? sql`` : sql`and e.memory_id = ${memoryId}`}
  )`;
}

/** Columns of the event `e` for `toEvent`, with its position. */
export function eventColumns(sql: AnySql): Fragment {
  return sql`e.position, e.subject, e.kind, e.at, e.memory_id, e.owner_id, e.scope, e.project_id, e.revision,
    (select o.name from owners o where o.id = e.owner_id and o.kind = 'end_user') as user_id`;
}

export function toEvent({ position, ...row }: Row, ids: EventIds): LoggedEvent {
  return { id: ids.idOf(position as number), ...fromRow<Omit<LoggedEvent, "id">>(row) };
}
