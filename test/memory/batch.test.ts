import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const items = (count: number) => Array.from({ length: count }, (_, at) => memory({ content: `item ${at}` }));

test("each item is answered in its place", async () => {
  const client = await someone();
  const { status, body } = await client.post("/v1/memories/batch", { items: items(3) });
  expect(status).toBe(200);
  expect(body).toMatchObject({ stored: 3, failed: 0 });
  for (const [at, result] of body.results.entries()) {
    expect(result).toMatchObject({ status: "stored", version: 1 });
    expect((await client.get(`/v1/memories/${result.id}`)).body.content).toBe(`item ${at}`);
  }
});

test("five hundred fit, five hundred and one do not, and none is none", async () => {
  const client = await someone();
  expect((await client.post("/v1/memories/batch", { items: items(500) })).body).toMatchObject({
    stored: 500,
    failed: 0,
  });
  expect(faultyPlaces(await client.post("/v1/memories/batch", { items: items(501) }))).toEqual([
    "body.items",
  ]);
  expect(faultyPlaces(await client.post("/v1/memories/batch", { items: [] }))).toEqual(["body.items"]);
  expect((await client.get("/v1/memories?limit=1")).body.total).toBe(500);
});

test("a refused item changes nothing, stops no other and says what and where", async () => {
  const client = await someone();
  await stored(client, { memory_id: "taken", content: "before" });
  const secret = "an-unlikely-value-\u0000";
  const { status, body } = await client.post("/v1/memories/batch", {
    items: [
      memory({ content: "a" }),
      memory({ content: secret }),
      null,
      5,
      memory({ memory_id: "taken", content: "x" }),
      memory({ scope: "team" }),
      memory({ content: "b" }),
    ],
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ stored: 2, failed: 5 });
  expect(body.results.map((result: { error?: { code: string } }) => result.error?.code ?? "ok")).toEqual([
    "ok",
    "validation_failed",
    "validation_failed",
    "validation_failed",
    "memory_id_conflict",
    "validation_failed",
    "ok",
  ]);
  expect(body.results[1].error.detail[0].loc).toEqual(["body", "items", 1, "content"]);
  expect(JSON.stringify(body)).not.toContain("an-unlikely-value");
  expect((await listed(client)).sort()).toEqual(["a", "b", "before"]);
});

test("a rule that an item breaks names its place in the batch, whatever finds it broken", async () => {
  const client = await someone();
  const { body } = await client.post("/v1/memories/batch", {
    items: [
      memory({ content: "a" }),
      memory({ importance: 2 }),
      memory({ scope: "team" }),
      memory({ metadata: { occurred_at: "soon" } }),
      memory({ superseded_by: "nobody" }),
    ],
  });
  const places = body.results.map((result: { error?: { detail: { loc: unknown }[] } }) =>
    result.error?.detail.map(({ loc }) => loc),
  );
  expect(places).toEqual([
    undefined,
    [["body", "items", 1, "importance"]],
    [["body", "items", 2, "team_id"]],
    [["body", "items", 3, "metadata", "occurred_at"]],
    [["body", "items", 4, "superseded_by"]],
  ]);
  expect(await listed(client)).toEqual(["a"]);
});

test("an item with dedupe is remembered, equal ones once", async () => {
  const client = await someone();
  const same = memory({ dedupe: true });
  const { body } = await client.post("/v1/memories/batch", {
    items: [same, same, memory({ dedupe: false }), memory()],
  });
  expect(body.results).toMatchObject([
    { status: "remembered", deduplicated: false },
    { status: "remembered", deduplicated: true, id: body.results[0].id },
    { status: "remembered", deduplicated: false },
    { status: "stored" },
  ]);
  expect(await listed(client)).toHaveLength(3);
});

test("items of one batch can state one fact, and replace each other in their order", async () => {
  const client = await someone();
  const fact = (content: string) => memory({ content, semantic_key: "k" });
  const { body } = await client.post("/v1/memories/batch", { items: [fact("a"), fact("b"), fact("c")] });
  expect(body.results.map((result: { version: number }) => result.version)).toEqual([1, 2, 3]);
  expect(await listed(client)).toEqual(["c"]);
});

test("batches at once that state the same facts in other orders do not lock each other out", async () => {
  const client = await someone();
  const facts = (order: number[]) =>
    order.map((n) => memory({ content: `fact ${n}`, semantic_key: `k${n}`, dedupe: true }));
  const order = Array.from({ length: 20 }, (_, n) => n);
  const answers = await Promise.all(
    [order, order.toReversed(), order, order.toReversed()].map((list) =>
      client.post("/v1/memories/batch", { items: facts(list) }),
    ),
  );
  expect(answers.map((answer) => [answer.status, answer.body.failed])).toEqual(Array(4).fill([200, 0]));
  expect(await listed(client)).toHaveLength(20);
});

test("a batch with an Idempotency-Key is carried out once", async () => {
  const client = await someone();
  const send = () => client.post("/v1/memories/batch", { items: items(2) }, { "idempotency-key": "b" });
  const first = await send();
  expect((await send()).body).toEqual(first.body);
  expect(await listed(client)).toHaveLength(2);
});

test("a credential's limits hold for every item", async () => {
  const owner = freshOwner();
  const client = await world.client({
    owner,
    scopes: ["memory:read", "memory:write"],
    space: { pathPrefix: "mine" },
  });
  const { body } = await client.post("/v1/memories/batch", {
    items: [
      memory({ path: "mine/a" }),
      memory({ path: "theirs" }),
      memory({ path: "mine", bucket: "ledger" }),
    ],
  });
  expect(body).toMatchObject({ stored: 1, failed: 2 });
  expect(body.results[1].error.code).toBe("insufficient_scope");
  expect(await listed(client)).toHaveLength(1);
  const reader = await world.client({ owner, scopes: ["memory:read"] });
  expectRefusal(await reader.post("/v1/memories/batch", { items: items(1) }), 403, "insufficient_scope");
});

test("an item that lacks a member says which of its names perhaps meant it", async () => {
  const client = await someone();
  const [first] = items(1);
  const { status, body } = await client.post("/v1/memories/batch", {
    items: [{ ...first, content: undefined, contnet: "Deploys run on Thursdays." }],
  });
  expect(status).toBe(200);
  expect(body.results[0].error).toMatchObject({
    code: "validation_failed",
    detail: [
      {
        loc: ["body", "items", 0, "content"],
        msg: "is required; is `contnet` a misspelling of it?",
        type: "missing",
      },
    ],
  });
});

test("an item with a misspelt member is refused, with what was probably meant; its neighbours are stored", async () => {
  const client = await someone();
  const [first, second] = items(2);
  const { status, headers, body } = await client.post("/v1/memories/batch", {
    items: [
      { ...first, dedup: true },
      { ...second, mood: "good" },
    ],
  });
  expect([status, headers.get("x-recollect-ignored")]).toEqual([200, "items.mood"]);
  expect(body).toMatchObject({ stored: 1, failed: 1, results: [{}, { status: "stored" }] });
  expect(body.results[0].error).toEqual({
    code: "validation_failed",
    detail: [
      {
        loc: ["body", "items", 0, "dedup"],
        msg: "is not known here: did you mean dedupe?",
        type: "extra_forbidden",
      },
    ],
  });
});
