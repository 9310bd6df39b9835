import type { z } from "zod";
import type { conflict } from "../../contract/memory.ts";
import { saysNearlyTheSameWithOtherValues } from "./conflict.ts";
import type { MemoryRecord } from "./memory-record.ts";
import type { MemoryTransaction } from "./memory-store.ts";

type Conflict = z.infer<typeof conflict>;

/** Live memories that share the memory's semantic key, or say nearly the same with other values. */
export async function conflictsWith(
  transaction: MemoryTransaction,
  memory: MemoryRecord,
): Promise<Conflict[]> {
  const candidates = await transaction.conflictCandidates(memory);
  return candidates.flatMap((other) => {
    const reason = reasonOf(memory, other);
    return reason
      ? [
          {
            id: other.memoryId,
            reason,
            same_author: other.authorId === memory.authorId && other.agentId === memory.agentId,
          },
        ]
      : [];
  });
}

function reasonOf(memory: MemoryRecord, other: MemoryRecord): Conflict["reason"] | null {
  const isSameFact =
    memory.semanticKey !== null && other.semanticKey === memory.semanticKey && other.bucket === memory.bucket;
  if (isSameFact) return "same_semantic_key";
  return saysNearlyTheSameWithOtherValues(memory.content, other.content) ? "other_values" : null;
}
