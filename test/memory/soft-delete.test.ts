import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const ways = [
  [
    "DELETE",
    (client: Awaited<ReturnType<typeof someone>>, id: string) =>
      client.delete(`/v1/memories/${id}?reason=old`),
  ],
  [
    "forget",
    (client: Awaited<ReturnType<typeof someone>>, id: string) =>
      client.post(`/v1/memories/${id}/forget`, { reason: "old" }),
  ],
] as const;

test.each(ways)(
  "by %s a memory is soft-deleted unless told otherwise, and nothing finds it",
  async (_, forget) => {
    const client = await someone();
    const id = await stored(client);
    const answer = await forget(client, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id, mode: "soft_delete", status: "soft_deleted", reversible: true });
    expect(await listed(client)).toEqual([]);
    expect(await listed(client, { status: "%" })).toEqual([]);
    expect(await listed(client, { status: "soft%" })).toEqual([]);
    expect(await found(client, "staging database")).toEqual([]);
    expect(await found(client, "staging database", { status: "%" })).toEqual([]);
    expect(await found(client, "staging database", { as_of: new Date().toISOString() })).toEqual([]);
    const context = await client.post("/v1/recall/context", { query: "staging database" });
    expect(context.body).toMatchObject({ items: [], answer_status: "no_memories" });
    for (const path of ["", "/versions"])
      expectRefusal(await client.get(`/v1/memories/${id}${path}`), 404, "not_found");
    expectRefusal(await client.patch(`/v1/memories/${id}`, { content: "x" }), 404, "not_found");
    expectRefusal(
      await client.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
      404,
      "not_found",
    );
  },
);

test("the list shows soft-deleted memories to who asks for exactly them", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.delete(`/v1/memories/${id}`);
  expect(await listed(client, { status: "soft_deleted" })).toEqual(["The staging database is db-2."]);
});

test("a second soft delete is a 200 that changes nothing", async () => {
  const client = await someone();
  const id = await stored(client);
  const first = await client.delete(`/v1/memories/${id}`);
  const [before] = await world.service.sql`select revision, updated_at from memories where memory_id = ${id}`;
  for (const [, forget] of ways) {
    const second = await forget(client, id);
    expect(second).toMatchObject({ status: 200, body: first.body });
  }
  expect(await world.service.sql`select revision, updated_at from memories where memory_id = ${id}`).toEqual([
    before,
  ]);
});

test("restoring brings everything back as it was", async () => {
  const client = await someone();
  const given = { status: "started", metadata: { a: 1 }, semantic_key: "k", source: "s" };
  const id = await stored(client, given);
  const before = (await client.get(`/v1/memories/${id}`)).body;
  await client.delete(`/v1/memories/${id}`);
  expect(await client.post(`/v1/memories/${id}/restore`)).toMatchObject({
    status: 200,
    body: { id, status: "started" },
  });
  const { updated_at: _, etag: __, ...after } = (await client.get(`/v1/memories/${id}`)).body;
  expect(before).toMatchObject(after);
  expect(await found(client, "staging database")).toEqual([id]);
});

test.each(["active", "archived"])("restoring a memory that is %s is not_restorable", async (status) => {
  const client = await someone();
  const id = await stored(client, { status });
  expectRefusal(await client.post(`/v1/memories/${id}/restore`), 409, "not_restorable");
});

test("restoring what another memory has replaced meanwhile answers superseded", async () => {
  const client = await someone();
  const old = await stored(client, { content: "old", semantic_key: "k" });
  await client.delete(`/v1/memories/${old}`);
  const now = await stored(client, { content: "new", semantic_key: "k" });
  expect((await client.post(`/v1/memories/${old}/restore`)).body).toEqual({ id: old, status: "superseded" });
  expect((await client.get(`/v1/memories/${old}`)).body).toMatchObject({
    status: "superseded",
    superseded_by: now,
  });
  expect(await listed(client)).toEqual(["new"]);
});

test("a superseded memory comes back superseded, an archived one archived", async () => {
  const client = await someone();
  const old = await stored(client, { semantic_key: "k", content: "old" });
  await stored(client, { semantic_key: "k", content: "new" });
  const archived = await stored(client, { status: "archived" });
  for (const [id, status] of [
    [old, "superseded"],
    [archived, "archived"],
  ]) {
    await client.delete(`/v1/memories/${id}`);
    expect((await client.post(`/v1/memories/${id}/restore`)).body).toEqual({ id, status });
  }
  expect(await listed(client)).toEqual(["new"]);
});

test("restoring beside a writer of the same fact leaves exactly one live", async () => {
  const client = await someone();
  for (let round = 0; round < 8; round++) {
    const key = `k${round}`;
    const old = await stored(client, { content: "old", semantic_key: key });
    await client.delete(`/v1/memories/${old}`);
    await Promise.all([
      client.post(`/v1/memories/${old}/restore`),
      client.post("/v1/remember", memory({ content: "new", semantic_key: key })),
    ]);
    const live = (await client.get("/v1/memories")).body.memories.filter(
      (item: { semantic_key: string }) => item.semantic_key === key,
    );
    expect(live).toHaveLength(1);
  }
});

test("an unknown mode is refused and forgets nothing", async () => {
  const client = await someone();
  const id = await stored(client);
  expectRefusal(await client.delete(`/v1/memories/${id}?mode=purge`), 422, "validation_failed");
  expectRefusal(await client.post(`/v1/memories/${id}/forget`, { mode: "purge" }), 422, "validation_failed");
  expect(await listed(client)).toHaveLength(1);
});

test("an unknown id is not_found for every way to forget and restore", async () => {
  const client = await someone();
  for (const mode of ["soft_delete", "hard_delete", "redact"]) {
    expectRefusal(await client.delete(`/v1/memories/unknown?mode=${mode}`), 404, "not_found");
    expectRefusal(await client.post("/v1/memories/unknown/forget", { mode }), 404, "not_found");
  }
  expectRefusal(await client.post("/v1/memories/unknown/restore"), 404, "not_found");
});
