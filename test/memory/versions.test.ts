import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test("the history has every state, the current one first, each valid until the next", async () => {
  const client = await someone();
  const id = await stored(client, { content: "one", metadata: { a: 1 } });
  await client.patch(`/v1/memories/${id}`, { content: "two", supersession_reason: "it moved" });
  await client.patch(`/v1/memories/${id}`, { content: "three", metadata: { a: 2 } });
  const { status, body } = await client.get(`/v1/memories/${id}/versions`);
  expect(status).toBe(200);
  expect(body.id).toBe(id);
  expect(body.versions).toMatchObject([
    { content: "three", version: 3, metadata: { a: 2 }, valid_to: null },
    { content: "two", version: 2, metadata: { a: 1 } },
    { content: "one", version: 1, metadata: { a: 1 }, reason: "it moved" },
  ]);
  const [now, middle, first] = body.versions;
  expect(middle.valid_to).toBe(now.valid_from);
  expect(first.valid_to).toBe(middle.valid_from);
  expect(body.chain).toMatchObject([{ id, version: 3, status: "active" }]);
});

test("a memory that never changed has one state", async () => {
  const client = await someone();
  const { body } = await client.get(`/v1/memories/${await stored(client)}/versions`);
  expect(body.versions).toHaveLength(1);
  expect(body.versions[0].valid_from).toBe(body.versions[0].created_at);
});

test("hearing a memory again, feedback and a delete that was undone are no new versions", async () => {
  const client = await someone();
  const { body } = await client.post("/v1/remember", { content: "a", path: "p" });
  await client.post("/v1/remember", { content: "a", path: "p" });
  await client.post("/v1/recall/feedback", { memory_id: body.id, helpful: true });
  await client.delete(`/v1/memories/${body.id}`);
  await client.post(`/v1/memories/${body.id}/restore`);
  const history = await client.get(`/v1/memories/${body.id}/versions`);
  expect(history.body.versions).toMatchObject([{ content: "a", version: 1 }]);
});

test("the chain leaves out what was deleted since, and what the credential does not reach", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const ids: string[] = [];
  for (const path of ["mine/a", "theirs/b", "mine/c"])
    ids.push(await stored(client, { path, content: path, semantic_key: "k" }));
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  const chainOf = async (asking: typeof client) =>
    (await asking.get(`/v1/memories/${ids[2]}/versions`)).body.chain.map((link: { id: string }) => link.id);
  expect(await chainOf(part)).toEqual([ids[0], ids[2]]);
  await client.delete(`/v1/memories/${ids[0]}`);
  expect(await chainOf(client)).toEqual([ids[1], ids[2]]);
});

test("an earlier state is shown only to who could have seen it then", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const id = await stored(client, { path: "theirs", content: "not for that credential" });
  const known = await stored(client, { bucket: "knowledge", content: "known to few" });
  await client.patch(`/v1/memories/${id}`, { path: "mine", content: "for all" });
  await client.patch(`/v1/memories/${known}`, { bucket: "public", content: "known to all" });
  const part = await world.client({ owner, scopes: ["memory:read"], space: { pathPrefix: "mine" } });
  const plain = await world.client({ owner, scopes: ["memory:read"] });
  const shown = async (asking: typeof client, of: string) =>
    (await asking.get(`/v1/memories/${of}/versions`)).body.versions.map(
      (version: { content: string }) => version.content,
    );
  expect(await shown(part, id)).toEqual(["for all"]);
  expect(await shown(plain, known)).toEqual(["known to all"]);
  expect(await shown(client, known)).toEqual(["known to all", "known to few"]);
});

test("the history of an unknown or foreign memory is not_found", async () => {
  const client = await someone();
  for (const id of ["unknown", await stored(await someone())]) {
    expectRefusal(await client.get(`/v1/memories/${id}/versions`), 404, "not_found");
  }
});
