import type { MemoryRecord } from "../memory/memory-record.ts";
import { rfc3339 } from "../memory/present.ts";
import { withServiceMembers } from "../memory/service-members.ts";

type Members = Readonly<Record<string, unknown>>;
type Merged = Members & { readonly id: string };

/** The latest so many, and no more than there is room for. The memories themselves keep all of theirs. */
const KEPT_MAX = 100;

/** The provenance of a memory that others went into: where each of them, and what had gone into them before, came from. */
export function withMerged(provenance: Members, memories: readonly MemoryRecord[]): Members {
  const added = memories.flatMap((memory) => [...mergedIn(memory.provenance), entryOf(memory)]);
  const kept = [...mergedIn(provenance), ...added].slice(-KEPT_MAX);
  return kept.length === 0 ? provenance : withServiceMembers("provenance", provenance, { merged_from: kept });
}

/** The same without these again; the very same object where they are not in it. */
export function withoutMerged(provenance: Members, memories: readonly MemoryRecord[]): Members {
  const gone = new Set(
    memories.flatMap((memory) => [memory.memoryId, ...mergedIn(memory.provenance).map(({ id }) => id)]),
  );
  const before = mergedIn(provenance);
  const kept = before.filter(({ id }) => !gone.has(id));
  if (kept.length === before.length) return provenance;
  const { merged_from: _, ...others } = provenance;
  return kept.length === 0 ? others : { ...others, merged_from: kept };
}

/** Nothing that its author wrote freely: the memory itself keeps that, and takes it along when it is erased. */
function entryOf({ memoryId, createdAt, agentId }: MemoryRecord): Merged {
  return { id: memoryId, at: rfc3339(createdAt), agent_id: agentId };
}

function mergedIn({ merged_from: merged }: Members): Merged[] {
  return Array.isArray(merged) ? merged.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Merged {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
