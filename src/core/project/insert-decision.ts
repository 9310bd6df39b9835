import type { Caller } from "../caller.ts";
import type { MemoryRecord, NewMemory } from "../memory/memory-record.ts";
import type { RecordTransaction } from "../system-of-record.ts";
import { actorOf } from "./actor.ts";
import type { Decision } from "./decision.ts";
import { nextDecision } from "./decision-status.ts";
import { recalledDecision } from "./recalled.ts";
import { changeItem, type ItemPorts, insertItem } from "./write-item.ts";

/** Stores a new decision with its first audit line and answers its row. */
export async function insertDecision(
  ports: ItemPorts,
  caller: Caller,
  transaction: RecordTransaction,
  { memory, decision, old }: { memory: NewMemory; decision: Decision; old: MemoryRecord | null },
): Promise<string> {
  const { id, createdAt } = await insertItem(ports, caller, transaction, memory);
  await transaction.workspace.insertDecision(id, decision, old?.id ?? null);
  await transaction.workspace.record(id, {
    at: createdAt,
    operation: "create",
    from: null,
    to: decision.status,
    actor: actorOf(caller),
    note: decision.resolution,
  });
  return id;
}

/**
 * Takes a locked decision out of force, for the one of that public id. `invalid_transition` where it is already; so it
 * comes before the new one is stored.
 */
export async function supersede(
  ports: ItemPorts,
  caller: Caller,
  transaction: RecordTransaction,
  old: MemoryRecord,
  by: string,
): Promise<void> {
  const { workspace } = transaction;
  const now = ports.clock();
  const before = await workspace.decision(old.id);
  const state = nextDecision(before.state, { operation: "supersede" }, now);
  await changeItem(ports, caller, transaction, old, {
    operation: "decision_supersede",
    now,
    ...recalledDecision(state),
    supersededBy: by,
    supersededAt: now,
  });
  await workspace.saveDecision(old.id, state);
  await workspace.record(old.id, {
    at: now,
    operation: "supersede",
    from: before.state.status,
    to: state.status,
    actor: actorOf(caller),
    note: `by ${by}`,
  });
}
