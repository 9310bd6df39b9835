import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectRefusal,
  faultyPlaces,
  freshOwner,
  listed,
  memory,
  stored,
  unguessable,
} from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

test("storing answers the id, the status stored and the version, and nothing of the content", async () => {
  const client = await someone();
  const answer = await client.post("/v1/memories", memory());
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ id: expect.any(String), status: "stored", version: 1, superseded: [] });
});

test("remembering answers the id and the status remembered", async () => {
  const client = await someone();
  const answer = await client.post("/v1/remember", memory());
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.any(String),
    status: "remembered",
    deduplicated: false,
    superseded: [],
  });
});

test("what a create leaves out gets the defaults of the contract", async () => {
  const client = await someone();
  const id = await stored(client);
  const { status, body } = await client.get(`/v1/memories/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    content: "The staging database is db-2.",
    path: "notes",
    bucket: "public",
    scope: "private",
    team_id: null,
    memory_type: "semantic",
    status: "active",
    semantic_key: null,
    version: 1,
    superseded_by: null,
    importance: 0.5,
    confidence: 1,
    source: null,
    logic_path: null,
    metadata: {},
    provenance: {},
    expires_at: null,
    boundary: { relation: "unattributed", ownership: "unattributed", boundary_authority: "attribution_only" },
  });
  expect(body.created_at).toMatch(UTC);
  expect(body.updated_at).toBe(body.created_at);
});

test("every field comes back as it was given", async () => {
  const client = await someone();
  const given = {
    content: "  Zwölf Boxkämpfer 🥊 jagen\n\tViktor  ",
    path: "a/b",
    memory_id: "my.id:1-x_Y",
    bucket: "Café %_\\",
    semantic_key: "box/champion",
    memory_type: "episodic",
    version: 7,
    status: "started",
    importance: 0.25,
    confidence: 0.75,
    expires_at: "2999-12-31T23:59:59.123Z",
    scope: "private",
    source: "a speaker",
    logic_path: "x > y",
    metadata: { n: 1.5, t: "ü", deep: [{ a: null }], "": "empty key", empty: {}, yes: true },
    provenance: { tool: "chat", project_id: "apollo", session_id: "s 1", task_id: "t 1" },
  };
  const answer = await client.post("/v1/memories", given);
  expect(answer.body).toMatchObject({ id: "my.id:1-x_Y", status: "stored", version: 7 });
  const { body } = await client.get("/v1/memories/my.id:1-x_Y");
  const { memory_id: _, ...fields } = given;
  expect(body).toMatchObject(fields);
  expect(body.metadata).toEqual(given.metadata);
});

test("text is stored as given, not in another Unicode form", async () => {
  const client = await someone();
  const decomposed = "Cafe\u0301";
  const id = await stored(client, { content: decomposed, metadata: { name: decomposed } });
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body.content).toBe(decomposed);
  expect(body.metadata.name).toBe(decomposed);
});

test("a metadata key that means something to JavaScript is a key like any other", async () => {
  const client = await someone();
  const text = '{"content":"x","path":"p","metadata":{"__proto__":{"a":1},"constructor":"c","toString":"t"}}';
  const { body } = await client.post("/v1/memories", text);
  const read = await client.get(`/v1/memories/${body.id}`);
  expect(JSON.stringify(read.body.metadata)).toContain('"__proto__":{"a":1}');
  expect(read.body.metadata).toMatchObject({ constructor: "c", toString: "t" });
});

test.each([
  ["/a//b/", "a/b"],
  [" a / b ", "a/b"],
  ["Cafe\u0301/x", "Café/x"],
  ["///a", "a"],
])("the path %j is normalised to %j, and a filter alike", async (given, normal) => {
  const client = await someone();
  const id = await stored(client, { path: given, content: normal });
  expect((await client.get(`/v1/memories/${id}`)).body.path).toBe(normal);
  expect(await listed(client, { path: given })).toEqual([normal]);
});

test.each([
  ["content", ""],
  ["content", null],
  ["content", "x".repeat(65_537)],
  ["content", "a\u0000b"],
  ["content", "\ud800"],
  ["path", ""],
  ["path", "///"],
  ["path", "x".repeat(513)],
  ["path", 5],
  ["bucket", ""],
  ["memory_type", "Semantic"],
  ["memory_type", "todo"],
  ["memory_type", "auto"],
  ["memory_type", "two words"],
  ["status", "superseded"],
  ["status", "soft_deleted"],
  ["status", "expired"],
  ["importance", 1.01],
  ["importance", -0.01],
  ["confidence", "1"],
  ["memory_id", "a b"],
  ["memory_id", "x".repeat(129)],
  ["expires_at", "tomorrow"],
  ["expires_at", "2026-01-01T00:00:00"],
  ["metadata", []],
  ["metadata", { a: "x".repeat(65_536) }],
  ["metadata", { a: "\u0000" }],
  ["provenance", "x"],
  ["version", 0],
  ["scope", "public"],
  ["team_id", "not-a-uuid"],
  ["embedding", []],
  ["embedding", ["1"]],
])("a create with %s %j is refused there", async (field, value) => {
  const client = await someone();
  for (const path of ["/v1/memories", "/v1/remember"]) {
    const places = faultyPlaces(await client.post(path, memory({ [field]: value })));
    expect(places.every((place) => place.startsWith(`body.${field}`))).toBe(true);
  }
  expect(await listed(client)).toEqual([]);
});

test("the largest content, metadata and provenance fit", async () => {
  const client = await someone();
  const full = { a: "x".repeat(65_536 - 8) };
  const id = await stored(client, {
    content: "é".repeat(65_536),
    metadata: full,
    provenance: full,
    path: "p".repeat(512),
  });
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body.content).toHaveLength(65_536);
  expect(body.metadata).toEqual(full);
});

test("content of as many different words as fit is stored", async () => {
  const client = await someone();
  const words = Array.from({ length: 16_000 }, (_, at) => at.toString(36).padStart(3, "z")).join(" ");
  await stored(client, { content: words.slice(0, 65_536) });
});

test("the same create again answers 201 with the same id and writes nothing", async () => {
  const client = await someone();
  const body = memory({ memory_id: "same", metadata: { a: 1, b: 2 }, semantic_key: "k" });
  const first = await client.post("/v1/memories", body);
  const before = await client.get("/v1/memories/same");
  const again = await client.post("/v1/memories", { ...body, metadata: { b: 2, a: 1 } });
  expect(again.status).toBe(201);
  expect(again.body.id).toBe(first.body.id);
  const after = await client.get("/v1/memories/same");
  expect(after.body).toEqual(before.body);
  expect(await listed(client)).toHaveLength(1);
});

test("the same create again after a change still writes nothing", async () => {
  const client = await someone();
  await stored(client, { memory_id: "same" });
  await client.patch("/v1/memories/same", { content: "changed" });
  const again = await client.post("/v1/memories", memory({ memory_id: "same" }));
  expect(again).toMatchObject({ status: 201, body: { id: "same" } });
  expect(await listed(client)).toEqual(["changed"]);
});

test("a taken id with other content is a memory_id_conflict, on every way in", async () => {
  const client = await someone();
  const secret = unguessable();
  await stored(client, { memory_id: "taken", content: secret });
  for (const path of ["/v1/memories", "/v1/remember"]) {
    const refused = await client.post(path, memory({ memory_id: "taken", content: "other" }));
    expectRefusal(refused, 409, "memory_id_conflict");
    expect(JSON.stringify(refused.body)).not.toContain(secret);
  }
  expect(await listed(client)).toEqual([secret]);
});

test("two owners may choose the same id", async () => {
  const [one, other] = [await someone(), await someone()];
  await stored(one, { memory_id: "mine", content: "one" });
  await stored(other, { memory_id: "mine", content: "other" });
  expect((await one.get("/v1/memories/mine")).body.content).toBe("one");
  expect((await other.get("/v1/memories/mine")).body.content).toBe("other");
});

test("of twenty creates of one id at once exactly one is made", async () => {
  const client = await someone();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      client.post("/v1/memories", memory({ memory_id: "race", content: `${at % 2}` })),
    ),
  );
  const made = answers.filter((answer) => answer.status === 201);
  expect(made.length).toBe(10);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 409, "memory_id_conflict");
  expect(await listed(client)).toHaveLength(1);
});

test("a caller's embedding of another model is not used, and the answer says so", async () => {
  const client = await someone();
  const { body } = await client.post(
    "/v1/memories",
    memory({ embedding: [1, 2, 3], embedding_model: "other" }),
  );
  expect(body).toMatchObject({ status: "stored", embedding: "service", reason: expect.any(String) });
});

test("an authority that only a person can claim is lowered, and the answer says so", async () => {
  const client = await someone();
  const { body } = await client.post("/v1/remember", memory({ metadata: { authority: "verified" } }));
  expect(body.reason).toContain("authority");
  const read = await client.get(`/v1/memories/${body.id}`);
  expect(read.body.metadata.authority).toBe("observation");
});

test("attribution by headers is recorded in provenance, and the instance only as a hash", async () => {
  const client = await someone();
  const headers = {
    "x-agent-id": "agent-7",
    "x-agent-name": "Ada",
    "x-agent-instance": "laptop",
    "x-session-id": "s1",
    "x-task-id": "t1",
    "x-project-id": "apollo",
  };
  const { body } = await client.post("/v1/memories", memory(), headers);
  const read = await client.get(`/v1/memories/${body.id}`, headers);
  expect(read.body.provenance).toMatchObject({
    agent_id: "agent-7",
    agent_name: "Ada",
    session_id: "s1",
    task_id: "t1",
    project_id: "apollo",
    agent_instance_id_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(read.body)).not.toContain("laptop");
  expect(read.body.boundary).toMatchObject({
    relation: "self",
    ownership: "self",
    current_agent_trust: "client_asserted",
  });
  const other = await client.get(`/v1/memories/${body.id}`, { ...headers, "x-agent-instance": "phone" });
  expect(other.body.boundary.relation).toBe("same_agent_other_instance");
  const stranger = await client.get(`/v1/memories/${body.id}`, { "x-agent-id": "agent-8" });
  expect(stranger.body.boundary.relation).toBe("other_agent");
});
