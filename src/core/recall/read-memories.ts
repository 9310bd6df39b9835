import type { Caller } from "../caller.ts";
import type { MemoryFilter } from "../memory/memory-filter.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import { asItStands } from "../memory/supersession.ts";
import type { Ports } from "../ports.ts";

/**
 * The memories that the caller may read and the filter matches, each in its state at the filter's time; and the owners
 * visible to the caller at the time of reading.
 */
export async function readMemories(
  { store }: Pick<Ports, "store">,
  caller: Caller,
  filter: MemoryFilter,
  ids: readonly string[],
): Promise<{ memories: Map<string, MemoryRecord>; owners: readonly string[] }> {
  const { memories: matching, owners } = await store.readMatching(caller, ids, filter);
  const memories = new Map(matching.map((memory) => [memory.id, memory]));
  const { asOf, now } = filter;
  const past = asOf === null ? null : await store.statesAt(caller, matching, asOf);
  const standing = new Map(
    [...memories].flatMap(([id, memory]) => {
      const then = past?.has(id) ? past.get(id) : memory;
      return then ? [[id, asItStands(then, asOf ?? now)] as const] : [];
    }),
  );
  return { memories: standing, owners };
}
