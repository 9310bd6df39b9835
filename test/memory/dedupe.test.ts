import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Given = Record<string, unknown>;

test.each<[string, Given, Given]>([
  ["Unicode form", { content: "Café" }, { content: "Cafe\u0301" }],
  ["white space at the ends", { content: "one two" }, { content: "  one two\n" }],
  ["amounts and kinds of white space", { content: "one two three" }, { content: "one\t\n two\u00a0  three" }],
  ["the spelling of the path", { path: "a/b" }, { path: "/a//b/" }],
  [
    "metadata, source and weights",
    {},
    { metadata: { a: 1 }, source: "other", importance: 0.1, logic_path: "x" },
  ],
  [
    "the session of what is not working memory",
    { provenance: { session_id: "1" } },
    { provenance: { session_id: "2" } },
  ],
  ["expiry", {}, { expires_at: "2999-01-01T00:00:00Z" }],
])("a memory that differs in %s is a duplicate", async (_, first, second) => {
  const client = await someone();
  const one = await client.post("/v1/remember", memory(first));
  const two = await client.post("/v1/remember", memory(second));
  expect(two.status).toBe(201);
  expect(two.body).toEqual({ id: one.body.id, status: "remembered", deduplicated: true, superseded: [] });
  expect(await listed(client, { status: "%" })).toHaveLength(1);
});

test.each<[string, Given, Given]>([
  ["case", { content: "Polish" }, { content: "polish" }],
  ["path", { path: "a" }, { path: "a/b" }],
  ["bucket", { bucket: "work" }, { bucket: "home" }],
  ["type", { memory_type: "semantic" }, { memory_type: "episodic" }],
  ["status", { status: "started" }, { status: "completed" }],
  ["semantic key", {}, { semantic_key: "k" }],
  ["project", { provenance: { project_id: "p1" } }, { provenance: { project_id: "p2" } }],
  [
    "session, for working memory",
    { memory_type: "working", provenance: { session_id: "1" } },
    { memory_type: "working", provenance: { session_id: "2" } },
  ],
])("a memory that differs in %s is another memory", async (_, first, second) => {
  const client = await someone();
  const one = await client.post("/v1/remember", memory(first));
  const two = await client.post("/v1/remember", memory(second));
  expect(two.body).toMatchObject({ status: "remembered", deduplicated: false });
  expect(two.body.id).not.toBe(one.body.id);
  expect(await listed(client)).toHaveLength(2);
});

test("working memory of one session is deduplicated, whether the session comes by header or provenance", async () => {
  const client = await someone();
  await client.post("/v1/remember", memory({ memory_type: "working" }), { "x-session-id": "s" });
  const again = await client.post(
    "/v1/remember",
    memory({ memory_type: "working", provenance: { session_id: "s" } }),
  );
  expect(again.body.deduplicated).toBe(true);
});

test("hearing it again raises importance and confidence, and appends to provenance", async () => {
  const client = await someone();
  const { body } = await client.post("/v1/remember", memory({ importance: 0.4, confidence: 0.6 }));
  await client.post("/v1/remember", memory({ importance: 0.1, confidence: 0.1, source: "second speaker" }));
  const read = await client.get(`/v1/memories/${body.id}`);
  expect(read.body.importance).toBeGreaterThan(0.4);
  expect(read.body.confidence).toBeGreaterThan(0.6);
  expect(JSON.stringify(read.body.provenance)).toContain("second speaker");
  expect(read.body.version).toBe(1);
});

test("importance and confidence never rise above 1, however often it is heard", async () => {
  const client = await someone();
  for (let time = 0; time < 15; time++) await client.post("/v1/remember", memory({ importance: 0.9 }));
  const [item] = (await client.get("/v1/memories")).body.memories;
  expect(item).toMatchObject({ importance: 1, confidence: 1 });
});

test("hearing it again rewrites nobody's authorship", async () => {
  const client = await someone();
  const first = { "x-agent-id": "first", "x-session-id": "s1" };
  const { body } = await client.post("/v1/remember", memory({ source: "first speaker" }), first);
  await client.post("/v1/remember", memory({ source: "second speaker" }), { "x-agent-id": "second" });
  const read = await client.get(`/v1/memories/${body.id}`);
  expect(read.body).toMatchObject({
    source: "first speaker",
    provenance: { agent_id: "first", session_id: "s1" },
    boundary: { memory_agent_id: "first" },
  });
});

test("what is no longer live is not a duplicate", async () => {
  const client = await someone();
  const ids = [
    await stored(client, { status: "archived" }),
    await stored(client),
    await stored(client, { content: "x" }),
  ];
  await client.delete(`/v1/memories/${ids[1]}`);
  await client.patch(`/v1/memories/${ids[2]}`, { superseded_by: await stored(client, { content: "y" }) });
  for (const content of ["The staging database is db-2.", "x"]) {
    const again = await client.post("/v1/remember", memory({ content }));
    expect(again.body.deduplicated).toBe(false);
    expect(ids).not.toContain(again.body.id);
  }
});

test("a memory that was changed is compared by what it says now", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.patch(`/v1/memories/${id}`, { content: "changed" });
  expect((await client.post("/v1/remember", memory({ content: "changed" }))).body).toMatchObject({
    id,
    deduplicated: true,
  });
  expect((await client.post("/v1/remember", memory())).body.deduplicated).toBe(false);
});

test("without dedupe, and by store, an equal memory is another one", async () => {
  const client = await someone();
  await stored(client);
  await stored(client);
  const { body } = await client.post("/v1/remember", memory({ dedupe: false }));
  expect(body.deduplicated).toBe(false);
  expect(await listed(client)).toHaveLength(3);
});

test("owners do not deduplicate each other's memories", async () => {
  const [one, other] = [await someone(), await someone()];
  await one.post("/v1/remember", memory());
  expect((await other.post("/v1/remember", memory())).body.deduplicated).toBe(false);
});

test("of twenty equal remembers at once exactly one memory is made, and all answer its id", async () => {
  const client = await someone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.post("/v1/remember", memory())));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(answers.filter((answer) => !answer.body.deduplicated)).toHaveLength(1);
  expect(await listed(client, { status: "%" })).toHaveLength(1);
});
