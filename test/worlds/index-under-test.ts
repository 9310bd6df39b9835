import { openWorld, type World } from "../support/world.ts";

/** The settings that make a service recall with each index. */
const SETTINGS: Readonly<Record<string, () => Record<string, string>>> = {
  embedded: () => ({}),
};

/** The index that the worlds are played on. */
export const INDEX = process.env.RECOLLECT_INDEX ?? "embedded";

/** A service that recalls with the index of `RECOLLECT_INDEX`. Refuses to play where it would be another. */
export async function openWorldOnIndex(): Promise<World> {
  const settings = SETTINGS[INDEX];
  if (!settings)
    throw new Error(`RECOLLECT_INDEX must be one of ${Object.keys(SETTINGS).join(", ")}, is ${INDEX}`);
  const world = await openWorld(settings());
  const client = await world.client({ owner: "who asks which index it is" });
  const { body } = await client.post("/v1/recall/context", { query: "index" });
  if (body.retrieval_plan?.engine === INDEX) return world;
  await world.close();
  throw new Error(`the service recalls with ${body.retrieval_plan?.engine}, not with ${INDEX}`);
}
