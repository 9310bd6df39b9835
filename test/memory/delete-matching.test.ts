import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, listed, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const URL = "/v1/memories/delete";

async function planOf(client: Client, body: Record<string, unknown>): Promise<string> {
  const { status, body: plan } = await client.post(URL, body);
  expect({ status, plan }).toMatchObject({ status: 200, plan: { dry_run: true, changed: 0 } });
  return plan.plan_hash;
}

test("a dry run answers a count and a plan, and changes nothing", async () => {
  const client = await someone();
  for (const content of ["a", "b"]) await stored(client, { content, path: "old/x" });
  await stored(client, { content: "kept", path: "new" });
  const { body } = await client.post(URL, { filter: { path: "old/%" } });
  expect(body).toEqual({
    dry_run: true,
    mode: "soft_delete",
    matched: 2,
    changed: 0,
    plan_hash: expect.any(String),
  });
  expect(await listed(client)).toHaveLength(3);
});

test("the real run needs the plan and removes exactly what it counted", async () => {
  const client = await someone();
  for (const content of ["a", "b"]) await stored(client, { content, path: "old/x" });
  await stored(client, { content: "kept", path: "new" });
  const ask = { filter: { path: "old/%" } };
  expectRefusal(await client.post(URL, { ...ask, dry_run: false }), 422, "validation_failed");
  expectRefusal(await client.post(URL, { ...ask, dry_run: false, plan_hash: "wrong" }), 409, "plan_changed");
  const plan_hash = await planOf(client, ask);
  const { body } = await client.post(URL, { ...ask, dry_run: false, plan_hash });
  expect(body).toMatchObject({ dry_run: false, matched: 2, changed: 2 });
  expect(await listed(client)).toEqual(["kept"]);
  expect(await listed(client, { status: "soft_deleted" })).toHaveLength(2);
});

test.each([
  ["another memory matches", (client: Client, _id: string) => stored(client, { path: "old" })],
  [
    "one of them has changed",
    (client: Client, id: string) => client.patch(`/v1/memories/${id}`, { importance: 0.9 }),
  ],
  ["one of them is gone", (client: Client, id: string) => client.delete(`/v1/memories/${id}`)],
])("the plan is plan_changed once %s, and nothing is removed", async (_, change) => {
  const client = await someone();
  const id = await stored(client, { path: "old" });
  await stored(client, { path: "old", content: "b" });
  const ask = { filter: { path: "old" } };
  const plan_hash = await planOf(client, ask);
  await change(client, id);
  const before = await listed(client);
  expectRefusal(await client.post(URL, { ...ask, dry_run: false, plan_hash }), 409, "plan_changed");
  expect(await listed(client)).toEqual(before);
});

test("a plan of one mode is not good for another", async () => {
  const client = await someone();
  await stored(client, { path: "old" });
  const plan_hash = await planOf(client, { filter: { path: "old" } });
  const refused = await client.post(URL, {
    filter: { path: "old" },
    mode: "hard_delete",
    dry_run: false,
    plan_hash,
  });
  expectRefusal(refused, 409, "plan_changed");
});

test.each([
  ["no filter", "{}"],
  ["an empty filter", '{"filter":{}}'],
  ["a filter of nulls", '{"filter":{"project_id":null,"scope":null,"metadata":null}}'],
  ["a filter on no metadata", '{"filter":{"metadata":{}}}'],
  ["a filter that is not known", '{"filter":{"paht":"old"}}'],
  ["a filter of a name that JavaScript swallows", '{"filter":{"__proto__":"x"}}'],
  ["an empty path", '{"filter":{"path":""}}'],
])("%s is 422 and deletes nothing", async (_, body) => {
  const client = await someone();
  await stored(client);
  expectRefusal(await client.post(URL, body), 422, "validation_failed");
});

test("metadata under a name that JavaScript swallows narrows a filter like any other", async () => {
  const client = await someone();
  await stored(client, { content: "kept" });
  const body = '{"filter":{"path":"%","metadata":{"__proto__":"x"}}}';
  const answer = await client.post(URL, body);
  if (answer.status !== 200) return expectRefusal(answer, 422, "validation_failed");
  expect(answer.body.matched).toBe(0);
});

test.each<[string, Record<string, unknown>]>([
  ["path", { path: "x/%" }],
  ["bucket", { bucket: "work" }],
  ["memory_type", { memory_type: "episodic" }],
  ["status", { status: "archived" }],
  ["project_id", { project_id: "apollo" }],
  ["metadata", { metadata: { kind: "old" } }],
])("the filter %s narrows to what it names", async (_, filter) => {
  const client = await someone();
  const given = {
    bucket: "work",
    memory_type: "episodic",
    path: "x/y",
    provenance: { project_id: "apollo" },
    metadata: { kind: "old" },
  };
  await stored(client, { ...given, content: "gone", status: filter.status ?? "active" });
  await stored(client, { content: "kept" });
  const plan_hash = await planOf(client, { filter });
  expect((await client.post(URL, { filter, dry_run: false, plan_hash })).body.changed).toBe(1);
  expect(await listed(client)).toEqual(["kept"]);
});

test("only what was stored before created_before matches", async () => {
  const client = await someone();
  await stored(client);
  expect((await client.post(URL, { filter: { created_before: "2001-01-01T00:00:00Z" } })).body.matched).toBe(
    0,
  );
  expect((await client.post(URL, { filter: { created_before: "2999-01-01T00:00:00Z" } })).body.matched).toBe(
    1,
  );
});

test.each(["hard_delete", "redact"])(
  "%s of all that match leaves no content anywhere, and one receipt",
  async (mode) => {
    const client = await someone();
    const word = unguessable();
    for (const n of [1, 2, 3])
      await stored(client, { content: `${word} ${n}`, metadata: { word }, path: "old" });
    await client.patch(`/v1/memories/${(await client.get("/v1/memories")).body.memories[0].id}`, {
      content: `${word} 4`,
    });
    const ask = { filter: { path: "old" }, mode };
    const plan_hash = await planOf(client, ask);
    const { body } = await client.post(
      URL,
      { ...ask, dry_run: false, plan_hash },
      { "idempotency-key": "k" },
    );
    expect(body).toMatchObject({
      changed: 3,
      receipt: { removed: { memories: 3 }, digest: expect.any(String) },
    });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    expect(await listed(client)).toEqual([]);
  },
);

test("nobody else's memories match, nor those out of the credential's space", async () => {
  const owner = freshOwner();
  const [whole, stranger] = [await world.client({ owner }), await someone()];
  for (const [client, path] of [
    [whole, "mine/a"],
    [whole, "theirs"],
    [stranger, "mine/a"],
  ] as const)
    await stored(client, { path, content: path });
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  const ask = { filter: { path: "%" } };
  const plan_hash = await planOf(part, ask);
  expect((await part.post(URL, { ...ask, dry_run: false, plan_hash })).body).toMatchObject({
    matched: 1,
    changed: 1,
  });
  expect(await listed(whole)).toEqual(["theirs"]);
  expect(await listed(stranger)).toEqual(["mine/a"]);
});

test("what was soft-deleted can be removed for good by asking for exactly that", async () => {
  const client = await someone();
  const word = unguessable();
  await client.delete(`/v1/memories/${await stored(client, { content: word })}`);
  await stored(client, { content: "kept" });
  expect((await client.post(URL, { filter: { status: "%" } })).body.matched).toBe(1);
  const ask = { filter: { status: "soft_deleted" }, mode: "hard_delete" };
  const plan_hash = await planOf(client, ask);
  expect((await client.post(URL, { ...ask, dry_run: false, plan_hash })).body.changed).toBe(1);
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  expect(await listed(client)).toEqual(["kept"]);
});

test("facts that wait for each other are deleted by filter, whichever comes first", async () => {
  const client = await world.client({ owner: freshOwner() });
  const fact = { path: "waiting", semantic_key: "door" };
  const ids: string[] = [];
  for (const more of [{ expires_at: "2999-01-01T00:00:00Z" }, {}]) {
    const { id } = (await client.post("/v1/memories", { ...fact, content: `Said ${ids.length}.`, ...more }))
      .body;
    ids.push(id);
    await client.delete(`/v1/memories/${id}`);
  }
  for (const id of ids) await client.post(`/v1/memories/${id}/restore`);
  const body = { filter: { path: "waiting", status: "%" } };
  const { plan_hash } = (await client.post("/v1/memories/delete", body)).body;
  const done = await client.post("/v1/memories/delete", { ...body, dry_run: false, plan_hash });
  expect(done).toMatchObject({ status: 200, body: { changed: 2 } });
});
