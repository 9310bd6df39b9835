/** Looking through memories as an operator does: what there is to filter by, and many restored at once. */

import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { BROWSED_MAX } from "../../contract/session-memory-operations.ts";
import type { Caller } from "../caller.ts";
import { DomainError } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import { type MemoryFilter, memoryFilter } from "../memory/memory-filter.ts";
import type { MemoryPorts } from "../memory/memory-store.ts";
import { restoreMemory } from "../memory/restore.ts";

type BrowsePorts = Pick<MemoryPorts, "store" | "clock">;

/** As the list counts: todos and decisions have lists of their own. */
function listedBy(ports: BrowsePorts, caller: Caller, input: InputOf<"browseLabels">): MemoryFilter {
  return { ...memoryFilter(caller, input, ports.clock()), withoutItems: true };
}

/** The next part of the path of each memory that the caller sees, and how many memories share it; by name. */
export async function browsePaths(
  ports: BrowsePorts,
  caller: Caller,
  { below, ...input }: InputOf<"browsePaths">,
): Promise<OutputOf<"browsePaths">> {
  const filter = listedBy(ports, caller, input);
  const found = await ports.store.pathsBelow(caller, filter, {
    below: below ?? null,
    limit: BROWSED_MAX + 1,
  });
  const paths = itemsThatFit(
    found.slice(0, BROWSED_MAX).map(({ name, memories, hasBelow }) => ({
      name,
      path: below ? `${below}/${name}` : name,
      memories,
      has_below: hasBelow,
    })),
  );
  return { paths, truncated: found.length > paths.length };
}

/** Buckets, types and agents of the memories that the caller sees. */
export async function browseLabels(
  ports: BrowsePorts,
  caller: Caller,
  input: InputOf<"browseLabels">,
): Promise<OutputOf<"browseLabels">> {
  const labels = await ports.store.labels(caller, listedBy(ports, caller, input), BROWSED_MAX);
  const of = (kind: (typeof labels)[number]["kind"]) =>
    labels.filter((label) => label.kind === kind).map(({ value, memories }) => ({ value, memories }));
  return { buckets: of("bucket"), types: of("type"), agents: of("agent") };
}

/** Each on its own, by the code of a single restoration. What is refused is named with the reason. */
export async function restoreMemories(
  ports: BrowsePorts,
  caller: Caller,
  { memory_ids }: InputOf<"restoreMemories">,
): Promise<OutputOf<"restoreMemories">> {
  const restored: string[] = [];
  const refused: { id: string; why: string }[] = [];
  for (const id of new Set(memory_ids)) {
    try {
      await restoreMemory(ports, caller, { memory_id: id });
      restored.push(id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ id, why: error.message });
    }
  }
  return { restored, refused };
}
