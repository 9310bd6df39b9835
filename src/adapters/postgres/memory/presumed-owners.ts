import { BoundedCache } from "../../../core/cache.ts";
import { type Caller, sharedOwner } from "../../../core/caller.ts";

const CACHED_BYTES_MAX = 4 * 1024 * 1024;

/** A result that was read for a caller, and the owners that the caller saw at that time. */
export interface ReadAmong<Found> {
  readonly owners: readonly string[];
  readonly found: Found;
}

/**
 * Caches the owners that each caller could see last. It never decides what is shown. It saves a reading one round trip
 * at its beginning, and the reading itself verifies it.
 */
export class PresumedOwners {
  readonly #owners = new BoundedCache<string, readonly string[]>({
    name: "presumed owners",
    bytesMax: CACHED_BYTES_MAX,
    bytesOf: (owners) => 100 + 100 * owners.length,
  });

  of(caller: Caller): readonly string[] | undefined {
    if (caller.onlooker !== undefined) return undefined;
    // Only users are in teams.
    if (caller.owner.kind !== "user") return ownAndShared(caller);
    return this.#owners.get(keyOf(caller));
  }

  keep(caller: Caller, owners: readonly string[]): void {
    if (caller.onlooker !== undefined || caller.owner.kind !== "user") return;
    this.#owners.set(keyOf(caller), owners);
  }

  /**
   * Reads with the expected owners in the statement, so that only their partitions are touched (docs/decisions/0063).
   * `read` is limited to those owners, still under the whole predicate, and returns the owners that the caller sees at
   * that very instant. If these include another owner, it reads again with them. So the result equals a reading among
   * all owners.
   */
  async agreed<Found>(
    caller: Caller,
    read: (among: readonly string[]) => Promise<ReadAmong<Found>>,
  ): Promise<ReadAmong<Found>> {
    for (let among = this.#guess(caller); ; ) {
      const told = await read(among);
      this.keep(caller, told.owners);
      if (told.owners.every((owner) => among.includes(owner))) return told;
      among = told.owners;
    }
  }

  /**
   * The owners to read first. An extra owner does no harm. A new caller may not be in any team, and an onlooker only
   * removes owners.
   */
  #guess(caller: Caller): readonly string[] {
    const { space } = caller;
    return this.#owners.get(keyOf(caller)) ?? (space.teamId === null ? ownAndShared(caller) : [space.teamId]);
  }
}

function ownAndShared(caller: Caller): readonly string[] {
  return [caller.owner.id, sharedOwner(caller) ?? []].flat();
}

function keyOf({ owner, space }: Caller): string {
  return `${owner.id} ${space.teamId ?? ""}`;
}
