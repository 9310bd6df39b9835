import { instant } from "../../contract/primitives.ts";
import { isLiveStatus } from "../../recall/index/scope.ts";
import { type Caller, holds } from "../caller.ts";
import { notFound } from "../error.ts";
import { dueAfter, recurrenceIn } from "../reminder/recurrence.ts";
import type { UseCase } from "../use-case.ts";
import { requireChangeable } from "./access.ts";
import { factLocks, rehashed } from "./identity.ts";
import type { MemoryChange, MemoryRecord } from "./memory-record.ts";
import type { MemoryPorts } from "./memory-store.ts";
import { rfc3339 } from "./present.ts";
import { remarksOn, screen } from "./screen.ts";
import { withServiceMembers } from "./service-members.ts";
import { asItStands } from "./supersession.ts";
import { findLocked, requireRoom } from "./write-rules.ts";

/**
 * Completes a reminder. A recurring one becomes due at the next occurrence after its due time and now, as long as there
 * is one. Completing it again is a no-op that returns the first completion: always if it has no further occurrence,
 * otherwise until the next occurrence is due. `not_found` for any other memory.
 */
export const completeReminder: UseCase<
  Pick<MemoryPorts, "store" | "clock" | "hash" | "secrets">,
  "completeReminder"
> = async (ports, caller, asked) => {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const named = { memoryId: input.reminder_id };
    const seen = await findLocked(caller, transaction, named, (found) => {
      requireReminder(found.memory, ports.clock());
      requireChangeable(caller, found);
      return factLocks([found.memory]);
    });
    if (!seen) throw notFound("reminder");
    const now = ports.clock();
    const memory = asItStands(seen.memory, now);
    const earlier = earlierCompletion(memory, now);
    if (earlier !== null) return answerOf(caller, memory, earlier);
    const change = completion(memory, now, input.note ?? null);
    await requireRoom(caller, transaction, {
      ownerId: memory.ownerId,
      memories: 0,
      growth: [{ ...memory, ...change }],
    });
    const completed = await transaction.change(memory, rehashed(ports.hash, memory, change), {
      operation: "complete_reminder",
      keepVersion: true,
    });
    return { ...answerOf(caller, completed, now), ...remarksOn(screened, screened.notices) };
  });
};

/** Rejects with `not_found` if the memory is not a reminder or cannot be completed. */
function requireReminder(stored: MemoryRecord, now: number): void {
  const { memoryType, status } = asItStands(stored, now);
  if (memoryType !== "reminder" || !isLiveStatus(status)) throw notFound("reminder");
}

/** The time of the earlier completion if completing it now would be a repeat; otherwise null. */
function earlierCompletion(memory: MemoryRecord, now: number): number | null {
  // Metadata may contain anything, so only a valid instant counts.
  const known = instant.safeParse(memory.metadata.completed_at);
  if (!known.success) return null;
  const earlier = Date.parse(known.data);
  if (memory.status === "completed") return earlier;
  const recurrence = recurrenceIn(memory.metadata);
  if (recurrence === null || memory.dueAt === null || memory.dueAt <= now) return null;
  const next = dueAfter(recurrence, earlier);
  return next === null || next > now ? earlier : null;
}

function completion(memory: MemoryRecord, now: number, note: string | null): MemoryChange {
  const { completion_note: _, ...metadata } = memory.metadata;
  const completed = {
    ...(note === null ? {} : { completion_note: note }),
    completed_at: rfc3339(now),
  };
  const recurrence = recurrenceIn(memory.metadata);
  const due = recurrence === null ? null : dueAfter(recurrence, Math.max(now, memory.dueAt ?? now));
  if (recurrence === null || due === null)
    return {
      status: "completed",
      metadata: withServiceMembers("metadata", metadata, completed),
      updatedAt: now,
    };
  return {
    status: "active",
    metadata: withServiceMembers("metadata", metadata, {
      ...completed,
      due_at: rfc3339(due),
      recurrence_start: rfc3339(recurrence.start),
    }),
    dueAt: due,
    updatedAt: now,
  };
}

/** The next due time is part of the memory, so only callers that may read get it. */
function answerOf(caller: Caller, { memoryId, status, dueAt }: MemoryRecord, completedAt: number) {
  const isDueAgain = status !== "completed" && dueAt !== null && holds(caller, "memory:read");
  return {
    id: memoryId,
    status: "completed" as const,
    completed_at: rfc3339(completedAt),
    ...(isDueAgain ? { next_due_at: rfc3339(dueAt) } : {}),
  };
}
