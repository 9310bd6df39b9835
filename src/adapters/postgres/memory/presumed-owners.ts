import { BoundedCache } from "../../../core/cache.ts";
import type { Caller } from "../../../core/caller.ts";

const CACHED_BYTES_MAX = 4 * 1024 * 1024;

/** What was read for a caller, and the owners that it sees at the instant of the reading. */
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
   * Reads where the database is told whose rows to look among, so that it asks no other part of the record
   * (docs/decisions/0063). `read` looks among those owners alone, under the whole predicate all the same, and tells whom the
   * caller sees at that very instant. Where that is anybody else as well, it is read again among them: what comes of it is
   * what a reading among all owners would have found.
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

  /** One too many does no harm. Who has not been seen yet may well be in no team; an onlooker only takes owners away. */
  #guess(caller: Caller): readonly string[] {
    return this.#owners.get(keyOf(caller)) ?? [caller.space.teamId ?? caller.owner.id];
  }
}

function keyOf({ owner, space }: Caller): string {
  return `${owner.id} ${space.teamId ?? ""}`;
}
