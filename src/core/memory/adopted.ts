import type { MemoryRecord } from "./memory-record.ts";

/**
 * True for what an agent wrote before anybody had bound it. It is its new owner's, and never wins against what that owner
 * wrote itself: it is equal to nothing, no other memory is merged into it, and nothing is dropped for saying the same.
 */
export function isAdopted({ provenance }: Pick<MemoryRecord, "provenance">): boolean {
  return Object.hasOwn(provenance, "adopted_from");
}
