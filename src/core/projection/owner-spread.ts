/**
 * The owners of an index whose memories are on several shards, and by what names those are found: each name leads to a shard of
 * its own. An owner that is not in it is on one shard, by its own id. Fixed for an index from its making to its end.
 */
export type OwnerSpread = ReadonlyMap<string, readonly string[]>;

/** Every owner on one shard. */
export const NOT_SPREAD: OwnerSpread = new Map();

/** The name of the shard that has a memory. It depends on nothing that a change of the memory could change but its owner. */
export function routingOf(spread: OwnerSpread, ownerId: string, memory: string): string {
  const routes = spread.get(ownerId);
  return routes === undefined ? ownerId : (routes[hashOf(memory) % routes.length] as string);
}

/** FNV-1a, of 32 bits: where a memory is must be found again by every version that writes the index. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The names of all shards that have an owner's memories. */
export function routesOf(spread: OwnerSpread, ownerId: string): readonly string[] {
  return spread.get(ownerId) ?? [ownerId];
}

/** The `n`th name that an owner's memories may be found by; the first is the owner's id. */
export function routeOf(ownerId: string, n: number): string {
  return n === 0 ? ownerId : `${ownerId}/${n}`;
}

/** Returns the owner whose memories a route leads to. */
export function ownerOfRoute(route: string): string {
  return route.split("/", 1)[0] as string;
}

/** Over how many shards an owner is spread: as many as it has this many memories, and there are. */
export function partsOf(
  memories: number,
  { shards, perShard }: { shards: number; perShard: number },
): number {
  return Math.min(shards, Math.max(1, Math.ceil(memories / perShard)));
}
