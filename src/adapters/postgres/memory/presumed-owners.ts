import { BoundedCache } from "../../../core/cache.ts";
import type { Caller } from "../../../core/caller.ts";

const CACHED_BYTES_MAX = 4 * 1024 * 1024;

/** A result that was read for a caller, and the owners that it sees at the time of reading. */
export interface ReadAmong<Found> {
  readonly owners: readonly string[];
  readonly found: Found;
}

/**
 * The owners that callers were last seen to see. Nothing is ever shown by it: it spares a reading a trip to the database
 * before it can begin, and the reading itself tells whether it was right.
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

  /**
   * Reads with the expected owners in the statement, so that only their partitions are touched (docs/decisions/0063). `read` is
   * limited to those owners, still under the whole predicate, and returns the owners that the caller sees at that very instant.
   * If there is another one among them, it reads again with these: the result equals a reading among all owners.
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

  /** An owner too many does no harm. A caller that has not been seen yet may be in no team; an onlooker only removes owners. */
  #guess(caller: Caller): readonly string[] {
    return this.#owners.get(keyOf(caller)) ?? [caller.space.teamId ?? caller.owner.id];
  }
}

function keyOf({ owner, space }: Caller): string {
  return `${owner.id} ${space.teamId ?? ""}`;
}
