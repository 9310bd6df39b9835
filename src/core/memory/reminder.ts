import { instant } from "../../contract/primitives.ts";
import { isLiveStatus } from "../../recall/index/scope.ts";
import { type Caller, holds } from "../caller.ts";
import { notFound } from "../error.ts";
import { dueAfter, recurrenceIn } from "../reminder/recurrence.ts";
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
 * Completes a reminder; one that recurs is due again at the occurrence after the later of now and when it was due, until
 * there is none. Completing again answers the first completion and changes nothing: always where it is completed for
 * good, and where it recurs as long as no other occurrence has come. `not_found` for any other memory.
 */
export async function completeReminder(
  ports: Pick<MemoryPorts, "store" | "clock" | "hash" | "secrets">,
  caller: Caller,
  asked: { reminder_id: string; note?: string | null | undefined },
) {
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
}

/** Refuses with `not_found` what is no reminder, or none that can be completed. */
function requireReminder(stored: MemoryRecord, now: number): void {
  const { memoryType, status } = asItStands(stored, now);
  if (memoryType !== "reminder" || !isLiveStatus(status)) throw notFound("reminder");
}

/** When it was completed, where completing it now would be a repeat; else null. */
function earlierCompletion(memory: MemoryRecord, now: number): number | null {
  // Metadata is anybody's text: only what is an instant counts.
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

/** The next due time is content of the memory: only those who may read are told. */
function answerOf(caller: Caller, { memoryId, status, dueAt }: MemoryRecord, completedAt: number) {
  const isDueAgain = status !== "completed" && dueAt !== null && holds(caller, "memory:read");
  return {
    id: memoryId,
    status: "completed" as const,
    completed_at: rfc3339(completedAt),
    ...(isDueAgain ? { next_due_at: rfc3339(dueAt) } : {}),
  };
}
