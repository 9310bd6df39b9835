import type { Client } from "@elastic/elasticsearch";

/**
 * A document that each index of ours is made with. An index that somebody else has emptied, or put in the place of ours
 * with all its names, lacks it; without it such an index would answer that there is nothing.
 */
const SEAL = { id: "seal", routing: "seal" } as const;

/** Resolves when searches show it. */
export async function setSeal(client: Client, index: string, requestTimeout: number): Promise<void> {
  await client.index({ index, ...SEAL, document: {}, refresh: true }, { requestTimeout });
}

/** Whether the index has it, asked past what searches show. */
export function hasSeal(client: Client, index: string, requestTimeout: number): Promise<boolean> {
  return client.exists({ index, ...SEAL }, { requestTimeout });
}

/** A search that finds one document in a sealed index. */
export const sealSearch = {
  routing: SEAL.routing,
  body: { size: 0, track_total_hits: true, query: { ids: { values: [SEAL.id] } } },
} as const;
