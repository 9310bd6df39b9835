import { holds } from "../caller.ts";
import { notFound } from "../error.ts";
import type { UseCase } from "../use-case.ts";
import { requireChangeable, requireOrdinary } from "./access.ts";
import type { MemoryPorts } from "./memory-store.ts";
import { findLocked } from "./write-rules.ts";

/** How far one piece of feedback moves the confidence towards 1 or 0. */
const STEP = 0.1;

/** Records whether a recalled memory helped, and moves its confidence a tenth of the way to 1 or 0. */
export const recallFeedback: UseCase<Pick<MemoryPorts, "store" | "clock">, "recallFeedback"> = async (
  ports,
  caller,
  input,
) =>
  ports.store.transaction(caller, async (transaction) => {
    const seen = await findLocked(caller, transaction, { memoryId: input.memory_id }, (found) => {
      if (found.memory.status === "soft_deleted") throw notFound();
      requireChangeable(caller, found);
      requireOrdinary(found.memory);
      return [];
    });
    if (!seen) throw notFound();
    const { memory } = seen;
    const confidence = memory.confidence + STEP * ((input.helpful ? 1 : 0) - memory.confidence);
    await transaction.recordFeedback(memory, input.helpful);
    await transaction.change(
      memory,
      { confidence, updatedAt: ports.clock() },
      { operation: "feedback", keepVersion: false },
    );
    const answer = { id: memory.memoryId, status: "recorded" as const };
    return holds(caller, "memory:read") ? { ...answer, confidence } : answer;
  });
