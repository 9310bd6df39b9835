import type { z } from "zod";
import type { conflict } from "../../contract/memory.ts";
import { cannotBothBeTrue, statedBy } from "../../recall/statements/statement.ts";
import type { Pace } from "../../recall/work.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { isSameFact } from "./supersession.ts";

type Conflict = z.infer<typeof conflict>;

/** Those of the other memories that have the same semantic key or state another value of the same fact. */
export async function conflictsWith(
  memory: MemoryRecord,
  others: readonly MemoryRecord[],
  pace: Pace,
): Promise<Conflict[]> {
  const stated = statedBy(memory.content);
  const conflicts: Conflict[] = [];
  for (const other of others) {
    await pace.pause();
    const isSame = isSameFact(memory, other);
    if (!isSame && !cannotBothBeTrue(stated, statedBy(other.content))) continue;
    const same_author = other.authorId === memory.authorId && other.agentId === memory.agentId;
    conflicts.push({
      id: other.memoryId,
      reason: isSame ? "same_semantic_key" : "other_values",
      same_author,
    });
  }
  return conflicts;
}
