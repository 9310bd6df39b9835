import { undoableActions } from "../../../contract/maintenance.ts";
import type { MaintenanceTransaction } from "../../../core/maintenance/maintenance-store.ts";
import type { Context } from "../memory/context.ts";
import { columns, toSeen } from "../memory/memory-row.ts";
import { role, visible } from "../memory/visibility.ts";
import { createRunItems, insertItems } from "./maintenance-items.ts";
import { settingsColumns, toRun, toSettings } from "./maintenance-row.ts";
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
      const row = settingsColumns(workspace, settings);
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
        select * from maintenance_settings
        where owner_id = ${ownerId} and project_id = ${projectId} and next_run_at <= now() for update skip locked`;
      return row ? toSettings(row) : null;
    },
    scan: (workspace, ask) => scan(context, workspace, ask),
    scanNamed: (workspace, memoryIds) => scanNamed(context, workspace, memoryIds),
    async overdueTodos({ ownerId, projectId }, now) {
      const [row] = await sql`
        select count(*) as count from memories m join todos t on t.id = m.id
        where m.owner_id = ${ownerId} and m.project_id = ${projectId} and m.workspace_item = 'todo'
          and m.item_status is not null and t.ended_at is null and t.due_at <= ${now} and ${visible(sql, caller)}`;
      return Number(row?.count);
    },
    async insertRun(run, items) {
      const { ownerId, projectId } = run.workspace;
      const row = {
        id: run.id,
        owner_id: ownerId,
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
      await sql`insert into maintenance_runs ${sql(row)}`;
      await insertItems(context, run.id, items);
      await audit(ownerId, "maintenance_start", { run: run.id });
    },
    async lockRun(runId, ifLocked) {
      const [row] = await sql`
        select * from maintenance_runs where id::text = ${runId}
        for no key update ${ifLocked === "skip" ? sql`skip locked` : sql``}`;
      return row ? toRun(row) : null;
    },
    async run(runId) {
      const [row] = await sql`select * from maintenance_runs where id::text = ${runId}`;
      return row ? toRun(row) : null;
    },
    async lockMemories(ids) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from memories m
        where m.id = any(${ids as string[]}) and ${visible(sql, caller)} order by m.id for update of m`;
      return new Map(rows.map((row) => [row.id as string, toSeen(row)]));
    },
    async queue(memories, { operation, run }) {
      await sql`
        with queued as (
          insert into outbox (owner_id, memory, revision, kind)
          select owner_id, id, revision, 'put' from memories where id = any(${memories as string[]})
          returning owner_id, memory
        )
        insert into audit_log (owner_id, operation, memory, token_id, agent_id, request_id, detail)
        select owner_id, ${operation}, memory, ${caller.tokenId}, ${caller.attribution.agentId}, ${caller.requestId},
               jsonb_build_object('run', ${run}::text)
        from queued`;
    },
    async markForUndo(run, authority, at) {
      const marked = await sql`
        update maintenance_items set undo_state = 'pending'
        where run = ${run.id} and state = 'changed' and action = any(${undoableActions as unknown as string[]})`;
      if (marked.count === 0) return 0;
      await sql`
        update maintenance_runs set status = 'undoing', undo_authority = ${authority as never}, touched_at = ${at}
        where id = ${run.id}`;
      await audit(run.workspace.ownerId, "maintenance_undo", { run: run.id });
      return marked.count;
    },
    async finish(run, direction, at) {
      if (direction === "undo") {
        await sql`update maintenance_runs set status = 'undone', undone_at = ${at} where id = ${run.id}`;
        return;
      }
      await sql`update maintenance_runs set status = 'completed', finished_at = ${at} where id = ${run.id}`;
      await audit(run.workspace.ownerId, "maintenance_finish", { run: run.id });
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
