/** A fact that has changed: the newest state is the first of a search and of a context, whatever keys it was given. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, memory, query } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const QUESTION = "Who looks after the borrowed handle in Quarrybank?";
const STATES = [
  "Naomi looks after the borrowed handle in Quarrybank.",
  "Correction: Arturo looks after the borrowed handle in Quarrybank.",
  "This has changed. Niklas looks after the borrowed handle in Quarrybank.",
];

test.each<[string, (step: number) => Record<string, unknown>]>([
  ["no keys", () => ({})],
  ["differing keys", (step) => ({ semantic_key: ["handle.keeper", "handle-keeper", "Handle.Keeper"][step] })],
  ["equal keys", () => ({ semantic_key: "handle.keeper" })],
  ["other agents", (step) => ({ provenance: { agent_id: `agent-${step}` } })],
])("with %s", async (_, more) => {
  const client = await world.client({ owner: freshOwner() });
  await client.post("/v1/remember", memory({ content: "Anna looks after the borrowed ladder in Oakhurst." }));
  const ids: string[] = [];
  for (const [step, content] of STATES.entries())
    ids.push((await client.post("/v1/remember", memory({ content, ...more(step) }))).body.id);
  const asked = await client.get(`/v1/memories/search${query({ query: QUESTION, explain: true })}`);
  const [first] = asked.body.results;
  expect(first.id).toBe(ids.at(-1));
  const { signals, rank_score } = first.explanation;
  const sum = (Object.values(signals) as number[]).reduce((a, b) => a + b, 0);
  expect(rank_score).toBeCloseTo(sum, 9);
  const why = await client.post("/v1/recall/why", { query: QUESTION, memory_id: ids.at(-1) });
  expect(why.body).toMatchObject({ found: true, rank: 1 });
  const context = await client.post("/v1/recall/context", { query: QUESTION });
  expect(context.body.items[0].id).toBe(ids.at(-1));
  const alone = await client.post("/v1/recall/context", { query: QUESTION, max_items: 1 });
  expect(alone.body.items.map(({ id }: { id: string }) => id)).toEqual([ids.at(-1)]);
});
