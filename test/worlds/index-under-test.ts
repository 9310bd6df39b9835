import { eventually } from "../support/acting.ts";
import { INDEX } from "../support/index-under-test.ts";
import { openWorld, type World } from "../support/world.ts";

/** It may have to be made first. */
const THERE_WITHIN_MS = 60_000;

/** A service that recalls with the index of `RECOLLECT_INDEX`, and how many searches it could not answer with it. */
export async function openWorldOnIndex(): Promise<World & { readonly searches: Searches }> {
  const world = await openWorld();
  const client = await world.client({ owner: "who asks which index it is" });
  const plan = async () => (await client.post("/v1/recall/context", { query: "index" })).body.retrieval_plan;
  try {
    await eventually(plan, ({ engine }) => engine === INDEX, THERE_WITHIN_MS);
  } catch (error) {
    await world.close();
    throw error;
  }
  return watched(world);
}

/** How many searches were answered, how many of them not by the index under test, and what those said of it. */
export interface Searches {
  all: number;
  degraded: number;
  readonly said: Record<string, number>;
}

function watched(world: World): World & { readonly searches: Searches } {
  const searches: Searches = { all: 0, degraded: 0, said: {} };
  return {
    ...world,
    searches,
    async handle(request) {
      const response = await world.handle(request);
      if (new URL(request.url).pathname === "/v1/memories/search" && response.status === 200) {
        const { degraded } = (await response.clone().json()) as { degraded?: string[] };
        searches.all += 1;
        if (degraded) searches.degraded += 1;
        for (const why of degraded ?? []) searches.said[why] = (searches.said[why] ?? 0) + 1;
      }
      return response;
    },
  };
}
