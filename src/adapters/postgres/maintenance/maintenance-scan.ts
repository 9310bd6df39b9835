import type { MaintenanceAction } from "../../../contract/maintenance.ts";
import { CHANGED_BY, verifiedBy } from "../../../contract/service-members.ts";
import type { ScanAsk } from "../../../core/maintenance/maintenance-store.ts";
import type { ScannedMemory } from "../../../core/maintenance/scanned-memory.ts";
import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { Workspace } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";
import type { Context } from "../memory/context.ts";
import { selectionOf } from "../memory/memory-row.ts";
import { isInStatus, LIVE } from "../memory/supersession.ts";
import { visible } from "../memory/visibility.ts";
import { isEmbedded } from "../recall/embeddings.ts";

/** Longer texts are not compared: thousands of them would not fit into memory. */
const COMPARED_CHARACTERS_MAX = 8192;

/**
 * Reads memories of the workspace that may be due for the actions, at most `limit` + 1. They are sorted by action, in
 * the order of `ORDER`, then the longest untouched first, so that memories beyond the limit move into it as work is
 * done. The conditions match more than is due: the core decides.
 */
export async function scan(context: Context, workspace: Workspace, ask: ScanAsk): Promise<ScannedMemory[]> {
  const { sql } = context;
  const conditions = ORDER.filter((action) => ask.actions.includes(action)).map((action) =>
    mayBeDue(sql, action, workspace.ownerId, ask),
  );
  const [first, ...rest] = conditions;
  if (first === undefined) return [];
  const rank = conditions.reduce<Fragment>(
    (ranks, condition, at) => sql`${ranks} when ${condition} then ${at}::int`,
    sql``,
  );
  const any = rest.reduce<Fragment>((either, condition) => sql`${either} or ${condition}`, first);
  return select(
    context,
    workspace,
    ask.actions.includes("merge_duplicates"),
    sql`and (${any}) order by case ${rank} end, m.updated_at, m.seq limit ${ask.limit + 1}`,
  );
}

/** Reads those of the memories with these public ids that exist. */
export function scanNamed(
  context: Context,
  workspace: Workspace,
  memoryIds: readonly string[],
): Promise<ScannedMemory[]> {
  const { sql } = context;
  return select(context, workspace, true, sql`and m.memory_id = any(${memoryIds as string[]})`);
}

/** Actions that one memory decides alone come before those that compare many. */
const ORDER: readonly MaintenanceAction[] = [
  "expire_overdue",
  "archive_stale",
  "purge_deleted",
  "refresh_embeddings",
  "repair_index",
  "merge_duplicates",
];

function mayBeDue(sql: AnySql, action: MaintenanceAction, ownerId: string, ask: ScanAsk): Fragment {
  const isLive = sql`m.workspace_item is null and ${isInStatus(sql, LIVE(sql), ask.now)}`;
  const isIndexed = sql`m.status not in ('redacted', 'soft_deleted')`;
  switch (action) {
    case "expire_overdue":
      return sql`(${isLive} and m.expires_at <= ${ask.now})`;
    case "archive_stale":
      return sql`(${isLive} and (m.updated_at <= ${ask.staleBefore} or m.metadata ? 'review_after')
        or m.item_status is not null and m.status <> 'archived' and (t.ended_at <= ${ask.endedBefore} or d.id is not null and m.superseded_at <= ${ask.endedBefore}))`;
    case "purge_deleted":
      return sql`(m.status = 'soft_deleted' and m.updated_at <= ${ask.deletedBefore})`;
    case "refresh_embeddings":
      return sql`(${isIndexed} and not ${isEmbedded(sql)})`;
    case "repair_index":
      return sql`(${isIndexed} and ${isStuck(sql, ownerId)})`;
    case "merge_duplicates":
      return sql`(${isLive} and m.semantic_key is null and e.memory is not null)`;
  }
}

/**
 * True if the memory has a line that failed. The subquery runs once per statement, since the outbox has no index by
 * memory.
 */
function isStuck(sql: AnySql, ownerId: string): Fragment {
  return sql`m.id in (select o.memory from outbox o where o.owner_id = ${ownerId} and o.attempts > 0)`;
}

async function select(
  { sql, caller, generation }: Context,
  { ownerId, projectId }: Workspace,
  isCompared: boolean,
  rest: Fragment,
): Promise<ScannedMemory[]> {
  // Reads texts and vectors only of memories that may be duplicates. A vector that a caller chose is not comparable,
  // and vectors of passages do not show that whole texts are the same.
  const comparable = sql`${isCompared} and m.workspace_item is null and m.semantic_key is null
    and m.status in ${LIVE(sql)} and e.vector is not null
    and length(m.content) <= ${COMPARED_CHARACTERS_MAX}`;
  const rows = await sql`
    select ${scanned.columns(sql)},
      m.metadata ->> 'authority' as authority, m.metadata ->> 'last_verified_at' as last_verified_at,
      m.metadata ->> ${verifiedBy} as last_verified_by,
      m.metadata ->> 'review_after' as review_after, m.metadata ->> 'due_at' as due_at,
      m.metadata ->> 'occurred_at' as occurred_at, m.provenance ? 'adopted_from' as is_adopted,
      m.provenance ->> ${CHANGED_BY} as changed_by,
      case when m.item_status = 'superseded' then m.superseded_at when m.item_status is not null then t.ended_at end as ended_at,
      ${isEmbedded(sql)} as is_embedded, m.id in (select o.memory from outbox o where o.owner_id = ${ownerId}) as is_queued,
      ${isStuck(sql, ownerId)} as is_stuck,
      case when ${comparable} then m.content end as compared_content,
      case when ${comparable} and not e.by_caller and e.passages = 1 then e.vector end as vector
    from memories m
    left join embeddings e on e.owner_id = m.owner_id and e.memory = m.id and e.generation = ${generation}
    left join todos t on t.owner_id = m.owner_id and t.id = m.id and m.workspace_item = 'todo'
    left join decisions d on d.owner_id = m.owner_id and d.id = m.id and m.workspace_item = 'decision'
    where m.owner_id = ${ownerId} and m.project_id = ${projectId} and ${visible(sql, caller)} ${rest}`;
  return rows.map(toScanned);
}

/** Columns read as the record holds them; the two instants come from the metadata instead. */
const scanned = selectionOf({
  id: true,
  authorId: true,
  seq: true,
  memoryId: true,
  revision: true,
  scope: true,
  path: true,
  bucket: true,
  memoryType: true,
  workspaceItem: true,
  status: true,
  supersededStatus: true,
  supersededUntil: true,
  semanticKey: true,
  sessionId: true,
  importance: true,
  confidence: true,
  updatedAt: true,
  expiresAt: true,
} satisfies Record<Exclude<keyof ScannedMemory & keyof MemoryRecord, "dueAt" | "occurredAt">, true>);

function toScanned({ compared_content: content, vector, ...row }: Row): ScannedMemory {
  return {
    ...fromRow<Omit<ScannedMemory, "compared">>(row),
    compared: content === null ? null : { content: content as string, vector: vector as Uint8Array | null },
  };
}
