import type { MemoryItem } from "../../contract/memory.ts";
import type { Caller } from "../caller.ts";
import { boundaryOf } from "./boundary.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { asItStands, statusAt } from "./memory-status.ts";

/** A memory without the caller's relation to it: what a version of it is shown as. */
export function presentState(stored: MemoryRecord, now: number): Omit<MemoryItem, "boundary"> {
  const memory = asItStands(stored, now);
  return {
    id: memory.memoryId,
    content: memory.content,
    path: memory.path,
    bucket: memory.bucket,
    scope: memory.scope,
    team_id: memory.scope === "team" ? memory.ownerId : null,
    memory_type: memory.memoryType,
    status: statusAt(memory, now),
    semantic_key: memory.semanticKey,
    version: memory.version,
    superseded_by: memory.supersededBy,
    importance: memory.importance,
    confidence: memory.confidence,
    source: memory.source,
    logic_path: memory.logicPath,
    metadata: { ...memory.metadata },
    provenance: { ...memory.provenance },
    created_at: rfc3339(memory.createdAt),
    updated_at: rfc3339(memory.updatedAt),
    expires_at: memory.expiresAt === null ? null : rfc3339(memory.expiresAt),
  };
}

/** A memory as the caller is shown it. */
export function present(caller: Caller, memory: MemoryRecord, now: number): MemoryItem {
  return { ...presentState(memory, now), boundary: boundaryOf(caller.attribution, memory) };
}

/** The validator of a memory's current state, for `ETag` and `If-Match`. */
export function etagOf(memory: Pick<MemoryRecord, "id" | "revision">): string {
  return `"${memory.id.slice(-12)}-${memory.revision}"`;
}

/** An instant as RFC 3339 in UTC. */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
