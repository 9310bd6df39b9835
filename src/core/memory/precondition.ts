import { DomainError } from "../error.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { etagOf } from "./present.ts";

/** Refuses with `precondition_failed` where `If-Match` was given and the memory is not what it names (RFC 9110, 13.1.1). */
export function requireMatch(ifMatch: string | null | undefined, memory: MemoryRecord): void {
  if (!ifMatch || ifMatch.trim() === "*") return;
  const named = ifMatch.split(",").map((tag) => tag.trim());
  if (named.includes(etagOf(memory))) return;
  throw new DomainError(
    "precondition_failed",
    "The memory has changed since it was read: read it again, then decide.",
  );
}
