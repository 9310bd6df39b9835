import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, memory, stored, unguessable } from "../support/acting.ts";
import { everyRequestById } from "../support/every-route.ts";
import { fingerprint } from "../support/stored-text.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test.each(["active", "soft_deleted", "redacted", "archived", "superseded"])(
  "on every route a stranger's %s memory is answered exactly as an id that is not there",
  async (status) => {
    const [owner, stranger] = [await someone(), await someone()];
    const word = unguessable();
    const id = await stored(owner, {
      content: word,
      semantic_key: "k",
      memory_type: "reminder",
      status: status === "archived" ? status : "active",
    });
    if (status === "soft_deleted") await owner.delete(`/v1/memories/${id}`);
    if (status === "redacted") await owner.delete(`/v1/memories/${id}?mode=redact`);
    if (status === "superseded") await stored(owner, { content: "other", semantic_key: "k" });
    const before = await fingerprint(world.service.sql);
    const foreign = everyRequestById(stranger, id);
    const unknown = everyRequestById(stranger, "00000000-0000-7000-8000-000000000000");
    for (const name of Object.keys(foreign)) {
      const [one, other] = [await foreign[name]?.(), await unknown[name]?.()];
      expect([name, one?.status]).toEqual([name, 404]);
      expect(one?.body).toEqual(other?.body);
    }
    expect(await fingerprint(world.service.sql)).toBe(before);
  },
);

test("a stranger's id is free to be chosen, and stays the stranger's", async () => {
  const [owner, stranger] = [await someone(), await someone()];
  const word = unguessable();
  await stored(owner, { memory_id: "mine", content: word });
  const taken = await stranger.post("/v1/memories", memory({ memory_id: "mine", superseded_by: null }));
  expect(taken).toMatchObject({ status: 201, body: { id: "mine" } });
  await stranger.delete("/v1/memories/mine?mode=hard_delete");
  expect((await owner.get("/v1/memories/mine")).body.content).toBe(word);
});

test("the internal id of a memory that chose its own is no id for anybody", async () => {
  const client = await someone();
  await stored(client, { memory_id: "chosen" });
  const [row] = await world.service
    .sql`select id from memories where memory_id = 'chosen' and owner_id = ${client.ownerId}`;
  expect((await client.get(`/v1/memories/${row?.id}`)).status).toBe(404);
});

test.each([
  "a b",
  "a/b",
  "%00",
  "%2e%2e",
  "x".repeat(129),
  "%F0%9F%92%A5",
  "%25",
  "__proto__",
  "constructor",
])("the id %s is refused or not there, on every route", async (id) => {
  const client = await someone();
  for (const [name, send] of Object.entries(everyRequestById(client, id))) {
    expect([name, (await send()).status]).toEqual([
      name,
      expect.toSatisfy((status) => status === 404 || status === 422 || status === 405),
    ]);
  }
});
