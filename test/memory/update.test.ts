import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test("a change answers the memory as it is now, with its conflicts and its ETag", async () => {
  const client = await someone();
  const id = await stored(client);
  const { status, body, headers } = await client.patch(`/v1/memories/${id}`, {
    content: "changed",
    importance: 0.9,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    content: "changed",
    importance: 0.9,
    version: 2,
    conflicts: [],
    path: "notes",
  });
  const read = await client.get(`/v1/memories/${id}`);
  expect(read.body).toMatchObject({ content: "changed", importance: 0.9, updated_at: body.updated_at });
  expect(headers.get("etag")).toBe(read.headers.get("etag"));
});

test("every field can be changed", async () => {
  const client = await someone();
  const id = await stored(client);
  const changed = {
    content: "c",
    path: "q/r",
    bucket: "b",
    semantic_key: "k",
    memory_type: "decision",
    status: "completed",
    importance: 0,
    confidence: 0,
    expires_at: "2999-01-01T00:00:00.000Z",
    source: "s",
    logic_path: "l",
    metadata: { a: 1 },
    provenance: { tool: "t" },
  };
  expect((await client.patch(`/v1/memories/${id}`, changed)).body).toMatchObject(changed);
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject(changed);
});

test("null clears what can be empty, and what is left out stays", async () => {
  const client = await someone();
  const full = { source: "s", logic_path: "l", semantic_key: "k", expires_at: "2999-01-01T00:00:00.000Z" };
  const id = await stored(client, { ...full, metadata: { a: 1 } });
  expect((await client.patch(`/v1/memories/${id}`, {})).body).toMatchObject({
    ...full,
    metadata: { a: 1 },
    version: 1,
  });
  for (const name of Object.keys(full)) {
    expect((await client.patch(`/v1/memories/${id}`, { [name]: null })).body[name], name).toBeNull();
  }
  expect((await client.patch(`/v1/memories/${id}`, { metadata: null })).body.metadata).toEqual({});
});

test.each(["content", "path", "bucket", "memory_type", "status", "importance", "confidence"])(
  "%s cannot be cleared",
  async (name) => {
    const client = await someone();
    const id = await stored(client);
    expect(faultyPlaces(await client.patch(`/v1/memories/${id}`, { [name]: null }))).toEqual([
      `body.${name}`,
    ]);
  },
);

test("metadata merges at the top level, and null deletes a key", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { keep: 1, deep: { a: 1, b: 2 }, gone: "x" } });
  const { body } = await client.patch(`/v1/memories/${id}`, {
    metadata: { deep: { a: 9 }, gone: null, fresh: [] },
  });
  expect(body.metadata).toEqual({ keep: 1, deep: { a: 9 }, fresh: [] });
});

test("metadata replaces where it is not to be merged", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { a: 1 }, provenance: { tool: "x", session_id: "s" } });
  const { body } = await client.patch(`/v1/memories/${id}`, {
    metadata: { b: null },
    merge_metadata: false,
    provenance: { other: 1 },
    merge_provenance: false,
  });
  expect(body.metadata).toEqual({ b: null });
  expect(body.provenance).toEqual({ other: 1, session_id: "s" });
});

test("merging cannot make metadata larger than a memory may have", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { a: "x".repeat(40_000) } });
  expect(
    faultyPlaces(await client.patch(`/v1/memories/${id}`, { metadata: { b: "x".repeat(40_000) } })),
  ).toEqual(["body.metadata"]);
  expect((await client.get(`/v1/memories/${id}`)).body.metadata.b).toBeUndefined();
});

test("a change that changes nothing writes nothing", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { a: 1, b: 2 } });
  const before = await client.get(`/v1/memories/${id}`);
  await client.patch(`/v1/memories/${id}`, { content: before.body.content, metadata: { a: 1 } });
  expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before.body);
});

test("a change does not rewrite who wrote the memory", async () => {
  const client = await someone();
  const id = await stored(client, { provenance: { agent_id: "ada", session_id: "s" } });
  const change = { provenance: { agent_id: "eve", session_id: "t", tool: "x" } };
  const { body } = await client.patch(`/v1/memories/${id}`, change, { "x-agent-id": "eve" });
  expect(body.provenance).toMatchObject({ agent_id: "ada", session_id: "s", tool: "x" });
});

test("a stale If-Match is 412 and changes nothing; a fresh one is taken", async () => {
  const client = await someone();
  const id = await stored(client);
  const stale = (await client.get(`/v1/memories/${id}`)).headers.get("etag") as string;
  expect(stale).toMatch(/^"[^"]+"$/);
  await client.patch(`/v1/memories/${id}`, { content: "second" });
  expectRefusal(
    await client.patch(`/v1/memories/${id}`, { content: "third" }, { "if-match": stale }),
    412,
    "precondition_failed",
  );
  expectRefusal(await client.delete(`/v1/memories/${id}`, { "if-match": stale }), 412, "precondition_failed");
  expectRefusal(
    await client.post(`/v1/memories/${id}/forget`, {}, { "if-match": stale }),
    412,
    "precondition_failed",
  );
  const fresh = (await client.get(`/v1/memories/${id}`)).headers.get("etag") as string;
  const changed = await client.patch(`/v1/memories/${id}`, { content: "third" }, { "if-match": fresh });
  expect(changed).toMatchObject({ status: 200, body: { content: "third" } });
  expect((await client.patch(`/v1/memories/${id}`, { content: "fourth" }, { "if-match": "*" })).status).toBe(
    200,
  );
});

test("of two changes at once with one If-Match exactly one is made", async () => {
  const client = await someone();
  const id = await stored(client);
  const tag = (await client.get(`/v1/memories/${id}`)).headers.get("etag") as string;
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      client.patch(`/v1/memories/${id}`, { content: `change ${n}` }, { "if-match": tag }),
    ),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412, 412, 412]);
});

test("changes at once without If-Match lose nothing of each other's metadata", async () => {
  const client = await someone();
  const id = await stored(client);
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => client.patch(`/v1/memories/${id}`, { metadata: { [`k${n}`]: n } })),
  );
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(Object.keys(body.metadata)).toHaveLength(10);
  expect(body.version).toBe(11);
});

test("conflicts are the live memories of the same key or of other values, and whether the author is the same", async () => {
  const client = await someone();
  const same = await stored(client, { content: "The quarterly budget limit is 500 euros.", path: "p" });
  const other = await stored(client, {
    content: "We meet in Berlin.",
    path: "elsewhere",
    semantic_key: "k",
    provenance: { agent_id: "eve" },
  });
  await stored(client, { content: "Nothing to do with it.", path: "p" });
  const id = await stored(client, { content: "The quarterly budget limit is 700 euros.", path: "p" });
  const { body } = await client.patch(`/v1/memories/${id}`, { semantic_key: "k" });
  expect(body.conflicts).toHaveLength(2);
  expect(body.conflicts).toContainEqual({ id: same, reason: "other_values", same_author: true });
  expect(body.conflicts).toContainEqual({ id: other, reason: "same_semantic_key", same_author: false });
  const quiet = await client.patch(`/v1/memories/${id}`, { importance: 0.6, detect_conflicts: false });
  expect(quiet.body.conflicts).toEqual([]);
});

test("a memory can be superseded by a live one only", async () => {
  const client = await someone();
  const [id, target, dead] = [
    await stored(client),
    await stored(client, { content: "b" }),
    await stored(client, { status: "archived" }),
  ];
  const foreign = await stored(await someone());
  for (const successor of [id, dead, foreign, "unknown"]) {
    expect(faultyPlaces(await client.patch(`/v1/memories/${id}`, { superseded_by: successor }))).toEqual([
      "body.superseded_by",
    ]);
  }
  const { body } = await client.patch(`/v1/memories/${id}`, {
    superseded_by: target,
    supersession_reason: "moved",
  });
  expect(body).toMatchObject({ status: "superseded", superseded_by: target });
  expect(await listed(client)).toEqual(["b"]);
  const history = await client.get(`/v1/memories/${id}/versions`);
  expect(JSON.stringify(history.body.versions)).toContain("moved");
});

test("clearing the successor makes the memory live again", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.patch(`/v1/memories/${id}`, { superseded_by: await stored(client, { content: "b" }) });
  expect((await client.patch(`/v1/memories/${id}`, { superseded_by: null })).body).toMatchObject({
    status: "active",
    superseded_by: null,
  });
  expect(await listed(client)).toHaveLength(2);
});

test.each(["superseded", "soft_deleted", "redacted", "expired", "%", ""])(
  "a caller cannot set the status %j",
  async (status) => {
    const client = await someone();
    const id = await stored(client);
    expect(faultyPlaces(await client.patch(`/v1/memories/${id}`, { status }))).toEqual(["body.status"]);
  },
);

test("an archived memory is out of recall and list, and comes back by its status", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.patch(`/v1/memories/${id}`, { status: "archived" });
  expect(await listed(client)).toEqual([]);
  expect(await found(client, "staging database")).toEqual([]);
  expect(await found(client, "staging database", { status: "archived" })).toEqual([id]);
  await client.patch(`/v1/memories/${id}`, { status: "active" });
  expect(await found(client, "staging database")).toEqual([id]);
});

test("search finds the new words of a changed memory and shows them", async () => {
  const client = await someone();
  const id = await stored(client, { content: "My dentist is Dr. Ito." });
  await stored(client, { content: "Bicycles need oil." });
  await client.patch(`/v1/memories/${id}`, { content: "The lighthouse keeper sings." });
  const { body } = await client.get("/v1/memories/search?query=lighthouse&limit=1");
  expect(body.results).toMatchObject([{ id, content: "The lighthouse keeper sings." }]);
});

test("a memory cannot change its owner, nor a private one be made a team's", async () => {
  const client = await someone();
  const id = await stored(client);
  const team = (await world.client({ team: freshOwner() })).ownerId;
  expectRefusal(await client.patch(`/v1/memories/${id}`, { scope: "team" }), 422, "validation_failed");
  expectRefusal(await client.patch(`/v1/memories/${id}`, { team_id: team }), 422, "validation_failed");
});

test.each(["unknown", "00000000-0000-7000-8000-000000000000"])("changing %s is not_found", async (id) => {
  const client = await someone();
  expectRefusal(await client.patch(`/v1/memories/${id}`, memory()), 404, "not_found");
});

test("two memories that are named each other's successor at once do not both vanish", async () => {
  const client = await someone();
  for (let round = 0; round < 6; round++) {
    const [one, two] = [
      await stored(client, { content: `one ${round}` }),
      await stored(client, { content: `two ${round}` }),
    ];
    const answers = await Promise.all([
      client.patch(`/v1/memories/${one}`, { superseded_by: two }),
      client.patch(`/v1/memories/${two}`, { superseded_by: one }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
  }
  expect(await listed(client)).toHaveLength(6);
});
