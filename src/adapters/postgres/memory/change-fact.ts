import type { MemoryChange, MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type { ChangeNote, Predecessors } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import { changesHold, isSameFact, succeededByKey } from "../../../core/memory/supersession.ts";
import { changeMemory } from "./change-memory.ts";
import type { Context } from "./context.ts";
import { bequeathVersions, postpone, settleFacts } from "./facts.ts";

/** A change of a memory, and what follows from it for the fact that it states. */
export async function changeAndSettle(
  context: Context,
  memory: MemoryRecord,
  change: MemoryChange & Partial<Owned>,
  how: ChangeNote,
): Promise<MemoryRecord> {
  const { sql } = context;
  const leavesFact = memory.semanticKey !== null && !isSameFact(memory, { ...memory, ...change });
  if (leavesFact) await bequeathVersions(sql, [memory.id]);
  const changed = await changeMemory(
    context,
    memory,
    leavesFact ? { ...change, factVersion: null } : change,
    how,
  );
  if (!changesHold(memory, changed)) return changed;
  const settled = await settleFacts(sql, [memory.id], { now: changed.updatedAt });
  const own = settled.find(({ id }) => id === memory.id);
  return own ? { ...changed, supersededUntil: own.supersededUntil, revision: own.revision } : changed;
}

/** See `MemoryTransaction.supersedeByKey`. */
export async function supersedeByKey(
  context: Context,
  { live, waiting }: Predecessors,
  newer: NewMemory,
  at: number,
): Promise<void> {
  await postpone(context.sql, waiting, newer, at);
  for (const memory of live) {
    await changeMemory(
      context,
      memory,
      { ...succeededByKey(memory, newer, at), updatedAt: at },
      { operation: "supersede", keepVersion: true, reason: "a newer memory has the same semantic_key" },
    );
  }
}
