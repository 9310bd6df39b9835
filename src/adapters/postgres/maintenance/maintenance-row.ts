import type { MaintenanceAction } from "../../../contract/maintenance.ts";
import type { RunStatus } from "../../../contract/maintenance-run.ts";
import type {
  Authority,
  RunItem,
  StoredRun,
  StoredSettings,
} from "../../../core/maintenance/maintenance-store.ts";
import type { ScannedMemory } from "../../../core/maintenance/scanned-memory.ts";
import type { Workspace } from "../../../core/project/workspace-store.ts";

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

export function settingsColumns({ ownerId, projectId }: Workspace, settings: StoredSettings) {
  return {
    owner_id: ownerId,
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

export function toRun(row: Row): StoredRun {
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

export function toRunItem(row: Row): RunItem {
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

export function toScanned(row: Row): ScannedMemory {
  const content = row.compared_content as string | null;
  return {
    id: row.id as string,
    seq: row.seq as number,
    memoryId: row.memory_id as string,
    revision: row.revision as number,
    scope: row.scope as ScannedMemory["scope"],
    path: row.path as string,
    bucket: row.bucket as string,
    memoryType: row.memory_type as string,
    workspaceItem: row.workspace_item as ScannedMemory["workspaceItem"],
    status: row.status as ScannedMemory["status"],
    supersededStatus: row.superseded_status as ScannedMemory["supersededStatus"],
    supersededUntil: row.superseded_until as number | null,
    semanticKey: row.semantic_key as string | null,
    sessionId: row.session_id as string | null,
    importance: row.importance as number,
    confidence: row.confidence as number,
    updatedAt: row.updated_at as number,
    expiresAt: row.expires_at as number | null,
    authority: row.authority as string | null,
    lastVerifiedAt: row.last_verified_at as string | null,
    reviewAfter: row.review_after as string | null,
    dueAt: row.due_at as string | null,
    occurredAt: row.occurred_at as string | null,
    endedAt: row.ended_at as number | null,
    isEmbedded: row.is_embedded as boolean,
    isQueued: row.is_queued as boolean,
    isStuck: row.is_stuck as boolean,
    compared: content === null ? null : { content, vector: row.vector as Uint8Array },
  };
}
