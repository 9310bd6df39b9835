import type { Live, Memory, Model } from "./model.ts";

/** What a memory says of its successor where it has none. */
export const NOT_SUPERSEDED = { supersededBy: null, isByKey: false, former: null, isBack: false } as const;

/** A memory as it stands: one whose successor has given way is what it was before. */
export function asItStands(memory: Memory): Memory {
  if (memory.status !== "superseded" || !memory.isBack) return memory;
  return { ...memory, status: memory.former as Live, ...NOT_SUPERSEDED };
}

/** What becomes of a live memory when another states its fact. */
export function giveWay(memory: Memory, serial: number): Partial<Memory> {
  const former = asItStands(memory).status as Live;
  return { status: "superseded", supersededBy: serial, isByKey: true, former, isBack: false };
}

/** After a change: what has given way to an expired fact is back, unless it was no longer waiting for it. */
export function settle(model: Model): void {
  const settled = new Map<number, boolean>();
  for (const memory of model.memories.values())
    if (memory.isByKey) settled.set(memory.serial, isBack(model, memory));
  for (const [serial, back] of settled) {
    const memory = model.memories.get(serial) as Memory;
    if (memory.isBack !== back) model.memories.set(serial, { ...memory, isBack: back });
  }
}

function isBack(model: Model, memory: Memory): boolean {
  const above = heldAbove(model, memory);
  return above === null ? memory.isBack : !above && !memory.isExpired;
}

/** Whether what is above holds the fact; null where some of it states it no more. */
function heldAbove(model: Model, memory: Memory): boolean | null {
  const successor = memory.isByKey ? model.memories.get(memory.supersededBy as number) : undefined;
  if (!successor || !isSameFact(memory, successor)) return null;
  const { status, isExpired } = successor;
  if (status === "active" || status === "started" || status === "completed") return !isExpired;
  if (status !== "superseded") return null;
  const above = heldAbove(model, successor);
  if (above === null) return successor.isBack ? !isExpired : null;
  return above || !isExpired;
}

/** Two memories that state the same fact. */
export function isSameFact(a: Memory, b: Memory): boolean {
  const { owner, project, bucket, key } = a;
  return key !== null && owner === b.owner && project === b.project && bucket === b.bucket && key === b.key;
}
