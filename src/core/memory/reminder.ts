import { instant } from "../../contract/primitives.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { remarksOn, screen } from "../secrets/screen.ts";
import { requireChangeable } from "./access.ts";
import { rehashed } from "./identity.ts";
import { isLiveStatus } from "./memory-status.ts";
import { rfc3339 } from "./present.ts";

/** Completes a reminder; a second time answers the first completion. `not_found` for any other memory. */
export async function completeReminder(
  ports: Pick<Ports, "store" | "clock" | "hash" | "secrets">,
  caller: Caller,
  asked: { reminder_id: string; note?: string | null | undefined },
) {
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const seen = await transaction.findForChange(input.reminder_id);
    const isReminder = seen?.memory.memoryType === "reminder" && isLiveStatus(seen.memory.status);
    if (!seen || !isReminder) throw notFound("reminder");
    requireChangeable(caller, seen);
    const { memory } = seen;
    const earlier = memory.metadata.completed_at;
    // Metadata is anybody's text: only what is an instant is answered.
    if (memory.status === "completed" && instant.safeParse(earlier).success) {
      return {
        id: memory.memoryId,
        status: "completed" as const,
        completed_at: rfc3339(Date.parse(earlier as string)),
      };
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
    const remarks = remarksOn(screened, screened.notices);
    return { id: memory.memoryId, status: "completed" as const, completed_at: completedAt, ...remarks };
  });
}
