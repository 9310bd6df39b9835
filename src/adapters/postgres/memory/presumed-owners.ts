import { BoundedCache } from "../../../core/cache.ts";
import type { Caller } from "../../../core/caller.ts";

const CACHED_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The owners that callers were last seen to see. Nothing is ever shown by it: it spares a search a trip to the database
 * before it can begin, and the search's own reading tells whether it was right.
 */
export class PresumedOwners {
  readonly #owners = new BoundedCache<string, readonly string[]>({
    name: "presumed owners",
    bytesMax: CACHED_BYTES_MAX,
    bytesOf: (owners) => 100 + 100 * owners.length,
  });

  of(caller: Caller): readonly string[] | undefined {
    if (caller.onlooker !== undefined) return undefined;
    // Only people are in teams.
    if (caller.owner.kind !== "user") return [caller.owner.id];
    return this.#owners.get(keyOf(caller));
  }

  keep(caller: Caller, owners: readonly string[]): void {
    if (caller.onlooker !== undefined || caller.owner.kind !== "user") return;
    this.#owners.set(keyOf(caller), owners);
  }
}

function keyOf({ owner, space }: Caller): string {
  return `${owner.id} ${space.teamId ?? ""}`;
}
