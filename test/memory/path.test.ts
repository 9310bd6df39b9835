/** Paths are names: segments that other programs read as directions are refused wherever a path is given. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultyPlaces, freshOwner, memory, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
});
afterAll(() => world.close());

test.each([".", "..", "a/../b", "../a", "a/.", "a/ .. /b", "./%", "%/../%"])(
  "%j is refused",
  async (path) => {
    const id = await stored(client, { path: "a" });
    for (const answer of [
      await client.post("/v1/memories", memory({ path })),
      await client.post("/v1/remember", memory({ path })),
      await client.patch(`/v1/memories/${id}`, { path }),
      await client.post("/v1/recall/context", { query: "x", path }),
    ])
      expect(faultyPlaces(answer)).toEqual(["body.path"]);
    for (const route of ["/v1/memories?", "/v1/memories/search?query=x&"]) {
      const answer = await client.get(`${route}path=${encodeURIComponent(path)}`);
      expect(faultyPlaces(answer)).toEqual(["query.path"]);
    }
  },
);

test.each(["...", "a/.b", ".git", "a../b", "v1..2"])("%j is a path like others", async (path) => {
  const id = await stored(client, { path });
  expect((await client.get(`/v1/memories/${id}`)).body.path).toBe(path);
  const { body } = await client.get(`/v1/memories?path=${encodeURIComponent(path)}`);
  expect(body.total).toBe(1);
});

test("a memory that was stored with one before is read, found, changed and deleted as others", async () => {
  const id = await stored(client, { content: "An old place.", path: "old" });
  await world.service.sql`update memories set path = 'old/../place' where memory_id = ${id}`;
  expect((await client.get(`/v1/memories/${id}`)).body.path).toBe("old/../place");
  expect((await client.get("/v1/memories?path=old/%25")).body.memories).toMatchObject([{ id }]);
  expect((await client.patch(`/v1/memories/${id}`, { importance: 0.9 })).body.path).toBe("old/../place");
  expect((await client.patch(`/v1/memories/${id}`, { path: "new" })).body.path).toBe("new");
});
