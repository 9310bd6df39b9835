import type { MaintenanceAction } from "../../../contract/maintenance.ts";
import type {
  ActionTally,
  Direction,
  LeftItem,
  MaintenanceTransaction,
  NewItem,
  Outcome,
} from "../../../core/maintenance/maintenance-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import type { Context } from "../memory/context.ts";
import { toRunItem } from "./maintenance-row.ts";

type RunItems = Pick<MaintenanceTransaction, "nextItems" | "settle" | "tallies" | "left" | "receipts">;

/** What runs are to do to each memory, and what became of it. */
export function createRunItems({ sql }: Pick<Context, "sql">): RunItems {
  return {
    async nextItems(runId, direction, limit) {
      const order = direction === "do" ? sql`place` : sql`place desc`;
      const rows = await sql`
        with next as (
          select * from maintenance_items where run = ${runId} and ${stateOf(sql, direction)} = 'pending'
          order by ${order} limit ${limit}
        )
        select n.*, s.memory_id as survivor_memory_id, e.revision as survivor_revision, m.semantic_key
        from next n
        left join maintenance_survivors e on e.run = n.run and e.memory = n.survivor
        left join memories s on s.id = n.survivor left join memories m on m.id = n.memory
        where n.action = (select action from next order by ${order} limit 1) order by ${order}`;
      return rows.map(toRunItem);
    },
    async settle(runId, direction, outcomes) {
      await (direction === "do" ? settleDone(sql, runId, outcomes) : settleUndone(sql, runId, outcomes));
      await sql`update maintenance_runs set touched_at = now() where id = ${runId}`;
    },
    async tallies(runIds) {
      const rows = await sql`
        select run, action, count(*) as matched, count(*) filter (where state = 'changed') as changed,
          count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where undo_state = 'changed') as undone
        from maintenance_items where run = any(${runIds as string[]}) group by run, action`;
      const tallies = new Map<string, ActionTally[]>();
      for (const { run, ...tally } of rows)
        tallies.set(run, [...(tallies.get(run) ?? []), tally as unknown as ActionTally]);
      return tallies;
    },
    async left(runId, direction) {
      const state = stateOf(sql, direction);
      const rows = await sql`
        select action, memory_id, ${state} as state, ${direction === "do" ? sql`reason` : sql`undo_reason`} as reason
        from maintenance_items where run = ${runId} and ${state} in ('skipped', 'failed') order by place`;
      return rows.map(
        (row): LeftItem => ({
          action: row.action as MaintenanceAction,
          state: row.state as LeftItem["state"],
          memoryId: row.memory_id as string | null,
          reason: row.reason as string,
        }),
      );
    },
    async receipts(runId) {
      const rows = await sql`
        select receipt from maintenance_items where run = ${runId} and receipt is not null
        group by receipt order by min(place)`;
      return rows.map((row) => row.receipt as string);
    },
  };
}

function stateOf(sql: AnySql, direction: Direction): Fragment {
  return direction === "do" ? sql`state` : sql`undo_state`;
}

/** All items of a new run, in their order. */
export async function insertItems(
  { sql }: Pick<Context, "sql">,
  runId: string,
  items: readonly NewItem[],
): Promise<void> {
  const rows = items.map((item, place) => ({
    place,
    action: item.action,
    memory: item.memory,
    memory_id: item.memoryId,
    revision: item.revision,
    survivor: item.survivor?.id ?? null,
    state: item.state,
    reason: item.reason,
  }));
  await sql`
    insert into maintenance_items (run, place, action, memory, memory_id, revision, survivor, state, reason)
    select ${runId}, item.* from jsonb_to_recordset(${rows as never}::jsonb) as item (
      place integer, action text, memory uuid, memory_id text, revision bigint, survivor uuid, state text, reason text
    )`;
  const survivors = new Map(
    items.flatMap(({ survivor }) => (survivor ? [[survivor.id, survivor.revision]] : [])),
  );
  await sql`
    insert into maintenance_survivors (run, memory, revision)
    select ${runId}, s.* from unnest(${[...survivors.keys()]}::uuid[], ${[...survivors.values()]}::bigint[]) as s`;
}

async function settleDone(sql: AnySql, runId: string, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    place: outcome.place,
    state: outcome.state,
    reason: "reason" in outcome ? outcome.reason : null,
    revision: "revision" in outcome ? outcome.revision : null,
    former_status: "formerStatus" in outcome ? outcome.formerStatus : null,
    receipt: "receipt" in outcome ? outcome.receipt : null,
  }));
  await sql`
    update maintenance_items i set
      state = done.state, reason = coalesce(done.reason, i.reason), revision = coalesce(done.revision, i.revision),
      former_status = done.former_status, receipt = done.receipt
    from jsonb_to_recordset(${rows as never}::jsonb) as done (
      place integer, state text, reason text, revision bigint, former_status text, receipt uuid
    )
    where i.run = ${runId} and i.place = done.place`;
  await expectOwnChanges(sql, runId);
}

/**
 * What this transaction has changed besides its items (a memory that others went into, one whose successor was erased) is
 * no change by somebody else: the items still to be done expect it as it is now.
 */
async function expectOwnChanges(sql: AnySql, runId: string): Promise<void> {
  const own = sql`
    select m.id, m.revision from memories m
    where m.owner_id = (select owner_id from maintenance_runs where id = ${runId})
      and m.changed_xid = pg_current_xact_id()`;
  await sql`
    update maintenance_items i set revision = own.revision from (${own}) own
    where i.run = ${runId} and i.state = 'pending' and i.memory = own.id and own.revision = i.revision + 1`;
  await sql`
    update maintenance_survivors s set revision = own.revision from (${own}) own
    where s.run = ${runId} and s.memory = own.id and own.revision = s.revision + 1`;
}

async function settleUndone(sql: AnySql, runId: string, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    place: outcome.place,
    state: outcome.state,
    reason: "reason" in outcome ? outcome.reason : null,
  }));
  await sql`
    update maintenance_items i set undo_state = done.state, undo_reason = done.reason
    from jsonb_to_recordset(${rows as never}::jsonb) as done (place integer, state text, reason text)
    where i.run = ${runId} and i.place = done.place`;
}
