import { WORKING } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import { isAdopted } from "./adopted.ts";
import type { MemoryRecord } from "./memory-record.ts";

/** Whether a working memory is from the request's own session or from another one; null for what is from none. */
export type SessionRelation = "own" | "other" | null;

/**
 * A request that names no session has none of its own. The session of what was adopted was a stranger's, whatever its name.
 */
export function sessionRelation(
  { attribution }: Pick<Caller, "attribution">,
  memory: Pick<MemoryRecord, "memoryType" | "sessionId" | "provenance">,
): SessionRelation {
  const { memoryType, sessionId } = memory;
  if (memoryType !== WORKING || sessionId === null) return null;
  return sessionId === attribution.sessionId && !isAdopted(memory) ? "own" : "other";
}

/** The session that a working memory is from, where it is another one than the request's. */
export function otherSession(
  caller: Pick<Caller, "attribution">,
  memory: Pick<MemoryRecord, "memoryType" | "sessionId" | "provenance">,
): string | null {
  return sessionRelation(caller, memory) === "other" ? memory.sessionId : null;
}
