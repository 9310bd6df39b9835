import { type MaintenanceAction, type RunStatus, undoableActions } from "../../../contract/maintenance.ts";
import type {
  ActionTally,
  Authority,
  Direction,
  LeftItem,
  MaintenanceTransaction,
  NewItem,
  Outcome,
  RunItem,
  RunKey,
  ShownItem,
  StoredRun,
  StoredSettings,
} from "../../../core/maintenance/maintenance-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import type { Context } from "../memory/context.ts";
import { columns, toSeen } from "../memory/memory-row.ts";
import { pairsOf } from "../memory/owned-rows.ts";
import { ofEachOwner, role, visible } from "../memory/visibility.ts";
import { scan, scanNamed } from "./maintenance-scan.ts";

/** Maintenance inside one transaction of its caller. A run's row is locked before any other. */
export function createMaintenanceTransaction(context: Context): MaintenanceTransaction {
  const { sql, caller } = context;

  /** Ids only. */
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
        select * from maintenance_settings where owner_id = ${ownerId} and project_id = ${projectId}`;
      return row ? toSettings(row) : null;
    },
    async saveSettings(workspace, settings) {
      const row = settingsColumns(workspace.projectId, settings);
      await sql`
        insert into maintenance_settings ${sql({ owner_id: workspace.ownerId, ...row })}
        on conflict (owner_id, project_id) do update set ${sql(row)}`;
      await audit(workspace.ownerId, "maintenance_settings", { project: workspace.projectId });
    },
    async setNextRun({ ownerId, projectId }, at) {
      await sql`
        update maintenance_settings set next_run_at = ${at} where owner_id = ${ownerId} and project_id = ${projectId}`;
    },
    async lockDue({ ownerId, projectId }) {
      const [row] = await sql`
        select * from maintenance_settings
        where owner_id = ${ownerId} and project_id = ${projectId} and next_run_at <= now() for update skip locked`;
      return row ? toSettings(row) : null;
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
      const { ownerId, projectId } = run.workspace;
      const row = {
        id: run.id,
        project_id: projectId,
        trigger: run.trigger,
        status: "running",
        actions: run.actions as string[],
        truncated: run.truncated,
        token_id: run.authority.tokenId,
        started_by: run.startedBy,
        authority: run.authority as never,
        started_at: run.startedAt,
      };
      await sql`insert into maintenance_runs ${sql({ owner_id: ownerId, ...row })}`;
      await insertItems(context, { id: run.id, ownerId }, items);
      await audit(ownerId, "maintenance_start", { run: run.id });
    },
    async lockRun({ id, ownerId }, ifLocked) {
      const [row] = await sql`
        select * from maintenance_runs where owner_id = ${ownerId} and id::text = ${id}
        for no key update ${ifLocked === "skip" ? sql`skip locked` : sql``}`;
      return row ? toRun(row) : null;
    },
    async run({ id, ownerId }) {
      const [row] =
        await sql`select * from maintenance_runs where owner_id = ${ownerId} and id::text = ${id}`;
      return row ? toRun(row) : null;
    },
    async ownerOfRun(runId) {
      const [row] = await sql`
        select r.owner_id from ${ofEachOwner(
          sql,
          caller,
          (owner) =>
            sql`select owner_id from maintenance_runs where owner_id = ${owner} and id::text = ${runId}`,
        )} r`;
      return (row?.owner_id as string | undefined) ?? null;
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
        select * from maintenance_runs where owner_id = ${ownerId} and project_id = ${projectId}
          ${tokenId === null ? sql`` : sql`and token_id = ${tokenId}`}
        order by started_at desc, id desc limit ${limit}`;
      return rows.map(toRun);
    },
  };
}

type RunItems = Pick<
  MaintenanceTransaction,
  "nextItems" | "settle" | "tallies" | "left" | "receipts" | "items"
>;

/** What runs are to do to each memory, and what became of it. */
function createRunItems({ sql, caller }: Pick<Context, "sql" | "caller">): RunItems {
  return {
    async nextItems({ id, ownerId }, direction, limit) {
      const order = direction === "do" ? sql`place` : sql`place desc`;
      const rows = await sql`
        with next as (
          select * from maintenance_items where owner_id = ${ownerId} and run = ${id} and ${stateOf(sql, direction)} = 'pending'
          order by ${order} limit ${limit}
        )
        select n.*, s.memory_id as survivor_memory_id, e.revision as survivor_revision, m.semantic_key
        from next n
        left join maintenance_survivors e on e.owner_id = n.owner_id and e.run = n.run and e.memory = n.survivor
        left join memories s on s.owner_id = n.owner_id and s.id = n.survivor
        left join memories m on m.owner_id = n.owner_id and m.id = n.memory
        where n.action = (select action from next order by ${order} limit 1) order by ${order}`;
      return rows.map(toRunItem);
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
      return rows.map(
        (row): LeftItem => ({
          action: row.action as MaintenanceAction,
          state: row.state as LeftItem["state"],
          memoryId: row.memory_id as string | null,
          reason: row.reason as string,
        }),
      );
    },
    async receipts({ id, ownerId }) {
      const rows = await sql`
        select receipt from maintenance_items where owner_id = ${ownerId} and run = ${id} and receipt is not null
        group by receipt order by min(place)`;
      return rows.map((row) => row.receipt as string);
    },
    async items({ id, ownerId }, limit) {
      const rows = await sql`
        select i.action, seen.memory_id as "memoryId", seen.content, stays.memory_id as "into", i.state,
          i.undo_state as undo, coalesce(i.undo_reason, i.reason) as reason
        from (select * from maintenance_items where owner_id = ${ownerId} and run = ${id} order by place limit ${limit}) i
        left join lateral (
          select m.memory_id, m.content from memories m where m.owner_id = ${ownerId} and m.id = i.memory and ${visible(sql, caller)}
        ) seen on true
        left join lateral (
          select m.memory_id from memories m where m.owner_id = ${ownerId} and m.id = i.survivor and ${visible(sql, caller)}
        ) stays on true
        order by i.place`;
      return rows as unknown as ShownItem[];
    },
  };
}

function stateOf(sql: AnySql, direction: Direction): Fragment {
  return direction === "do" ? sql`state` : sql`undo_state`;
}

/** All items of a new run, in their order. */
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
 * What this transaction has changed besides its items (a memory that others went into, one whose successor was erased) is
 * no change by somebody else: the items still to be done expect it as it is now.
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

type Row = Readonly<Record<string, unknown>>;

export function toSettings(row: Row): StoredSettings {
  return {
    staleAfterDays: row.stale_after_days as number,
    duplicateSimilarity: row.duplicate_similarity as number,
    completedRetentionDays: row.completed_retention_days as number,
    purgeDeletedAfterDays: row.purge_deleted_after_days as number,
    automaticActions: row.automatic_actions as MaintenanceAction[],
    scheduleHours: row.schedule_hours as number,
    authority: row.authority as Authority,
    updatedAt: row.updated_at as number,
    updatedBy: row.updated_by as string,
    nextRunAt: row.next_run_at as number | null,
  };
}

/** The settings of a project, to be written with their owner. */
export function settingsColumns(projectId: string, settings: StoredSettings) {
  return {
    project_id: projectId,
    stale_after_days: settings.staleAfterDays,
    duplicate_similarity: settings.duplicateSimilarity,
    completed_retention_days: settings.completedRetentionDays,
    purge_deleted_after_days: settings.purgeDeletedAfterDays,
    automatic_actions: settings.automaticActions as string[],
    schedule_hours: settings.scheduleHours,
    authority: settings.authority as never,
    updated_at: settings.updatedAt,
    updated_by: settings.updatedBy,
    next_run_at: settings.nextRunAt,
  };
}

function toRun(row: Row): StoredRun {
  return {
    id: row.id as string,
    workspace: { ownerId: row.owner_id as string, projectId: row.project_id as string },
    trigger: row.trigger as StoredRun["trigger"],
    status: row.status as RunStatus,
    actions: row.actions as MaintenanceAction[],
    truncated: row.truncated as boolean,
    startedBy: row.started_by as string,
    authority: row.authority as Authority,
    undoAuthority: row.undo_authority as Authority | null,
    startedAt: row.started_at as number,
    finishedAt: row.finished_at as number | null,
    undoneAt: row.undone_at as number | null,
  };
}

function toRunItem(row: Row): RunItem {
  return {
    place: row.place as number,
    action: row.action as MaintenanceAction,
    memory: row.memory as string,
    revision: row.revision as number,
    survivor: row.survivor as string | null,
    survivorRevision: row.survivor_revision as number | null,
    survivorMemoryId: row.survivor_memory_id as string | null,
    semanticKey: row.semantic_key as string | null,
    reason: row.reason as string,
    formerStatus: row.former_status as string | null,
  };
}
