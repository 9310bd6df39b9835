import { tagsOf } from "../../contract/memory-members.ts";
import { DomainError } from "../error.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { etagOf } from "./present.ts";

/**
 * Refuses with `precondition_failed` where `If-Match` was given and the memory is not what it names (RFC 9110, 13.1.1).
 * Tags are compared strongly: a weak one is never the memory's.
 */
export function requireMatch(ifMatch: string | null | undefined, memory: MemoryRecord): void {
  if (!ifMatch || ifMatch === "*" || tagsOf(ifMatch).includes(etagOf(memory))) return;
  throw new DomainError(
    "precondition_failed",
    `The ${memory.workspaceItem ?? "memory"} has changed since it was read: read it again, then decide.`,
  );
}
