import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** What is found, with the scores, which tell over which memories words were counted. */
async function scores(client: Client): Promise<Record<string, number>> {
  const { body } = await client.get("/v1/memories/search?query=harbour%20crane");
  return Object.fromEntries(
    (body.results as { id: string; score: number }[]).map((hit) => [hit.id, hit.score]),
  );
}

test.each([
  ["whole", false],
  ["confined", true],
])(
  "the first search after joining or leaving a team is of the teams of then (%s key)",
  async (_, isConfined) => {
    const { teams } = world.service;
    const team = await world.client({ team: freshOwner() });
    const owner = freshOwner();
    const client = await world.client({ owner, ...(isConfined && { space: { teamId: team.ownerId } }) });
    if (!isConfined) await stored(client, { content: "The harbour crane is painted yellow." });
    for (const content of ["The crane driver starts at six.", "The harbour office closes at noon."])
      await stored(team, { content });
    const alone = await scores(client);
    expect(Object.keys(alone)).toHaveLength(isConfined ? 0 : 1);
    await teams.setRole(team.ownerId, client.ownerId, "viewer");
    const together = await scores(client);
    expect(Object.keys(together)).toHaveLength(isConfined ? 2 : 3);
    await teams.remove(team.ownerId, client.ownerId);
    expect(await scores(client)).toEqual(alone);
    await teams.setRole(team.ownerId, client.ownerId, "viewer");
    expect(await scores(client)).toEqual(together);
  },
);
