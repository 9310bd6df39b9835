/**
 * For owners whose memories are on several shards of an index: the routing values of these shards, each for a different
 * shard. All other owners are on one shard, routed by their own id. Fixed for the lifetime of an index.
 */
export type OwnerSpread = ReadonlyMap<string, readonly string[]>;

/** Every owner is on one shard. */
export const NOT_SPREAD: OwnerSpread = new Map();

/** The routing value of a memory. Of everything that can change in a memory, it depends only on the owner. */
export function routingOf(spread: OwnerSpread, ownerId: string, memory: string): string {
  const routes = spread.get(ownerId);
  return routes === undefined ? ownerId : (routes[hashOf(memory) % routes.length] as string);
}

/** 32-bit FNV-1a. Must not change, since every version that writes the index must find the same shard. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The routing values of all shards that have an owner's memories. */
export function routesOf(spread: OwnerSpread, ownerId: string): readonly string[] {
  return spread.get(ownerId) ?? [ownerId];
}

/** The `n`th possible routing value of an owner; the one for 0 is the owner's id. */
export function routeOf(ownerId: string, n: number): string {
  return n === 0 ? ownerId : `${ownerId}/${n}`;
}

/** Returns the owner of a routing value. */
export function ownerOfRoute(route: string): string {
  return route.split("/", 1)[0] as string;
}

/** The number of shards that an owner is spread over: one per `perShard` memories, at most as many as the index has. */
export function partsOf(
  memories: number,
  { shards, perShard }: { shards: number; perShard: number },
): number {
  return Math.min(shards, Math.max(1, Math.ceil(memories / perShard)));
}
