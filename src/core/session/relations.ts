import { RELATED_MAX, type RelationKind } from "../../contract/session-memory-operations.ts";
import type { Pace } from "../../recall/work.ts";
import type { Caller } from "../caller.ts";
import { notFound } from "../error.ts";
import { conflictsWith } from "../memory/conflict.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { MemoryPorts, RelatedMemory } from "../memory/memory-store.ts";
import { rfc3339 } from "../memory/present.ts";
import { isLive, statusAt } from "../memory/supersession.ts";
import type { UseCase } from "../use-case.ts";

type RelationPorts = Pick<MemoryPorts, "store" | "clock"> & { readonly pace: Pace };

/** Enough to recognise a memory. */
const EXCERPT_CHARACTERS = 240;

/** Rejects with `not_found` for a memory that the caller does not see. A forgotten one has relations, too. */
export const memoryRelations: UseCase<RelationPorts, "memoryRelations"> = async (
  ports,
  caller,
  { memory_id },
) => {
  const memory = (await ports.store.find(caller, memory_id))?.memory;
  if (!memory) throw notFound();
  const now = ports.clock();
  const [related, conflicting] = await Promise.all([
    ports.store.related(caller, memory, RELATED_MAX),
    conflictingWith(ports, caller, memory, now),
  ]);
  const conflictingIds = new Set(conflicting.map(({ id }) => id));
  const merged = mergedInto(memory);
  const others = related.flatMap(({ kind, memory: other, recalls }) =>
    kind !== "recalled_with" && conflictingIds.has(other.id)
      ? []
      : [{ kind: kindOf(kind, merged.has(other.memoryId)), other, recalls }],
  );
  const conflicts = conflicting.map((other) => ({ kind: "conflicts_with" as const, other, recalls: null }));
  return {
    relations: [...conflicts, ...others].map(({ kind, other, recalls }) => ({
      kind,
      id: other.memoryId,
      content: other.content.slice(0, EXCERPT_CHARACTERS),
      status: statusAt(other, now),
      agent_id: other.agentId,
      updated_at: rfc3339(other.updatedAt),
      recalls,
    })),
  };
};

/** Live memories that cannot be true together with this one. None if it is not live itself. */
async function conflictingWith(
  { store, pace }: RelationPorts,
  caller: Caller,
  memory: MemoryRecord,
  now: number,
): Promise<MemoryRecord[]> {
  if (!isLive(memory, now)) return [];
  const candidates = await store.transaction(caller, (transaction) =>
    transaction.conflictCandidates({ ...memory, updatedAt: now }),
  );
  const conflicts = await conflictsWith(memory, candidates, pace);
  const ids = new Set(conflicts.map(({ id }) => id));
  return candidates.filter(({ memoryId }) => ids.has(memoryId)).slice(0, RELATED_MAX);
}

const kindOf = (kind: RelatedMemory["kind"], isMerged: boolean): RelationKind =>
  kind === "supersedes" && isMerged ? "merged_from" : kind;

/** Public ids of the memories that were merged into this one, which its provenance names. */
function mergedInto({ provenance: { merged_from } }: MemoryRecord): ReadonlySet<unknown> {
  return new Set(Array.isArray(merged_from) ? merged_from.map((entry) => entry?.id) : []);
}
