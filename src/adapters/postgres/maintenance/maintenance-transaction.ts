import { undoableActions } from "../../../contract/maintenance.ts";
import type {
  ActionTally,
  Direction,
  LeftItem,
  MaintenanceTransaction,
  NewItem,
  Outcome,
  RunItem,
  RunKey,
  ShownItem,
  StoredRun,
} from "../../../core/maintenance/maintenance-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { fromRow, toRow } from "../database/rows.ts";
import type { Context } from "../memory/context.ts";
import { columns, toSeen } from "../memory/memory-row.ts";
import { pairsOf } from "../memory/owned-rows.ts";
import { role, visible } from "../memory/visibility.ts";
import { scan, scanNamed } from "./maintenance-scan.ts";

/** Maintenance within one transaction of a caller. A run's row is locked before any other row. */
export function createMaintenanceTransaction(context: Context): MaintenanceTransaction {
  const { sql, caller } = context;

  /** Writes an audit line. `detail` must contain only ids. */
  async function audit(ownerId: string, operation: string, detail: Record<string, string>): Promise<void> {
    await sql`
      insert into audit_log (owner_id, operation, token_id, agent_id, request_id, detail)
      values (${ownerId}, ${operation}, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
              ${detail as never})`;
  }

  return {
    ...createRunItems(context),
    async settings({ ownerId, projectId }) {
      const [row] = await sql`
        select ${settingsOf(sql)} from maintenance_settings s where s.owner_id = ${ownerId} and s.project_id = ${projectId}`;
      return row ? fromRow(row) : null;
    },
    async saveSettings(workspace, settings) {
      const row = toRow({ ...settings, ...workspace });
      await sql`
        insert into maintenance_settings ${sql(row)}
        on conflict (owner_id, project_id) do update set ${sql(row)}`;
      await audit(workspace.ownerId, "maintenance_settings", { project: workspace.projectId });
    },
    async setNextRun({ ownerId, projectId }, at) {
      await sql`
        update maintenance_settings set next_run_at = ${at} where owner_id = ${ownerId} and project_id = ${projectId}`;
    },
    async lockDue({ ownerId, projectId }) {
      const [row] = await sql`
        select ${settingsOf(sql)} from maintenance_settings s
        where s.owner_id = ${ownerId} and s.project_id = ${projectId} and s.next_run_at <= now() for update skip locked`;
      return row ? fromRow(row) : null;
    },
    scan: (workspace, ask) => scan(context, workspace, ask),
    scanNamed: (workspace, memoryIds) => scanNamed(context, workspace, memoryIds),
    async overdueTodos({ ownerId, projectId }, now) {
      const [row] = await sql`
        select count(*) as count from memories m join todos t on t.owner_id = m.owner_id and t.id = m.id
        where m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = 'todo'
          and m.item_status is not null and t.ended_at is null and t.due_at <= ${now} and ${visible(sql, caller)}`;
      return Number(row?.count);
    },
    async insertRun(run, items) {
      const { workspace, ...given } = run;
      const { ownerId } = workspace;
      const row = {
        ...given,
        projectId: workspace.projectId,
        status: "running",
        tokenId: run.authority.tokenId,
      };
      await sql`insert into maintenance_runs ${sql(toRow({ ownerId, ...row }))}`;
      await insertItems(context, { id: run.id, ownerId }, items);
      await audit(ownerId, "maintenance_start", { run: run.id });
    },
    async lockRun({ id, ownerId }, ifLocked) {
      const [row] = await sql`
        select ${runOf(sql)} from maintenance_runs r where r.owner_id = ${ownerId} and r.id::text = ${id}
        for no key update ${ifLocked === "skip" ? sql`skip locked` : sql``}`;
      return row ? fromRow(row) : null;
    },
    async run({ id, ownerId }) {
      const [row] = await sql`
        select ${runOf(sql)} from maintenance_runs r where r.owner_id = ${ownerId} and r.id::text = ${id}`;
      return row ? fromRow(row) : null;
    },
    async lockMemories(ownerId, ids) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from memories m
        where (m.owner_id, m.id) in ${pairsOf(sql, { ownerId, ids })} and ${visible(sql, caller)}
        order by m.id for update of m`;
      return new Map(rows.map((row) => [row.id as string, toSeen(row)]));
    },
    async queue(ownerId, memories, { operation, run }) {
      await sql`
        with queued as (
          insert into outbox (owner_id, memory, revision, kind)
          select owner_id, id, revision, 'put' from memories
          where (owner_id, id) in ${pairsOf(sql, { ownerId, ids: memories })}
          returning owner_id, memory
        )
        insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id, detail)
        select owner_id, ${operation}, memory, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
               jsonb_build_object('run', ${run}::text)
        from queued`;
    },
    async markForUndo(run, authority, at) {
      const { ownerId } = run.workspace;
      const marked = await sql`
        update maintenance_items set undo_state = 'pending'
        where owner_id = ${ownerId} and run = ${run.id} and state = 'changed' and action = any(${undoableActions as unknown as string[]})`;
      if (marked.count === 0) return 0;
      await sql`
        update maintenance_runs set status = 'undoing', undo_authority = ${authority as never}, touched_at = ${at}
        where owner_id = ${ownerId} and id = ${run.id}`;
      await audit(ownerId, "maintenance_undo", { run: run.id });
      return marked.count;
    },
    async finish(run, direction, at) {
      const { ownerId } = run.workspace;
      const itself = sql`owner_id = ${ownerId} and id = ${run.id}`;
      if (direction === "undo") {
        await sql`update maintenance_runs set status = 'undone', undone_at = ${at} where ${itself}`;
        return;
      }
      await sql`update maintenance_runs set status = 'completed', finished_at = ${at} where ${itself}`;
      await audit(ownerId, "maintenance_finish", { run: run.id });
    },
    async runs({ ownerId, projectId }, limit, tokenId) {
      const rows = await sql`
        select ${runOf(sql)} from maintenance_runs r where r.owner_id = ${ownerId} and r.project_id = ${projectId}
          ${tokenId === null ? sql`` : sql`and r.token_id = ${tokenId}`}
        order by r.started_at desc, r.id desc limit ${limit}`;
      return rows.map(fromRow<StoredRun>);
    },
  };
}

type RunItems = Pick<
  MaintenanceTransaction,
  "nextItems" | "settle" | "tallies" | "left" | "receipts" | "items"
>;

function createRunItems({ sql, caller }: Pick<Context, "sql" | "caller">): RunItems {
  return {
    async nextItems({ id, ownerId }, direction, limit) {
      const order = direction === "do" ? sql`place` : sql`place desc`;
      const rows = await sql`
        with next as (
          select * from maintenance_items where owner_id = ${ownerId} and run = ${id} and ${stateOf(sql, direction)} = 'pending'
          order by ${order} limit ${limit}
        )
        select n.place, n.action, n.memory, n.revision, n.survivor, s.memory_id as survivor_memory_id,
          e.revision as survivor_revision, m.semantic_key, n.reason, n.former_status
        from next n
        left join maintenance_survivors e on e.owner_id = n.owner_id and e.run = n.run and e.memory = n.survivor
        left join memories s on s.owner_id = n.owner_id and s.id = n.survivor
        left join memories m on m.owner_id = n.owner_id and m.id = n.memory
        where n.action = (select action from next order by ${order} limit 1) order by ${order}`;
      return rows.map(fromRow<RunItem>);
    },
    async settle(run, direction, outcomes) {
      await (direction === "do" ? settleDone(sql, run, outcomes) : settleUndone(sql, run, outcomes));
      await sql`update maintenance_runs set touched_at = now() where owner_id = ${run.ownerId} and id = ${run.id}`;
    },
    async tallies(ownerId, runIds) {
      const rows = await sql`
        select run, action, count(*) as matched, count(*) filter (where state = 'changed') as changed,
          count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where undo_state = 'changed') as undone
        from maintenance_items where owner_id = ${ownerId} and run = any(${runIds as string[]}) group by run, action`;
      const tallies = new Map<string, ActionTally[]>();
      for (const { run, ...tally } of rows)
        tallies.set(run, [...(tallies.get(run) ?? []), tally as unknown as ActionTally]);
      return tallies;
    },
    async left({ id, ownerId }, direction) {
      const state = stateOf(sql, direction);
      const rows = await sql`
        select action, memory_id, ${state} as state, ${direction === "do" ? sql`reason` : sql`undo_reason`} as reason
        from maintenance_items
        where owner_id = ${ownerId} and run = ${id} and ${state} in ('skipped', 'failed') order by place`;
      return rows.map(fromRow<LeftItem>);
    },
    async receipts({ id, ownerId }) {
      const rows = await sql`
        select receipt from maintenance_items where owner_id = ${ownerId} and run = ${id} and receipt is not null
        group by receipt order by min(place)`;
      return rows.map((row) => row.receipt as string);
    },
    async items({ id, ownerId }, limit) {
      const rows = await sql`
        select i.action, seen.memory_id, seen.content, stays.memory_id as "into", i.state,
          i.undo_state as undo, coalesce(i.undo_reason, i.reason) as reason
        from (select * from maintenance_items where owner_id = ${ownerId} and run = ${id} order by place limit ${limit}) i
        left join lateral (
          select m.memory_id, m.content from memories m where m.owner_id = ${ownerId} and m.id = i.memory and ${visible(sql, caller)}
        ) seen on true
        left join lateral (
          select m.memory_id from memories m where m.owner_id = ${ownerId} and m.id = i.survivor and ${visible(sql, caller)}
        ) stays on true
        order by i.place`;
      return rows.map(fromRow<ShownItem>);
    },
  };
}

function stateOf(sql: AnySql, direction: Direction): Fragment {
  return direction === "do" ? sql`state` : sql`undo_state`;
}

/** Inserts all items of a new run, in order. */
async function insertItems(
  { sql }: Pick<Context, "sql">,
  { id, ownerId }: { readonly id: string; readonly ownerId: string },
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
    insert into maintenance_items (
      owner_id, run, place, action, memory, memory_id, revision, survivor, state, reason
    )
    select ${ownerId}::uuid, ${id}::uuid, item.* from jsonb_to_recordset(${rows as never}::jsonb) as item (
      place integer, action text, memory uuid, memory_id text, revision bigint, survivor uuid, state text, reason text
    )`;
  const survivors = new Map(
    items.flatMap(({ survivor }) => (survivor ? [[survivor.id, survivor.revision]] : [])),
  );
  await sql`
    insert into maintenance_survivors (owner_id, run, memory, revision)
    select ${ownerId}::uuid, ${id}::uuid, s.* from unnest(${[...survivors.keys()]}::uuid[], ${[...survivors.values()]}::bigint[]) as s`;
}

async function settleDone(sql: AnySql, run: RunKey, outcomes: readonly Outcome[]): Promise<void> {
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
    where i.owner_id = ${run.ownerId} and i.run = ${run.id} and i.place = done.place`;
  await expectOwnChanges(sql, run);
}

/**
 * Updates the revisions that pending items expect. This transaction also changes memories besides its items (one that
 * others were merged into, one whose successor was erased), and these are not foreign changes.
 */
async function expectOwnChanges(sql: AnySql, { id, ownerId }: RunKey): Promise<void> {
  const own = sql`
    select m.id, m.revision from memories m
    where m.owner_id = ${ownerId} and m.changed_xid = pg_current_xact_id()`;
  await sql`
    update maintenance_items i set revision = own.revision from (${own}) own
    where i.owner_id = ${ownerId} and i.run = ${id} and i.state = 'pending' and i.memory = own.id and own.revision = i.revision + 1`;
  await sql`
    update maintenance_survivors s set revision = own.revision from (${own}) own
    where s.owner_id = ${ownerId} and s.run = ${id} and s.memory = own.id and own.revision = s.revision + 1`;
}

async function settleUndone(sql: AnySql, run: RunKey, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    place: outcome.place,
    state: outcome.state,
    reason: "reason" in outcome ? outcome.reason : null,
  }));
  await sql`
    update maintenance_items i set undo_state = done.state, undo_reason = done.reason
    from jsonb_to_recordset(${rows as never}::jsonb) as done (place integer, state text, reason text)
    where i.owner_id = ${run.ownerId} and i.run = ${run.id} and i.place = done.place`;
}

/** Columns of the settings `s` of a project, for `StoredSettings`. */
function settingsOf(sql: AnySql): Fragment {
  return sql`s.stale_after_days, s.duplicate_similarity, s.completed_retention_days, s.purge_deleted_after_days,
    s.automatic_actions, s.schedule_hours, s.authority, s.updated_at, s.updated_by, s.next_run_at`;
}

/** Columns of the run `r`, for `StoredRun`. */
function runOf(sql: AnySql): Fragment {
  return sql`r.id, r.owner_id as "workspace.owner_id", r.project_id as "workspace.project_id", r.trigger, r.status,
    r.actions, r.truncated, r.started_by, r.authority, r.undo_authority, r.started_at, r.finished_at, r.undone_at`;
}
