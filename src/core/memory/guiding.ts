import type { MemoryRecord } from "./memory-record.ts";
import { VOUCHING } from "./metadata.ts";

/** The types of memories that say how an agent should work: preferences, and how something is done. */
export const GUIDING_TYPES: readonly string[] = ["preference", "procedural"];

/** True for memories that an agent should know before it starts: vouched for by a person, or of a guiding type. */
export function isGuiding({ metadata, memoryType }: Pick<MemoryRecord, "metadata" | "memoryType">): boolean {
  return VOUCHING.includes(metadata.authority) || GUIDING_TYPES.includes(memoryType);
}
