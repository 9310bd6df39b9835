import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, expectRefusal, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { type Answer, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const fact = (content: string, given: Record<string, unknown> = {}) =>
  memory({ content, semantic_key: "db/host", ...given });

test.each(["/v1/memories", "/v1/remember"])(
  "by %s a newer fact of the same key replaces the older",
  async (path) => {
    const client = await someone();
    const old = await client.post(path, fact("The database is on db-1."));
    const now = await client.post(path, fact("The database is on db-2."));
    expect(now.body.superseded).toEqual([old.body.id]);
    expect((await client.get(`/v1/memories/${now.body.id}`)).body).toMatchObject({
      version: 2,
      status: "active",
    });
    expect((await client.get(`/v1/memories/${old.body.id}`)).body).toMatchObject({
      status: "superseded",
      superseded_by: now.body.id,
      content: "The database is on db-1.",
    });
    expect(await listed(client)).toEqual(["The database is on db-2."]);
    expect(await listed(client, { status: "superseded" })).toEqual(["The database is on db-1."]);
    expect(await found(client, "where is the database")).toEqual([now.body.id]);
  },
);

test("each new fact has the next version, and the chain is readable from every link", async () => {
  const client = await someone();
  const ids: string[] = [];
  for (const host of ["a", "b", "c", "d"])
    ids.push(await stored(client, fact(`The database is on ${host}.`)));
  for (const id of ids) {
    const { body } = await client.get(`/v1/memories/${id}/versions`);
    expect(body.chain.map((link: { id: string; version: number }) => [link.id, link.version])).toEqual(
      ids.map((link, at) => [link, at + 1]),
    );
  }
});

test.each([
  ["owner's", {}, {}, true],
  ["bucket", { bucket: "a" }, { bucket: "b" }, false],
  ["project", { provenance: { project_id: "a" } }, { provenance: { project_id: "b" } }, false],
  ["key", { semantic_key: "a" }, { semantic_key: "b" }, false],
])("two facts of another %s do not replace each other", async (what, first, second, isOther) => {
  const client = await someone();
  const writer = isOther ? await someone() : client;
  await stored(client, fact("one", first));
  const { body } = await writer.post("/v1/remember", fact("two", second));
  expect(body.superseded, what).toEqual([]);
  expect(await listed(client)).toContain("one");
});

test.each([
  ["path", { path: "a" }, { path: "b/c" }],
  ["type", { memory_type: "semantic" }, { memory_type: "decision" }],
  ["Unicode form of the key", { semantic_key: "Café" }, { semantic_key: "Cafe\u0301" }],
])("facts that differ in %s replace each other all the same", async (_, first, second) => {
  const client = await someone();
  const old = await stored(client, fact("one", first));
  expect((await client.post("/v1/remember", fact("two", second))).body.superseded).toEqual([old]);
  expect(await listed(client)).toEqual(["two"]);
});

test("a fact that is not live replaces nothing", async () => {
  const client = await someone();
  await stored(client, fact("one"));
  await stored(client, fact("two", { status: "archived" }));
  await stored(client, fact("three", { expires_at: "2001-01-01T00:00:00Z" }));
  expect(await listed(client)).toEqual(["one"]);
});

test("what is archived, deleted or expired is not replaced again", async () => {
  const client = await someone();
  const deleted = await stored(client, fact("deleted"));
  await client.delete(`/v1/memories/${deleted}`);
  await stored(client, fact("archived", { status: "archived" }));
  const { body } = await client.post("/v1/remember", fact("new"));
  expect(body.superseded).toEqual([]);
});

test("the same fact with the same words is a duplicate, not a successor", async () => {
  const client = await someone();
  const id = await stored(client, fact("one"));
  const { body } = await client.post("/v1/remember", fact("one"));
  expect(body).toMatchObject({ id, deduplicated: true, superseded: [] });
});

test("a fact that is stated anew after another is a new version", async () => {
  const client = await someone();
  for (const content of ["one", "two", "one"]) await client.post("/v1/remember", fact(content));
  const { memories } = (await client.get("/v1/memories")).body;
  expect(memories).toMatchObject([{ content: "one", version: 3 }]);
});

test("of writers of one fact at once exactly one stays live, whatever the bystanders", async () => {
  const client = await someone();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      client.post(at % 2 ? "/v1/memories" : "/v1/remember", fact(`The database is on host-${at}.`)),
    ),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201));
  const live = (await client.get("/v1/memories")).body.memories;
  expect(live).toMatchObject([{ version: 20 }]);
  const superseded = answers.flatMap((answer) => answer.body.superseded);
  expect(superseded).toHaveLength(19);
  expect(new Set(superseded).size).toBe(19);
});

// Whoever writes vectors, or changes another member, takes none of the locks that writers of the fact take.
test.each([
  [
    "the fact",
    { semantic_key: "db", content: "It is db-1." },
    { semantic_key: "db", content: "It is db-2." },
  ],
  [
    "the fact in the same words",
    { semantic_key: "db", content: "It is db-1." },
    { semantic_key: "db", content: "It is db-1." },
  ],
  ["the text", { content: "It is db-1." }, { content: "It is db-1." }],
] as const)("%s is found while somebody else writes to its row", async (_, first, second) => {
  const client = await someone();
  const id = await stored(client, first);
  let answer: Promise<Answer> | undefined;
  await world.service.sql.begin(async (tx) => {
    await tx`update memories set revision = revision + 1 where memory_id = ${id}`;
    answer = client.post("/v1/remember", memory(second));
    await eventually(
      () => world.service.sql`select from pg_locks where not granted and locktype = 'transactionid'`,
      (waiting) => waiting.length > 0,
    );
  });
  const { body } = (await answer) as Answer;
  if (first.content === second.content) expect(body).toMatchObject({ id, deduplicated: true });
  else expect(body.superseded).toEqual([id]);
  expect(await listed(client)).toEqual([second.content]);
});

test("a fact out of the credential's reach is a conflict that names no id, and nothing is written", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  const id = await stored(whole, fact("one", { path: "theirs" }));
  const refused = await part.post("/v1/remember", fact("two", { path: "mine/x" }));
  expectRefusal(refused, 409, "conflict");
  expect(JSON.stringify(refused.body)).not.toContain(id);
  expect(await listed(whole, { status: "%" })).toEqual(["one"]);
});

test("an equal memory out of the credential's reach is not answered nor touched by dedupe", async () => {
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const part = await world.client({ owner, space: { buckets: ["mine"] } });
  const id = await stored(whole, { bucket: "theirs" });
  const { body } = await part.post("/v1/remember", memory({ bucket: "mine" }));
  expect(body.deduplicated).toBe(false);
  expect(body.id).not.toBe(id);
});

test("a create may name its successor, which must be a live memory", async () => {
  const client = await someone();
  const successor = await stored(client, { content: "new" });
  const old = await stored(client, { content: "old", superseded_by: successor });
  expect((await client.get(`/v1/memories/${old}`)).body).toMatchObject({
    status: "superseded",
    superseded_by: successor,
  });
  for (const target of ["unknown", old]) {
    expectRefusal(
      await client.post("/v1/memories", memory({ superseded_by: target })),
      422,
      "validation_failed",
    );
  }
});
