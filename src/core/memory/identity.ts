import type { Hash } from "../ports.ts";
import type { MemoryChange, MemoryRecord, NewMemory } from "./memory-record.ts";
import type { LockKey } from "./memory-store.ts";

type Compared = Pick<
  MemoryRecord,
  | "content"
  | "projectId"
  | "path"
  | "bucket"
  | "scope"
  | "memoryType"
  | "status"
  | "semanticKey"
  | "sessionId"
>;

/** Hash of all that dedupe compares. White space and Unicode form do not matter, case does. */
export function dedupeHash(hash: Hash, memory: Compared): string {
  const text = memory.content.normalize("NFC").trim().replace(/\s+/g, " ");
  const session = memory.memoryType === "working" ? memory.sessionId : null;
  const { projectId, path, bucket, scope, memoryType, status, semanticKey } = memory;
  return hash(
    JSON.stringify([text, projectId, path, bucket, scope, memoryType, status, semanticKey, session]),
  );
}

/** A change of what dedupe compares, with the hash that goes with it. */
export function rehashed(hash: Hash, memory: MemoryRecord, change: MemoryChange): MemoryChange {
  return { ...change, dedupeHash: dedupeHash(hash, { ...memory, ...change }) };
}

/** Hash of what a create request asked for, so that the same request again can be told from another one. */
export function createHash(hash: Hash, memory: Omit<NewMemory, "createHash" | "dedupeHash">): string {
  const { content, scope, projectId, path, bucket, memoryType, semanticKey, source, logicPath, metadata } =
    memory;
  return hash(
    JSON.stringify([
      content,
      scope,
      projectId,
      path,
      bucket,
      memoryType,
      memory.status,
      semanticKey,
      source,
      logicPath,
      sorted(metadata),
      memory.importance,
      memory.confidence,
      memory.expiresAt,
    ]),
  );
}

export function idLock(ownerId: string, memoryId: string): LockKey {
  return { ownerId, name: `id:${memoryId}` };
}

export function factLock(ownerId: string, semanticKey: string): LockKey {
  return { ownerId, name: `fact:${semanticKey}` };
}

/** What two writes must not decide at once: the same public id, the same dedupe, the same fact. */
export function lockKeys(
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "dedupeHash" | "semanticKey">,
): LockKey[] {
  const keys = [idLock(memory.ownerId, memory.memoryId)];
  if (memory.dedupeHash) keys.push({ ownerId: memory.ownerId, name: `dedupe:${memory.dedupeHash}` });
  if (memory.semanticKey) keys.push(factLock(memory.ownerId, memory.semanticKey));
  return keys;
}

/** The value with the members of its objects in order, so that equal values have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, sorted(member)]);
}
