import { Buffer } from "node:buffer";
import type { MemoryRecord, NewMemory, Role, SeenMemory } from "../../../core/memory/memory-record.ts";
import type { ItemMemory } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** The columns of a memory, in the one place where SQL names and core names meet. */
export function columns(sql: AnySql): Fragment {
  return sql`m.id, m.seq, m.owner_id, m.memory_id, m.author_id, m.scope, m.project_id, m.path, m.bucket, m.memory_type, m.workspace_item,
    m.item_status, m.item_agent, m.status, m.restore_status, m.content, encode(m.create_hash, 'hex') as create_hash,
    encode(m.dedupe_hash, 'hex') as dedupe_hash, m.semantic_key, m.version, m.superseded_by, m.superseded_at,
    coalesce(m.superseded_by_key, false) as superseded_by_key, m.superseded_status, m.superseded_until, m.fact_version,
    m.importance, m.confidence, m.source, m.logic_path, m.metadata, m.provenance, m.session_id, m.agent_id,
    m.instance_hash, m.occurred_at, m.due_at, m.created_at, m.updated_at, m.expires_at, m.revision`;
}

/** A row of `columns`, as the driver gives it. */
export type MemoryRow = { readonly [column: string]: unknown };

const CORE_NAMES: Readonly<Record<keyof MemoryRecord, string>> = {
  id: "id",
  seq: "seq",
  ownerId: "owner_id",
  memoryId: "memory_id",
  authorId: "author_id",
  scope: "scope",
  projectId: "project_id",
  path: "path",
  bucket: "bucket",
  memoryType: "memory_type",
  workspaceItem: "workspace_item",
  itemStatus: "item_status",
  itemAgent: "item_agent",
  status: "status",
  restoreStatus: "restore_status",
  content: "content",
  createHash: "create_hash",
  dedupeHash: "dedupe_hash",
  semanticKey: "semantic_key",
  version: "version",
  supersededBy: "superseded_by",
  supersededAt: "superseded_at",
  supersededByKey: "superseded_by_key",
  supersededStatus: "superseded_status",
  supersededUntil: "superseded_until",
  factVersion: "fact_version",
  importance: "importance",
  confidence: "confidence",
  source: "source",
  logicPath: "logic_path",
  metadata: "metadata",
  provenance: "provenance",
  sessionId: "session_id",
  agentId: "agent_id",
  instanceHash: "instance_hash",
  occurredAt: "occurred_at",
  dueAt: "due_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
  expiresAt: "expires_at",
  revision: "revision",
};

const NAMES = Object.entries(CORE_NAMES) as [keyof MemoryRecord, string][];

export function toRecord(row: MemoryRow): MemoryRecord {
  const record: Record<string, unknown> = {};
  for (const [name, column] of NAMES) record[name] = row[column];
  return record as unknown as MemoryRecord;
}

export function toSeen(row: MemoryRow): SeenMemory {
  return { memory: toRecord(row), role: row.role as Role };
}

/** Where a todo or decision lies and who made it: what it says is in its state, and long lists are read faster so. */
export function itemColumns(sql: AnySql): Fragment {
  return sql`m.id, m.seq, m.owner_id, m.memory_id, m.scope, m.project_id, m.path, m.bucket, m.status, m.source, m.agent_id,
    m.provenance ->> 'agent_name' as agent_name, m.instance_hash, m.created_at, m.updated_at, m.revision`;
}

/** A row of `itemColumns`. */
export function toItemMemory(row: MemoryRow): ItemMemory {
  return {
    id: row.id as string,
    seq: row.seq as number,
    ownerId: row.owner_id as string,
    memoryId: row.memory_id as string,
    scope: row.scope as ItemMemory["scope"],
    projectId: row.project_id as string | null,
    path: row.path as string,
    bucket: row.bucket as string,
    status: row.status as ItemMemory["status"],
    source: row.source as string | null,
    agentId: row.agent_id as string | null,
    agentName: row.agent_name as string | null,
    instanceHash: row.instance_hash as string | null,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    revision: row.revision as number,
  };
}

/** The members that are given, as columns. `seq` and `revision` are the record's to give. */
export function toColumns(memory: Partial<NewMemory>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of NAMES) {
    if (name in memory && name !== "seq" && name !== "revision")
      row[column] = (memory as Partial<MemoryRecord>)[name];
  }
  for (const column of ["create_hash", "dedupe_hash"]) {
    if (typeof row[column] === "string") row[column] = Buffer.from(row[column], "hex");
  }
  return row;
}
