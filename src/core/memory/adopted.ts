import type { MemoryRecord } from "./memory-record.ts";

/**
 * True for a memory that an agent wrote before it was bound to its present owner. It never takes precedence over the
 * owner's own memories: it is no duplicate of any, none is merged into it, and none is dropped as its repetition.
 */
export function isAdopted({ provenance }: Pick<MemoryRecord, "provenance">): boolean {
  return Object.hasOwn(provenance, "adopted_from");
}
