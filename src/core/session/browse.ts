/** Browsing memories: the paths and facets to filter by, and bulk restore. */

import { FACET_MEMORIES_MAX, FACET_VALUES_MAX, facets } from "../../contract/facet.ts";
import type { OutputOf } from "../../contract/operations.ts";
import { BROWSED_MAX } from "../../contract/session-memory-operations.ts";
import { DomainError } from "../error.ts";
import { itemsThatFit } from "../limits/answer-bytes.ts";
import { listFilter } from "../memory/memory-filter.ts";
import type { FacetCount, MemoryPorts } from "../memory/memory-store.ts";
import { restoreMemory } from "../memory/restore.ts";
import type { RecallNotes } from "../recall/recall-log.ts";
import type { UseCase } from "../use-case.ts";

type BrowsePorts = Pick<MemoryPorts, "store" | "clock">;

/** Returns the next path segments of the memories that the caller sees, with counts, by name. */
export const browsePaths: UseCase<BrowsePorts, "browsePaths"> = async (
  ports,
  caller,
  { below, ...input },
) => {
  const filter = listFilter(caller, input, ports.clock());
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
};

/** Returns how many memories the caller sees by each value of each facet, and by status. */
export const memoryFacets: UseCase<BrowsePorts & { readonly recalls: RecallNotes }, "memoryFacets"> = async (
  ports,
  caller,
  input,
) => {
  const counts = await ports.store.facets(caller, listFilter(caller, input, ports.clock()), {
    limit: FACET_VALUES_MAX,
    memories: FACET_MEMORIES_MAX,
  });
  const of = (name: FacetCount["facet"]) =>
    counts
      .filter(({ facet }) => facet === name)
      .map(({ value, name, memories }) => ({ value, name, memories }));
  return {
    ...Object.fromEntries([...facets, "status" as const].map((name) => [name, of(name)])),
    recalls_kept_days: ports.recalls.keptDays,
    incomplete: [...new Set(counts.filter((one) => one.isIncomplete).map(({ facet }) => facet))],
  } as OutputOf<"memoryFacets">;
};

/** Restores each memory independently, like a single restore. Refusals are returned with their reasons. */
export const restoreMemories: UseCase<BrowsePorts, "restoreMemories"> = async (
  ports,
  caller,
  { memory_ids },
) => {
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
};
