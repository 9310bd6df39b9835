import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../src/contract/operations.ts";
import { expectRefusal, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const key = (name = "k") => ({ "idempotency-key": name });

test.each(["/v1/memories", "/v1/remember"])(
  "on %s the same request with the same key is carried out once",
  async (path) => {
    const client = await someone();
    const first = await client.post(path, memory({ dedupe: false }), key());
    const again = await client.post(path, memory({ dedupe: false }), key());
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await listed(client)).toHaveLength(1);
    await client.post(path, memory({ dedupe: false }), key("other"));
    expect(await listed(client)).toHaveLength(2);
  },
);

test.each(["/v1/memories", "/v1/remember"])(
  "on %s what is stored with a key and the answer that is kept for it are of one transaction",
  async (path) => {
    const client = await someone();
    const { body } = await client.post(path, memory({ dedupe: false }), key());
    const rows = await world.service.sql`
      select m.xmin = k.xmin as is_one from memories m, idempotency_keys k
      where m.memory_id = ${body.id} and k.token_id = ${client.tokenId}`;
    expect(rows.map((row) => row.is_one)).toEqual([true]);
  },
);

test("the same key with another body, path or operation is a conflict and does nothing", async () => {
  const client = await someone();
  const id = await stored(client, { content: "before" });
  await client.post("/v1/memories", memory(), key());
  for (const answer of [
    await client.post("/v1/memories", memory({ content: "other" }), key()),
    await client.post("/v1/remember", memory(), key()),
    await client.post(`/v1/memories/${id}/forget`, {}, key()),
    await client.post("/v1/memories/batch", { items: [memory()] }, key()),
    await client.post("/v1/recall/feedback", { memory_id: id, helpful: true }, key()),
  ])
    expectRefusal(answer, 409, "conflict");
  expect(await listed(client)).toHaveLength(2);
});

test("a body spelled otherwise that means the same is the same request", async () => {
  const client = await someone();
  const first = await client.post("/v1/memories", '{"content":"a","path":"p"}', key());
  const again = await client.post("/v1/memories", ' {"path":"/p/", "content":"a", "bucket":"public"}', key());
  expect(again).toMatchObject({ status: 201, body: first.body });
});

test("members in another order are the same request, at any depth", async () => {
  const client = await someone();
  const one = memory({
    metadata: { a: { x: 1, y: [{ p: 1, q: 2 }] }, b: 2 },
    provenance: { tool: "t", run: 1 },
  });
  const other = { provenance: { run: 1, tool: "t" }, metadata: { b: 2, a: { y: [{ q: 2, p: 1 }], x: 1 } } };
  const reordered = { ...other, path: one.path, content: one.content };
  const first = await client.post("/v1/memories", one, key());
  expect(await client.post("/v1/memories", reordered, key())).toMatchObject({
    status: 201,
    body: first.body,
  });
  const batch = await client.post("/v1/memories/batch", { items: [one] }, key("b"));
  const again = await client.post("/v1/memories/batch", { items: [reordered] }, key("b"));
  expect(again).toMatchObject({ status: 200, body: batch.body });
  expect(await listed(client)).toHaveLength(2);
  const swapped = { ...reordered, metadata: { a: { x: 1, y: [{ p: 2, q: 1 }] }, b: 2 } };
  expectRefusal(await client.post("/v1/memories", swapped, key()), 409, "conflict");
});

const ATTRIBUTED = {
  "x-project-id": "apollo",
  "x-agent-id": "agent",
  "x-session-id": "session",
  "x-task-id": "task",
};

test.each(Object.keys(ATTRIBUTED))("under another %s, or none, it is another request", async (header) => {
  const client = await someone();
  const { [header]: _, ...without } = { ...ATTRIBUTED, ...key() } as Record<string, string>;
  const first = await client.post("/v1/memories", memory(), { ...ATTRIBUTED, ...key() });
  for (const headers of [{ ...without, [header]: "another" }, without])
    expectRefusal(await client.post("/v1/memories", memory(), headers), 409, "conflict");
  const again = await client.post("/v1/memories", memory(), { ...ATTRIBUTED, ...key() });
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(await listed(client)).toHaveLength(1);
});

test("another run of the same agent may ask again", async () => {
  const client = await someone();
  const from = (instance: string) => ({ ...ATTRIBUTED, "x-agent-instance": instance, ...key() });
  const first = await client.post("/v1/memories", memory(), from("one"));
  expect((await client.post("/v1/memories", memory(), from("two"))).body).toEqual(first.body);
});

test("what the body itself says of project, agent, session and task holds, whatever the headers say", async () => {
  const client = await someone();
  const provenance = { agent_id: "agent", session_id: "session", task_id: "task" };
  const given = memory({ project_id: "apollo", provenance });
  const first = await client.post("/v1/memories", given, key());
  const again = await client.post("/v1/memories", given, { ...ATTRIBUTED, "x-task-id": "b", ...key() });
  expect(again).toMatchObject({ status: 201, body: first.body });
});

/** Makes the kept answer one of the time when only key, operation and input were compared. */
async function outdate(client: { tokenId: string }, name: string, input: unknown): Promise<void> {
  const parsed = operations.storeMemory.input.parse(input);
  const former = createHash("sha256")
    .update(JSON.stringify([name, "storeMemory", parsed]))
    .digest();
  const { count } = await world.service.sql`
    update idempotency_keys set request_hash = ${former} where token_id = ${client.tokenId}`;
  expect(count).toBe(1);
}

test("an answer kept before attribution was compared is compared without it", async () => {
  const client = await someone();
  const first = await client.post("/v1/memories", memory(), key());
  await outdate(client, "k", memory());
  for (const headers of [key(), { ...ATTRIBUTED, ...key() }])
    expect((await client.post("/v1/memories", memory(), headers)).body).toEqual(first.body);
  expectRefusal(await client.post("/v1/memories", memory({ content: "other" }), key()), 409, "conflict");
  expect(await listed(client)).toHaveLength(1);
});

test("of many at once with one key one is carried out, and the others are told or answered the same", async () => {
  const client = await someone();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post("/v1/memories", memory(), key())),
  );
  const done = answers.filter((answer) => answer.status === 201);
  expect(new Set(done.map((answer) => answer.body.id)).size).toBe(1);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 409, "conflict");
  expect(await listed(client)).toHaveLength(1);
});

test("the same key of another credential is another key, also of the same owner", async () => {
  const owner = freshOwner();
  const clients = [await world.client({ owner }), await world.client({ owner }), await someone()];
  const ids = new Set<string>();
  for (const client of clients) ids.add((await client.post("/v1/memories", memory(), key())).body.id);
  expect(ids.size).toBe(3);
});

test("after a request that was refused the key is free", async () => {
  const client = await someone();
  await stored(client, { memory_id: "taken" });
  expectRefusal(await client.post("/v1/memories", memory({ content: "" }), key()), 422, "validation_failed");
  expectRefusal(await client.post("/v1/memories", "{", key()), 422, "validation_failed");
  expectRefusal(
    await client.post("/v1/memories", memory({ memory_id: "taken", content: "x" }), key()),
    409,
    "memory_id_conflict",
  );
  expectRefusal(await client.post("/v1/memories/unknown/restore", undefined, key()), 404, "not_found");
  expect((await client.post("/v1/memories", memory({ content: "at last" }), key())).status).toBe(201);
});

test("forgetting, restoring, completing and feedback are carried out once as well", async () => {
  const client = await someone();
  const id = await stored(client, { confidence: 0.5, memory_type: "reminder" });
  const feedback = () => client.post("/v1/recall/feedback", { memory_id: id, helpful: true }, key("f"));
  expect((await feedback()).body).toEqual((await feedback()).body);
  expect((await client.get(`/v1/memories/${id}`)).body.confidence).toBeCloseTo(0.55, 10);
  await client.post(`/v1/memories/${id}/forget`, {}, key("d"));
  const restore = () => client.post(`/v1/memories/${id}/restore`, undefined, key("r"));
  expect([(await restore()).status, (await restore()).status]).toEqual([200, 200]);
  const complete = () => client.post(`/v1/reminders/${id}/complete`, { note: "n" }, key("c"));
  expect((await complete()).body).toEqual((await complete()).body);
});

test("a hard delete that is asked twice with one key answers its receipt again", async () => {
  const client = await someone();
  const id = await stored(client);
  const forget = () => client.post(`/v1/memories/${id}/forget`, { mode: "hard_delete" }, key());
  const first = await forget();
  expect(await forget()).toMatchObject({ status: 200, body: first.body });
});

test("a replay answers what was, though the memory has been deleted since, and brings nothing back", async () => {
  const client = await someone();
  const first = await client.post("/v1/remember", memory(), key());
  await client.delete(`/v1/memories/${first.body.id}?mode=hard_delete`);
  expect((await client.post("/v1/remember", memory(), key())).body).toEqual(first.body);
  expect(await listed(client)).toEqual([]);
});

test("a key that is no key is refused", async () => {
  const client = await someone();
  for (const name of ["x".repeat(256), "a b", ""]) {
    expectRefusal(await client.post("/v1/memories", memory(), key(name)), 422, "validation_failed");
  }
  expect((await client.post("/v1/memories", memory(), key("x".repeat(255)))).status).toBe(201);
});

test("a key is asked for again only with a scope that allows the operation", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  await client.post("/v1/memories", memory(), key());
  await world.service.sql`update tokens set scopes = '{memory:read}' where id = ${client.tokenId}`;
  await world.service.credentials.revoke("00000000-0000-7000-8000-000000000000"); // forgets what it has cached
  expectRefusal(await client.post("/v1/memories", memory(), key()), 403, "insufficient_scope");
});
