import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, listed, memory, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

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
  const answer = { ...two.body, reason: undefined };
  expect(answer).toEqual({ id: one.body.id, status: "remembered", deduplicated: true, superseded: [] });
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

/** Remembers `first` and then `second`; answers what the second was told, and the memory. */
async function twice(client: Client, first: Given, second: Given, headers: Record<string, string> = {}) {
  const { id } = (await client.post("/v1/remember", memory(first))).body;
  const again = await client.post("/v1/remember", memory(second), headers);
  expect(again).toMatchObject({ status: 201, body: { id, deduplicated: true, superseded: [] } });
  return { told: again.body, item: (await client.get(`/v1/memories/${id}`)).body };
}

const LEFT = "an equal memory was there; not taken over from this request: ";

test("hearing it again adds the metadata and the logic_path that were not there", async () => {
  const client = await someone();
  const metadata = { a: 2, b: { deep: [1] }, occurred_at: "2020-01-01T00:00:00Z", __proto: "p", none: null };
  const { told, item } = await twice(client, { metadata: { a: 2, z: 1 } }, { metadata, logic_path: "x > y" });
  expect(told).toEqual({ id: item.id, status: "remembered", deduplicated: true, superseded: [] });
  expect(item).toMatchObject({ metadata: { ...metadata, z: 1 }, logic_path: "x > y" });
  const [kept] = (await client.get(`/v1/memories/${item.id}/versions`)).body.versions.slice(-1);
  expect(kept).toMatchObject({ metadata: { a: 2, z: 1 }, logic_path: null, version: 1 });
  expect(item.version).toBe(2);
});

test("what was added by a repeat is found by it", async () => {
  const client = await someone();
  await twice(client, {}, { metadata: { ticket: "T-1" } });
  expect(await listed(client, { "metadata.ticket": "T-1" })).toHaveLength(1);
});

test.each<[string, Given, Given, string]>([
  [
    "other metadata",
    { metadata: { a: 1, b: { x: 1, y: 2 } } },
    { metadata: { b: { y: 2, x: 1 }, a: 2 } },
    '"metadata.a"',
  ],
  ["another source", { source: "one" }, { source: "two" }, "source"],
  ["a source where there was none", {}, { source: "two" }, "source"],
  ["another logic_path", { logic_path: "a" }, { logic_path: "b" }, "logic_path"],
  ["another id", {}, { memory_id: "mine" }, "memory_id"],
  ["another version", {}, { version: 5 }, "version"],
  ["lower weights", {}, { importance: 0.2, confidence: 0.3 }, "importance, confidence"],
  ["an earlier expiry", {}, { expires_at: "2999-01-01T00:00:00Z" }, "expires_at"],
  ["a successor", {}, { superseded_by: "x" }, "superseded_by"],
  ["an embedding", {}, { embedding: [1, 2, 3] }, "embedding"],
  [
    "other provenance",
    { provenance: { tool: "chat", run: 1 } },
    { provenance: { tool: "chat", run: 2, task_id: "t", session_id: "s", repeated_by: 1 } },
    '"provenance.run", "provenance.task_id"',
  ],
])("a repeat with %s changes nothing of it, and the answer names it", async (_, first, second, names) => {
  const client = await someone();
  const { told, item } = await twice(client, first, second);
  expect(told.reason).toBe(LEFT + names);
  const unsaid = { source: null, logic_path: null, metadata: {}, version: 1, expires_at: null };
  expect(item).toMatchObject({ ...unsaid, ...first, superseded_by: null });
  expect(told).not.toHaveProperty("embedding");
});

test("a repeat makes a memory neither due nor recurring nor vouched for", async () => {
  const client = await someone();
  const metadata = {
    authority: "inference",
    due_at: "2030-01-01T00:00:00Z",
    recurrence: "FREQ=DAILY",
    time_zone: "Europe/Berlin",
    review_after: "2030-01-01T00:00:00Z",
    last_verified_at: "2030-01-01T00:00:00Z",
  };
  const reminder = { memory_type: "reminder" };
  const { told, item } = await twice(client, reminder, { ...reminder, metadata: { ...metadata, a: 1 } });
  expect(item.metadata).toEqual({ a: 1 });
  expect(told.reason).toBe(
    `${LEFT}${Object.keys(metadata)
      .map((name) => `"metadata.${name}"`)
      .join(", ")}`,
  );
});

test("the names of many members that were not taken over are counted, and odd ones are not shown", async () => {
  const client = await someone();
  const names = Array.from({ length: 30 }, (_, n) => `k${n}`);
  const of = (value: number) => Object.fromEntries([...names, "odd\nname"].map((name) => [name, value]));
  const { told } = await twice(client, { metadata: of(1) }, { metadata: of(2) });
  const ten = names.slice(0, 10).map((name) => `"metadata.${name}"`);
  expect(told.reason).toBe(`${LEFT}${ten.join(", ")} and 21 more`);
});

test("who may not read is not told how the memory that was there differs", async () => {
  const owner = freshOwner();
  const [reader, writer] = [
    await world.client({ owner }),
    await world.client({ owner, scopes: ["memory:write"] }),
  ];
  const { id } = (await reader.post("/v1/remember", memory({ metadata: { a: 1 } }))).body;
  const again = await writer.post("/v1/remember", memory({ metadata: { a: 2 }, source: "s" }));
  expect(again.body).toEqual({ id, status: "remembered", deduplicated: true, superseded: [] });
});

test("metadata that would be too large once merged takes what fits, and the rest is named", async () => {
  const client = await someone();
  const full = "x".repeat(65_536 - 300);
  const { told, item } = await twice(
    client,
    { metadata: { full } },
    { metadata: { small: 1, large: "y".repeat(300), last: 2 } },
  );
  expect(item.metadata).toEqual({ full, small: 1 });
  expect(told.reason).toBe(`${LEFT}"metadata.large", "metadata.last"`);
  const unchanged = await client.patch(`/v1/memories/${item.id}`, { metadata: { small: 2 } });
  expect(unchanged).toMatchObject({ status: 200 });
});

test("however often and by whomever a memory with full provenance is heard again, that is noted and it stays one that can be changed", async () => {
  const client = await someone();
  const full = { a: "x".repeat(65_536 - 8) };
  const ids = new Set<string>();
  for (let time = 0; time < 25; time++) {
    const said = memory({ provenance: full, source: `${time}`.padEnd(256, "s") });
    ids.add((await client.post("/v1/remember", said, { "x-agent-id": "a".repeat(256) })).body.id);
  }
  expect(ids.size).toBe(1);
  const [id] = ids;
  const { provenance } = (await client.get(`/v1/memories/${id}`)).body;
  const { a, ...byService } = provenance;
  expect(a).toBe(full.a);
  expect(JSON.stringify(byService).length).toBeLessThanOrEqual(65_536);
  expect(provenance.repeated_by).toHaveLength(20);
  expect(provenance.repeated_by.at(-1).source).toMatch(/^24s/);
  expect(await client.patch(`/v1/memories/${id}`, { provenance })).toMatchObject({ status: 200 });
});

test("a repeat says no completion, and nobody but the service that a memory was imported", async () => {
  const client = await someone();
  const reminder = { memory_type: "reminder", metadata: { due_at: "2030-01-01T00:00:00Z" } };
  const { item } = await twice(client, reminder, {
    ...reminder,
    metadata: { ...reminder.metadata, completed_at: "2020-01-01T00:00:00Z", completion_note: "done" },
    provenance: { imported: { from: "elsewhere" } },
  });
  expect(item.metadata).toEqual(reminder.metadata);
  const forged = await stored(client, { content: "z", provenance: { imported: { from: "elsewhere" } } });
  expect((await client.get(`/v1/memories/${forged}`)).body.provenance).not.toHaveProperty("imported");
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
