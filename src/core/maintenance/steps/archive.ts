import { rehashed } from "../../memory/identity.ts";
import {
  type MemoryChange,
  type MemoryRecord,
  nextVersion,
  type StoredStatus,
} from "../../memory/memory-record.ts";
import { recordUnchangedState } from "../../project/unchanged-state.ts";
import type { Outcome } from "../maintenance-store.ts";
import { factLockOf, type ReadyItem, type Step, type StepContext, sortOut } from "./step.ts";

/**
 * Archives memories, todos and decisions: they leave recall and lists, and keep all they say. Of a todo or decision the
 * memory alone is archived; its state stays what it is, with a line in its audit trail.
 */
export const archive: Step = {
  locks: factLockOf,
  async perform(context, items, locked) {
    const { ready, left } = await sortOut(context, items, locked);
    // At once: they share a connection, which carries them out in order without waiting for each answer.
    const done = await Promise.all(
      ready.map(async (one): Promise<Outcome> => {
        const { revision, updatedAt: at } = await turn(context, one, "archived", one.item.action);
        await recordTurn(context, one.memory, { at, operation: "archive" });
        return { place: one.item.place, state: "changed", revision, formerStatus: one.memory.status };
      }),
    );
    return [...left, ...done];
  },
};

/** Gives a memory another status, as a change of it by its caller would. Its former state is kept as a version. */
export async function turn(
  { ports, transaction, runId }: StepContext,
  { item, memory }: ReadyItem,
  status: StoredStatus,
  operation: string,
): Promise<MemoryRecord> {
  const change: MemoryChange = {
    status,
    version: nextVersion(memory.version),
    updatedAt: ports.clock(),
  };
  // What has no hash is compared with nothing, whatever its status.
  const hashed = memory.dedupeHash === null ? change : rehashed(ports.hash, memory, change);
  return transaction.change(memory, hashed, {
    operation,
    keepVersion: true,
    reason: item.reason,
    detail: { run: runId },
  });
}

/** A line in the audit trail of a todo or decision, whose own status stays. */
export async function recordTurn(
  { caller, transaction, runId }: StepContext,
  memory: MemoryRecord,
  line: { readonly at: number; readonly operation: string },
): Promise<void> {
  if (memory.workspaceItem === null) return;
  const note = `maintenance run ${runId}`;
  await recordUnchangedState(caller, transaction, memory, { ...line, note });
}
