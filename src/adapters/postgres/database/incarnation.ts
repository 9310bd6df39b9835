import type { Incarnation, Incarnations } from "../../../core/projection/incarnation.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "./client.ts";
import { lockNumber } from "./locks.ts";

const LOCK = lockNumber("record incarnation");

/** Where the record is now, and how far its log of changes goes. */
interface Place {
  readonly system: string;
  readonly files: string;
  readonly timeline: number;
  /**
   * The last byte of the log that survives a crash. It never decreases, unless the cluster is restored to an earlier
   * state.
   */
  readonly log: bigint;
}

interface Known {
  readonly incarnation: Incarnation;
  readonly log: bigint;
}

/**
 * Creates the `Incarnations` of the record's own database. Create one per process, since it holds the process's state.
 */
export function createIncarnations(sql: Sql): Incarnations {
  let known: Known | null = null;

  async function current(seenLog = 0n): Promise<Incarnation> {
    // Read before the query is sent: two concurrent queries may be answered in the other order.
    const before = known;
    const { now, last, isReplica } = await look(sql);
    // In an incarnation that another server began, this server has not seen how far the log went.
    const seen = before !== null && before.incarnation.id === last?.incarnation.id ? before.log : 0n;
    const isGood = last !== null && reasonFor(last, now, seen > seenLog ? seen : seenLog) === null;
    if (!isGood && !isReplica) {
      const begun = await begin(sql, last?.incarnation.id ?? null, seen > seenLog ? seen : seenLog);
      known = { incarnation: begun, log: now.log };
    } else if (last !== null) {
      known = { incarnation: last.incarnation, log: now.log };
    }
    if (known === null)
      throw new Error(
        "This database is a replica that no server has ever written to. Start a server on its primary first.",
      );
    return known.incarnation;
  }

  return {
    current,
    async movedBy() {
      const { now, last, isReplica } = await look(sql);
      const reason = last === null || isReplica ? null : reasonFor(last, now, 0n);
      return reason === "first" ? null : reason;
    },
    known: () => known?.incarnation ?? null,
    async log() {
      const [row] = await sql`select ${log(sql)} as log`;
      return BigInt(row?.log as string);
    },
    async mended(id) {
      await sql`update record_incarnations set mended_at = now() where id = ${id}`;
    },
  };
}

async function look(sql: AnySql): Promise<{ now: Place; last: Stored | null; isReplica: boolean }> {
  const [row] = await sql`
    select ${place(sql)}, pg_is_in_recovery() as is_replica, last.* from (select) nothing left join lateral (
      select ${columns(sql)} from record_incarnations order by number desc limit 1
    ) last on true`;
  const found = row as Record<string, unknown>;
  return {
    now: toPlace(found),
    last: found.id === null ? null : toStored(found),
    isReplica: found.is_replica === true,
  };
}

/** SQL of a text that is cheap to select with every read. It changes with what `current` checks, and with a restart. */
export function stamp(sql: AnySql): Fragment {
  return sql`extract(epoch from pg_postmaster_start_time())::text || pg_relation_filepath('record_incarnations')`;
}

function place(sql: AnySql): Fragment {
  return sql`
    (select system_identifier::text from pg_control_system()) as now_system,
    pg_relation_filepath('record_incarnations') || ' ' || 'memories'::regclass::oid as now_files,
    case when pg_is_in_recovery() then 0
      else ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int end as now_timeline,
    ${log(sql)} as now_log`;
}

function log(sql: AnySql): Fragment {
  return sql`pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end, '0/0')::text`;
}

function columns(sql: AnySql): Fragment {
  return sql`id, number, reason, system, files, timeline, begun_at, mended_at,
    lead(id) over (order by number desc) as parent`;
}

interface Stored {
  readonly incarnation: Incarnation;
  readonly place: Omit<Place, "log">;
}

function toStored(row: Record<string, unknown>): Stored {
  return {
    incarnation: {
      id: row.id as string,
      number: row.number as number,
      parent: row.parent as string | null,
      reason: row.reason as Incarnation["reason"],
      begunAt: row.begun_at as number,
      isMended: row.mended_at !== null,
    },
    place: { system: row.system as string, files: row.files as string, timeline: row.timeline as number },
  };
}

function toPlace(row: Record<string, unknown>): Place {
  return {
    system: row.now_system as string,
    files: row.now_files as string,
    timeline: row.now_timeline as number,
    log: BigInt(row.now_log as string),
  };
}

/** Why the record is not the one that its last row describes; null if it is. */
function reasonFor({ place }: Stored, now: Place, seenLog: bigint): Incarnation["reason"] | null {
  if (place.system !== now.system || place.files !== now.files) return "restored";
  if (now.log < seenLog) return "went_back";
  return place.timeline === now.timeline ? null : "promoted";
}

/** Begins an incarnation, unless another server has begun one since `before` was the last. */
function begin(sql: Sql, before: string | null, seenLog: bigint): Promise<Incarnation> {
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    const { now, last } = await look(transaction);
    const seen = last?.incarnation.id === before ? seenLog : 0n;
    const reason = last === null ? "first" : reasonFor(last, now, seen);
    if (reason === null) return (last as Stored).incarnation;
    if (reason === "restored" || reason === "went_back") await leaveFollowersBehind(transaction);
    const [begun] = await transaction`
      insert into record_incarnations (number, reason, system, files, timeline)
      values (${(last?.incarnation.number ?? 0) + 1}, ${reason}, ${now.system}, ${now.files}, ${now.timeline})
      returning id, number, reason, system, files, timeline, begun_at, mended_at, null as parent`;
    const { incarnation } = toStored(begun as Record<string, unknown>);
    return { ...incarnation, parent: last?.incarnation.id ?? null };
  }) as Promise<Incarnation>;
}

/** More events than any backup can be behind. */
const POSITIONS_SKIPPED = 1_000_000_000;

/**
 * Skips positions of the event log. Followers may have received events that the record no longer has, and new events
 * would get the same positions. After the skip, a follower that reads on from an earlier position gets the answer
 * "gone".
 */
async function leaveFollowersBehind(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNumber("event log")})`;
  await sql`
    with reached as (
      select greatest(last_position, (select last_value from events_position_seq)) + ${POSITIONS_SKIPPED}::bigint as position
      from event_log
    ), skipped as (
      select setval('events_position_seq', position) as position from reached
    )
    update event_log set (cleared_to, last_position) = (select position, position from skipped)`;
}
