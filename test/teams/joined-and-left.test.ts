import { afterAll, beforeAll, expect, test } from "vitest";
import { freshProject, ok, workspaceOf } from "../project/workspace.ts";
import { freshOwner, stored, unguessable } from "../support/acting.ts";
import { clientOf } from "../support/http-client.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

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

/** What a team has, and how whoever is in it comes to see that: each answer has the word or one of the ids. */
async function whatTeamHas(team: Client) {
  const [word, path, project] = [unguessable("w"), unguessable("p"), freshProject()];
  const id = await stored(team, { content: `The crane is ${word}.`, path, metadata: { word } });
  const gone = await stored(team, { path });
  const { receipt } = await ok(team.delete(`/v1/memories/${gone}?mode=hard_delete`));
  const { todo_id } = (await workspaceOf(team, project).todo({ content: `Paint it ${word}.` })).body;
  const readings: Record<string, (client: Pick<Client, "get" | "post" | "patch">) => Promise<Answer>> = {
    get: (client) => client.get(`/v1/memories/${id}`),
    versions: (client) => client.get(`/v1/memories/${id}/versions`),
    list: (client) => client.get("/v1/memories"),
    listOfPath: (client) => client.get(`/v1/memories?path=${path}`),
    search: (client) => client.get(`/v1/memories/search?query=${word}`),
    searchByMetadata: (client) => client.post("/v1/memories/search", { query: word, metadata: { word } }),
    searchOfThen: (client) =>
      client.post("/v1/memories/search", { query: word, as_of: new Date().toISOString() }),
    todo: (client) =>
      workspaceOf(client as Client, project)
        .item("todo")
        .read(todo_id),
    receipt: (client) => client.get(`/v1/receipts/${receipt.id}`),
    events: (client) => client.get("/v1/events?limit=500"),
    update: (client) => client.patch(`/v1/memories/${id}`, { importance: 0.7 }),
    deletion: (client) => client.post("/v1/memories/delete", { filter: { path } }),
  };
  const tells = [word, id, receipt.id];
  return {
    readings,
    isSeenIn: ({ body }: Answer) =>
      body.matched === 1 || tells.some((told) => JSON.stringify(body).includes(told)),
  };
}

test("whatever is read first after joining or leaving a team, by a server that is not told, is of the teams of then", async () => {
  const { teams } = world.service;
  const team = await world.client({ team: freshOwner() });
  const member = await world.client({ owner: freshOwner() });
  const elsewhere = clientOf("http://localhost", member.token, await world.replica());
  const { readings, isSeenIn } = await whatTeamHas(team);
  for (const [name, read] of Object.entries(readings)) {
    const seen: boolean[] = [];
    for (const isMember of [false, true, false, true, false]) {
      if (isMember) await teams.setRole(team.ownerId, member.ownerId, "admin");
      else await teams.remove(team.ownerId, member.ownerId);
      seen.push(isSeenIn(await read(elsewhere)));
    }
    expect({ name, seen }).toEqual({ name, seen: [false, true, false, true, false] });
  }
});
