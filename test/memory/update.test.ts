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

test("the order of members, another spelling of an instant and what is stored already are no change", async () => {
  const client = await someone();
  const given = {
    metadata: { a: { x: 1, y: [{ p: 1, q: 2 }] }, b: 2 },
    provenance: { tool: { name: "t", version: 1 }, session_id: "s" },
    expires_at: "2999-01-01T00:00:00Z",
    semantic_key: "caf\u00e9",
    source: "s",
  };
  const id = await stored(client, given);
  const before = await client.get(`/v1/memories/${id}`);
  for (const change of [
    { metadata: { b: 2, a: { y: [{ q: 2, p: 1 }], x: 1 } } },
    { metadata: { b: 2, a: { y: [{ q: 2, p: 1 }], x: 1 } }, merge_metadata: false },
    { metadata: { missing: null } },
    { provenance: { session_id: "s", tool: { version: 1, name: "t" } } },
    { provenance: { tool: { version: 1, name: "t" } }, merge_provenance: false },
    { expires_at: "2999-01-01T01:00:00.000+01:00" },
    { semantic_key: "cafe\u0301", source: "s", status: "active", importance: 0.5 },
    { path: "/notes/" },
    { embedding: null },
    { supersession_reason: "none" },
  ]) {
    const { body } = await client.patch(`/v1/memories/${id}`, change);
    expect([change, body.version, body.updated_at]).toEqual([change, 1, before.body.updated_at]);
  }
  expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before.body);
  const [kept] = await world.service.sql`
    select count(*) as count from memory_versions where memory = (select id from memories where memory_id = ${id})`;
  expect(Number(kept?.count)).toBe(0);
});

test("the order of an array's elements is a change", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { a: [1, 2] } });
  const { body } = await client.patch(`/v1/memories/${id}`, { metadata: { a: [2, 1] } });
  expect(body).toMatchObject({ version: 2, metadata: { a: [2, 1] } });
});

test("the embedding that is stored already is no change, another one is", async () => {
  const client = await someone();
  const { provider, model, dimension } = world.service.ports.embedder.generation;
  const along = (axis: number) => ({
    embedding: Array.from({ length: dimension }, (_, at) => (at === axis ? 1 : 0)),
    embedding_provider: provider,
    embedding_model: model,
  });
  const id = await stored(client, along(0));
  const versionAfter = async (change: object) =>
    (await client.patch(`/v1/memories/${id}`, change)).body.version;
  expect(await versionAfter(along(0))).toBe(1);
  expect(await versionAfter(along(1))).toBe(2);
  expect(await versionAfter(along(1))).toBe(2);
});

test("the successor and the rule of recurrence that are there already are no change", async () => {
  const client = await someone();
  const [older, newer] = [await stored(client), await stored(client, { content: "b" })];
  await client.patch(`/v1/memories/${older}`, { superseded_by: newer });
  expect((await client.patch(`/v1/memories/${older}`, { superseded_by: newer })).body).toMatchObject({
    version: 2,
    superseded_by: newer,
  });
  const reminder = await stored(client, {
    memory_type: "reminder",
    metadata: {
      due_at: "2030-01-01T09:00:00Z",
      recurrence: "FREQ=DAILY",
      recurrence_start: "2029-01-01T09:00:00Z",
    },
  });
  const same = await client.patch(`/v1/memories/${reminder}`, { metadata: { recurrence: "FREQ=DAILY" } });
  expect(same.body).toMatchObject({ version: 1, metadata: { recurrence_start: "2029-01-01T09:00:00Z" } });
});

const WRITTEN = { project_id: "p", session_id: "s", task_id: "t", agent_id: "ada", agent_name: "Ada" };

test("what says who wrote a memory may be sent back as it is, and nothing else in its place", async () => {
  const client = await someone();
  const id = await stored(client, { provenance: WRITTEN, expires_at: "2999-01-01T00:00:00Z" });
  await client.post("/v1/remember", memory({ provenance: WRITTEN, source: "again" }));
  const before = (await client.get(`/v1/memories/${id}`)).body;
  expect(before.provenance).toMatchObject({ ...WRITTEN, repeated_by: [{ source: "again" }] });
  const back = await client.patch(
    `/v1/memories/${id}`,
    { provenance: before.provenance, merge_provenance: false },
    { "x-agent-id": "eve", "x-session-id": "other" },
  );
  expect(back.body).toMatchObject({ provenance: before.provenance, version: before.version });
  const known = [
    ...Object.keys(WRITTEN),
    "agent_instance_id_hash",
    "repeated_by",
    "merged_from",
    "adopted_from",
  ];
  for (const name of known) {
    const others = name in before.provenance ? ["other", null, 5, [], { id: "x" }] : ["other", 5, [], {}];
    for (const value of others)
      for (const merge_provenance of [true, false]) {
        const answer = await client.patch(`/v1/memories/${id}`, {
          content: "rewritten",
          provenance: { tool: "x", [name]: value },
          merge_provenance,
        });
        expect([name, faultyPlaces(answer)]).toEqual([name, [`body.provenance.${name}`]]);
      }
  }
  expect((await client.get(`/v1/memories/${id}`)).body).toEqual(before);
});

test("all that was not to be changed of a provenance is named at once", async () => {
  const client = await someone();
  const id = await stored(client, { provenance: WRITTEN });
  const answer = await client.patch(`/v1/memories/${id}`, {
    provenance: { agent_id: "eve", session_id: null, project_id: "p", tool: "x" },
  });
  expect(faultyPlaces(answer).sort()).toEqual(["body.provenance.agent_id", "body.provenance.session_id"]);
});

test("a member of provenance that was never set may be sent as null, and stays unset", async () => {
  const client = await someone();
  const id = await stored(client);
  for (const merge_provenance of [true, false]) {
    const { body } = await client.patch(`/v1/memories/${id}`, {
      provenance: { session_id: null, agent_id: null },
      merge_provenance,
    });
    expect(body).toMatchObject({ version: 1, provenance: {} });
  }
});

test("the caller's own members of provenance merge, are replaced and are cleared as those of metadata", async () => {
  const client = await someone();
  const id = await stored(client, { provenance: { session_id: "s", tool: "x", step: 1 } });
  const after = async (change: object) => (await client.patch(`/v1/memories/${id}`, change)).body.provenance;
  expect(await after({ provenance: { tool: null, url: "u" } })).toEqual({
    session_id: "s",
    step: 1,
    url: "u",
  });
  expect(await after({ provenance: { a: 1 }, merge_provenance: false })).toEqual({ session_id: "s", a: 1 });
  expect(await after({ provenance: null })).toEqual({ session_id: "s" });
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

test("recurrence_start is a member like any other where there is no reminder", async () => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { metadata: { recurrence_start: "mine", time_zone: "CET" } });
  const changed = await client.patch(`/v1/memories/${id}`, { metadata: { time_zone: "UTC" } });
  expect(changed.body.metadata).toEqual({ recurrence_start: "mine", time_zone: "UTC" });
});

test.each([
  [
    "Anna likes tea.",
    "Anna likes coffee.",
    ["Bob likes tea.", "Bob likes coffee.", "In winter Anna likes milk."],
  ],
  ["Lena owes Tomas 40 euros.", "Lena owes Tomas 20 euros.", ["Tomas owes Lena 15 euros."]],
  [
    "The train to Linz leaves at 9.",
    "The train to Linz leaves at 10.",
    ["The train from Linz leaves at 11."],
  ],
])("conflicts of a change to %j name %j and no other fact", async (content, conflicting, others) => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { content: "Something else entirely." });
  for (const other of others) await stored(client, { content: other });
  const expected = await stored(client, { content: conflicting });
  const { body } = await client.patch(`/v1/memories/${id}`, { content });
  expect(body.conflicts).toMatchObject([{ id: expected, reason: "other_values", same_author: true }]);
});

test("a context asked what one owes the other takes the other direction for no other answer", async () => {
  const client = await world.client({ owner: freshOwner() });
  await stored(client, { content: "Lena owes Tomas 40 euros." });
  await stored(client, { content: "Tomas owes Lena 15 euros." });
  const { body } = await client.post("/v1/recall/context", { query: "How much does Lena owe Tomas?" });
  expect(body.conflicts).toEqual([]);
});
