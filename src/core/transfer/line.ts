import type { ValidationIssue } from "../../contract/error.ts";
import { type ExportedMemory, type ExportedVersion, exportedMemory } from "../../contract/transfer.ts";
import { canonicalJson } from "../canonical-json.ts";
import { DomainError } from "../error.ts";
import { dedupeHash } from "../memory/identity.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import { NOT_SUPERSEDED } from "../memory/memory-status.ts";
import { checkMetadata, instantIn } from "../memory/metadata.ts";
import type { Hash } from "../ports.ts";
import { issuesOf } from "../validation.ts";
import type { StoredMemory } from "./export-source.ts";

type State = Omit<ExportedVersion, "valid_to" | "reason">;

/** The line of a stored memory. Its members come in one fixed order, so that equal memories have equal lines. */
export function toLine(stored: StoredMemory): ExportedMemory {
  const { memory, owner, author, versions } = stored;
  return {
    memory_id: memory.memoryId,
    owner,
    author,
    scope: memory.scope,
    ...toState(memory),
    created_at: iso(memory.createdAt),
    create_hash: memory.createHash,
    versions: versions.map(({ state, validTo, reason }) => ({
      ...toState(state),
      valid_to: iso(validTo),
      reason,
    })),
  };
}

function toState(memory: MemoryRecord): State {
  return {
    project_id: memory.projectId,
    path: memory.path,
    bucket: memory.bucket,
    memory_type: memory.memoryType,
    status: memory.status,
    restore_status: memory.restoreStatus,
    content: memory.content,
    semantic_key: memory.semanticKey,
    version: memory.version,
    superseded_by: memory.supersededBy,
    superseded_at: isoOrNull(memory.supersededAt),
    importance: memory.importance,
    confidence: memory.confidence,
    source: memory.source,
    logic_path: memory.logicPath,
    metadata: { ...memory.metadata },
    provenance: { ...memory.provenance },
    session_id: memory.sessionId,
    agent_id: memory.agentId,
    agent_instance_id_hash: memory.instanceHash,
    occurred_at: isoOrNull(memory.occurredAt),
    updated_at: iso(memory.updatedAt),
    expires_at: isoOrNull(memory.expiresAt),
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : iso(instant);
}

/** A line that holds to the contract, or what is wrong with it. Nothing of its content is repeated. */
export type ReadLine = { readonly line: ExportedMemory } | { readonly issues: readonly ValidationIssue[] };

/**
 * Checks one line. A line of another system is not taken at its word: `isForeign` lowers an authority that only a
 * signed-in user can give.
 */
export function readLine(value: unknown, isForeign: boolean): ReadLine {
  const parsed = exportedMemory.safeParse(value);
  if (!parsed.success) return { issues: issuesOf(parsed.error, []) };
  try {
    const { metadata, occurredAt } = checkMetadata(parsed.data.metadata);
    const occurred_at = parsed.data.occurred_at ?? isoOrNull(occurredAt);
    return {
      line: { ...parsed.data, occurred_at, metadata: isForeign ? { ...metadata } : parsed.data.metadata },
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { issues: error.issues.map((issue) => ({ ...issue, loc: issue.loc.slice(1) })) };
  }
}

/** What a line becomes: the row and its earlier states, as they will be in this database. */
export interface Restored {
  readonly memory: NewMemory;
  readonly versions: readonly {
    readonly state: NewMemory;
    readonly validTo: number;
    readonly reason: string | null;
  }[];
}

/** Whose a restored memory will be, and how its provenance says that it was imported. */
export interface Destination {
  readonly id: string;
  readonly ownerId: string;
  readonly authorId: string;
  readonly scope: "private" | "team";
  readonly imported: { readonly from: string; readonly at: string };
}

export function restore(hash: Hash, line: ExportedMemory, to: Destination): Restored {
  const fixed = {
    id: to.id,
    ownerId: to.ownerId,
    memoryId: line.memory_id,
    authorId: to.authorId,
    scope: to.scope,
    createdAt: Date.parse(line.created_at),
    createHash: line.create_hash,
    ...NOT_SUPERSEDED,
    factVersion: null,
    workspaceItem: null,
    itemStatus: null,
    itemAgent: null,
  };
  const whole = (state: State): NewMemory => {
    const draft = { ...fixed, ...fromState(state) };
    return { ...draft, dedupeHash: draft.status === "redacted" ? null : dedupeHash(hash, draft) };
  };
  const memory = whole({ ...line, updated_at: line.updated_at ?? line.created_at });
  return {
    memory: { ...memory, provenance: { ...memory.provenance, imported: to.imported } },
    versions: line.versions.map((version) => ({
      state: whole(version),
      validTo: Date.parse(version.valid_to),
      reason: version.reason,
    })),
  };
}

function fromState(state: State) {
  return {
    projectId: state.project_id,
    path: state.path,
    bucket: state.bucket,
    memoryType: state.memory_type,
    status: state.status,
    restoreStatus: state.restore_status,
    content: state.content,
    semanticKey: state.semantic_key?.normalize("NFC") ?? null,
    version: state.version,
    supersededBy: state.superseded_by,
    supersededAt: millisecondsOrNull(state.superseded_at),
    importance: state.importance,
    confidence: state.confidence,
    source: state.source,
    logicPath: state.logic_path,
    metadata: state.metadata,
    provenance: state.provenance,
    sessionId: state.session_id,
    agentId: state.agent_id,
    instanceHash: state.agent_instance_id_hash,
    occurredAt: millisecondsOrNull(state.occurred_at),
    dueAt: instantIn(state.metadata, "due_at"),
    updatedAt: Date.parse(state.updated_at),
    expiresAt: millisecondsOrNull(state.expires_at),
  };
}

function millisecondsOrNull(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}

/**
 * What makes two memories of one id the same, under the names of the line. Not compared: where the row is, that it was
 * imported, and earlier versions.
 */
const COMPARED = {
  authorId: "author",
  scope: "scope",
  projectId: "project_id",
  path: "path",
  bucket: "bucket",
  memoryType: "memory_type",
  status: "status",
  restoreStatus: "restore_status",
  content: "content",
  semanticKey: "semantic_key",
  version: "version",
  supersededBy: "superseded_by",
  supersededAt: "superseded_at",
  importance: "importance",
  confidence: "confidence",
  source: "source",
  logicPath: "logic_path",
  metadata: "metadata",
  provenance: "provenance",
  sessionId: "session_id",
  agentId: "agent_id",
  instanceHash: "agent_instance_id_hash",
  occurredAt: "occurred_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
  expiresAt: "expires_at",
} as const satisfies Partial<Record<keyof NewMemory, string>>;

const COMPARED_MEMBERS = Object.keys(COMPARED) as (keyof typeof COMPARED)[];

/** The members in which the stored memory is another one than the line's; empty where they are equal. */
export function differences(stored: MemoryRecord, restored: NewMemory): string[] {
  return COMPARED_MEMBERS.filter((name) => comparable(stored, name) !== comparable(restored, name)).map(
    (name) => COMPARED[name],
  );
}

/** Short for "the same line again": equal exactly for memories without `differences`. */
export function fingerprint(hash: Hash, memory: NewMemory): string {
  return hash(JSON.stringify(COMPARED_MEMBERS.map((name) => comparable(memory, name))));
}

function comparable(memory: NewMemory | MemoryRecord, name: keyof typeof COMPARED): string | number | null {
  if (name === "metadata") return canonicalJson(memory.metadata);
  if (name !== "provenance") return memory[name];
  const { imported: _, ...provenance } = memory.provenance;
  return canonicalJson(provenance);
}
