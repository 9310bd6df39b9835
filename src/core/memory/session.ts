import { WORKING } from "../../recall/index/scope.ts";
import type { Caller } from "../caller.ts";
import { isAdopted } from "./adopted.ts";
import type { MemoryRecord } from "./memory-record.ts";

/** Whether a working memory is from the request's own session or another one; null for all other memories. */
export type SessionRelation = "own" | "other" | null;

/**
 * The relation of a memory's session to the request's. A request that names no session has none of its own. The session
 * of an adopted memory never is the request's own, even with the same name.
 */
export function sessionRelation(
  { attribution }: Pick<Caller, "attribution">,
  memory: Pick<MemoryRecord, "memoryType" | "sessionId" | "provenance">,
): SessionRelation {
  const { memoryType, sessionId } = memory;
  if (memoryType !== WORKING || sessionId === null) return null;
  return sessionId === attribution.sessionId && !isAdopted(memory) ? "own" : "other";
}

/** The session of a working memory if it differs from the request's; otherwise null. */
export function otherSession(
  caller: Pick<Caller, "attribution">,
  memory: Pick<MemoryRecord, "memoryType" | "sessionId" | "provenance">,
): string | null {
  return sessionRelation(caller, memory) === "other" ? memory.sessionId : null;
}
