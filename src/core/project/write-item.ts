import type { Caller } from "../caller.ts";
import {
  type MemoryChange,
  type MemoryRecord,
  type NewMemory,
  nextVersion,
} from "../memory/memory-record.ts";
import type { MemoryTransaction } from "../memory/memory-store.ts";
import { embedNow } from "../memory/vector.ts";
import { requireRoom } from "../memory/write-rules.ts";
import type { Ports } from "../ports.ts";

export type ItemPorts = Pick<Ports, "store" | "clock" | "newId" | "hash" | "embedder" | "secrets">;

/** Stores the memory of a new todo or decision, embedded. */
export async function insertItem(
  ports: Pick<Ports, "embedder">,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: NewMemory,
): Promise<MemoryRecord> {
  await requireRoom(caller, transaction, { memories: 1, growth: [memory] });
  return transaction.insert(memory, await embedNow(ports.embedder, memory.content));
}

/**
 * Brings the memory of a todo or decision in line with its new state, in the transaction that changes the state. What it
 * said before is kept as a version.
 */
export async function changeItem(
  ports: Pick<Ports, "embedder">,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  { operation, now, ...change }: MemoryChange & { readonly operation: string; readonly now: number },
): Promise<MemoryRecord> {
  const next = { ...memory, ...change };
  await requireRoom(caller, transaction, { memories: 0, growth: [next] });
  return transaction.change(
    memory,
    { ...change, version: nextVersion(memory.version), updatedAt: now },
    { operation, keepVersion: true, vector: await embedNow(ports.embedder, next.content) },
  );
}
