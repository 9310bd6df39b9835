import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { requireChangeable } from "./access.ts";
import { rehashed } from "./identity.ts";
import { isLiveStatus } from "./memory-status.ts";
import { rfc3339 } from "./present.ts";

/** Completes a reminder; a second time answers the first completion. `not_found` for any other memory. */
export async function completeReminder(
  ports: Pick<Ports, "store" | "clock" | "hash">,
  caller: Caller,
  input: { reminder_id: string; note?: string | null | undefined },
) {
  return ports.store.transaction(caller, async (transaction) => {
    const seen = await transaction.findForChange(input.reminder_id);
    const isReminder = seen?.memory.memoryType === "reminder" && isLiveStatus(seen.memory.status);
    if (!seen || !isReminder) throw notFound("reminder");
    requireChangeable(caller, seen);
    const { memory } = seen;
    const earlier = memory.metadata.completed_at;
    if (memory.status === "completed" && typeof earlier === "string") {
      return { id: memory.memoryId, status: "completed" as const, completed_at: earlier };
    }
    const now = ports.clock();
    const completedAt = rfc3339(now);
    const note = input.note ? { completion_note: input.note } : {};
    const metadata = { ...memory.metadata, ...note, completed_at: completedAt };
    await transaction.change(
      memory,
      rehashed(ports.hash, memory, { status: "completed", metadata, updatedAt: now }),
      { operation: "complete_reminder", keepVersion: true },
    );
    return { id: memory.memoryId, status: "completed" as const, completed_at: completedAt };
  });
}
