import type { Hash } from "../ports.ts";
import type { NewMemory } from "./memory-record.ts";

/**
 * The hash of a create request as memories got it while version, provenance and successor did not count. Those memories
 * still have it, exported ones too, and the request that made them must be known by it.
 */
export function formerCreateHash(hash: Hash, memory: Omit<NewMemory, "createHash" | "dedupeHash">): string {
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
      pairs(metadata),
      memory.importance,
      memory.confidence,
      memory.expiresAt,
    ]),
  );
}

/** Whether a hash of former times is that of this request. Buckets were hashed as they were written, decomposed too. */
export function isFormerCreateHash(hash: Hash, held: string | null, again: NewMemory): boolean {
  const buckets = new Set([again.bucket, again.bucket.normalize("NFD")]);
  return [...buckets].some((bucket) => formerCreateHash(hash, { ...again, bucket }) === held);
}

/** The value with its objects as lists of their members, in order. */
function pairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pairs);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, pairs(member)]);
}
