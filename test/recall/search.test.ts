import { afterAll, beforeAll, expect, test } from "vitest";
import { faultyPlaces, found, freshOwner, query, stored } from "../support/acting.ts";
import { runs } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const SEARCH = "/v1/memories/search";

test("search answers whole memories with a score, and how much it could consider", async () => {
  const client = await someone();
  const id = await stored(client, {
    content: "The espresso machine is broken.",
    metadata: { a: 1 },
    source: "Ada",
  });
  await stored(client, { content: "Trains leave on the hour." });
  for (const path of [SEARCH, "/v1/recall"]) {
    const { status, body, headers } = await client.get(`${path}?query=espresso+machine`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["coverage", "results"]);
    expect(body.coverage).toBe(1);
    const { etag: _, ...item } = (await client.get(`/v1/memories/${id}`)).body;
    expect(body.results[0]).toEqual({ ...item, passage: null, score: expect.any(Number) });
    expect(headers.get("cache-control")).toBe("no-store, private");
  }
});

test("a search in a body is the same search, metadata filter and all, however long its query", async () => {
  const client = await someone();
  const id = await stored(client, {
    content: "The espresso machine is broken.",
    metadata: { floor: "second" },
  });
  await stored(client, { content: "The espresso machine works.", metadata: { floor: "first" } });
  const asked = { query: "espresso machine", limit: 3, explain: true };
  const inBody = await client.post(SEARCH, { ...asked, metadata: { floor: "second" } });
  const inQuery = await client.get(`${SEARCH}${query(asked)}&metadata.floor=second`);
  expect(inBody.body.results.map((hit: { id: string }) => hit.id)).toEqual([id]);
  expect(inBody.body).toEqual(inQuery.body);
  const long = await client.post(SEARCH, { query: "エスプレッソ ".repeat(9000), limit: 1 });
  expect(long.status).toBe(200);
  expect(faultyPlaces(await client.post(SEARCH, { query: "x", limit: "3" }))).toEqual(["body.limit"]);
  const tooLong = await client.get(`${SEARCH}${query({ query: "x".repeat(33_000) })}`);
  expect([tooLong.status, tooLong.body.code]).toEqual([413, "payload_too_large"]);
  expect(tooLong.body.detail).toContain("POST /v1/memories/search");
});

test("five are answered unless another limit is given", async () => {
  const client = await someone();
  for (let n = 0; n < 8; n++) await stored(client, { content: `Bicycle number ${n} has a red bell.` });
  expect((await client.get(`${SEARCH}?query=bicycle`)).body.results).toHaveLength(5);
  expect((await client.get(`${SEARCH}?query=bicycle&limit=1`)).body.results).toHaveLength(1);
  expect((await client.get(`${SEARCH}?query=bicycle&limit=100`)).body.results).toHaveLength(8);
});

test.each([
  ["query", ""],
  ["limit", "0"],
  ["limit", "101"],
  ["limit", "x"],
  ["threshold", "1.1"],
  ["threshold", "-0.1"],
  ["threshold", "high"],
  ["candidate_count", "0"],
  ["candidate_count", "1001"],
  ["explain", "maybe"],
  ["prefer_working", "2"],
  ["as_of", "yesterday"],
  ["asked_at", "2026-01-01"],
  ["time_zone", "Mars/Base"],
  ["scope", "all"],
  ["team_id", "1"],
  ["memory_type", ""],
  ["project_id", "%"],
])("search refuses %s=%s and says where", async (name, value) => {
  const client = await someone();
  expect(faultyPlaces(await client.get(`${SEARCH}${query({ query: "x", [name]: value })}`))).toEqual([
    `query.${name}`,
  ]);
});

test("a search without a query is refused", async () => {
  expect(faultyPlaces(await (await someone()).get(SEARCH))).toEqual(["query.query"]);
});

test("the bounds themselves are allowed, and null is not given", async () => {
  const client = await someone();
  await stored(client);
  for (const members of [
    { limit: 100 },
    { threshold: 0 },
    { threshold: 1 },
    { candidate_count: 1 },
    { candidate_count: 1000 },
    { threshold: "null", scope: "null", candidate_count: "" },
    { explain: "false", prefer_working: "true" },
  ]) {
    expect(
      (await client.get(`${SEARCH}${query({ query: "database", ...members })}`)).status,
      JSON.stringify(members),
    ).toBe(200);
  }
});

test("a threshold keeps the scores at or above it, and scores are shares", async () => {
  const client = await someone();
  for (const content of ["The cat sleeps on the sofa.", "A dog barks.", "Quarterly revenue rose."])
    await stored(client, { content });
  const { body } = await client.get(`${SEARCH}?query=where+does+the+cat+sleep&limit=100`);
  const scores: number[] = body.results.map((item: { score: number }) => item.score);
  for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  const threshold = Math.max(...scores);
  const above = await client.get(
    `${SEARCH}${query({ query: "where does the cat sleep", limit: 100, threshold })}`,
  );
  expect(above.body.results.map((item: { score: number }) => item.score)).toEqual([threshold]);
});

test("a score means the same whatever else is stored", async () => {
  const client = await someone();
  await stored(client, { content: "The cat sleeps on the sofa." });
  const scoreOf = async () =>
    (await client.get(`${SEARCH}?query=where+does+the+cat+sleep&limit=100`)).body.results.find(
      (item: { content: string }) => item.content.includes("sofa"),
    ).score;
  const alone = await scoreOf();
  for (let n = 0; n < 20; n++) await stored(client, { content: `Invoice ${n} was paid on time.` });
  expect(Math.abs((await scoreOf()) - alone)).toBeLessThan(0.15);
});

test("explain adds signals and reasons to each result, and nothing does without", async () => {
  const client = await someone();
  await stored(client);
  const { body } = await client.get(`${SEARCH}?query=staging+database&explain=true`);
  expect(body.results[0].explanation).toEqual({
    rank_score: expect.any(Number),
    signals: expect.any(Object),
    reasons: expect.any(Array),
  });
  expect(body.results[0].explanation.reasons.length).toBeGreaterThan(0);
  expect((await client.get(`${SEARCH}?query=staging+database`)).body.results[0].explanation).toBeUndefined();
});

test("as of an earlier instant a replaced fact answers, and the newer one does not", async () => {
  const client = await someone();
  const old = await stored(client, { content: "The database is on db-1.", semantic_key: "db" });
  const then = (await client.get(`/v1/memories/${old}`)).body.created_at;
  let now = old;
  while ((await client.get(`/v1/memories/${now}`)).body.created_at === then) {
    now = await stored(client, {
      content: `The database is on db-2, said ${Math.random()}.`,
      semantic_key: "db",
    });
  }
  const { body } = await client.get(`${SEARCH}${query({ query: "where is the database", as_of: then })}`);
  expect(body.results).toMatchObject([
    { id: old, content: "The database is on db-1.", status: "active", superseded_by: null },
  ]);
  expect(await found(client, "where is the database", { as_of: new Date().toISOString() })).toEqual([now]);
  expect(await found(client, "where is the database", { as_of: "2001-01-01T00:00:00Z" })).toEqual([]);
});

test("as of an earlier instant an edited memory answers its text of then", async () => {
  const client = await someone();
  const id = await stored(client, { content: "The lighthouse keeper is Ada." });
  const then = (await client.get(`/v1/memories/${id}`)).body.created_at;
  let edited = then;
  while (edited === then) {
    edited = (
      await client.patch(`/v1/memories/${id}`, { content: `The lighthouse keeper is Bob ${Math.random()}.` })
    ).body.updated_at;
  }
  const { body } = await client.get(`${SEARCH}${query({ query: "lighthouse keeper", as_of: then })}`);
  expect(body.results).toMatchObject([{ id, content: "The lighthouse keeper is Ada.", version: 1 }]);
});

test("as of an earlier instant, a status that a memory had then counts and not the one of now", async () => {
  const client = await someone();
  const id = await stored(client);
  const then = (await client.get(`/v1/memories/${id}`)).body.created_at;
  let changed = then;
  while (changed === then)
    changed = (await client.patch(`/v1/memories/${id}`, { status: "archived", importance: Math.random() }))
      .body.updated_at;
  expect(await found(client, "staging database", { as_of: then })).toEqual([id]);
});

test("a state of then is shown only to who could have seen it then", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const id = await stored(client, { path: "theirs", content: "The secret of the database." });
  const then = (await client.get(`/v1/memories/${id}`)).body.created_at;
  let changed = then;
  while (changed === then) {
    changed = (
      await client.patch(`/v1/memories/${id}`, {
        path: "mine",
        content: `The database, for all ${Math.random()}.`,
      })
    ).body.updated_at;
  }
  const part = await world.client({ owner, space: { pathPrefix: "mine" } });
  const answer = await part.get(`${SEARCH}${query({ query: "database", as_of: then })}`);
  expect(JSON.stringify(answer.body)).not.toContain("secret");
  // Nor is the state of now passed off as the one of then.
  expect(answer.body.results).toEqual([]);
  const context = await part.post("/v1/recall/context", { query: "database", as_of: then });
  expect(JSON.stringify(context.body)).not.toContain("secret");
});

test("what was just written is found, and what was just deleted is not", async () => {
  const client = await someone();
  for (let n = 0; n < runs(400); n++) {
    const word = `gadget${(n * 7919).toString(36)}`;
    const id = await stored(client, { content: `The ${word} is on shelf ${n}.` });
    const { body } = await client.get(`${SEARCH}${query({ query: `where is the ${word}`, limit: 1 })}`);
    expect(body).toMatchObject({ coverage: 1, results: [{ id }] });
    if (n % 4 === 0) {
      await client.delete(`/v1/memories/${id}${n % 8 === 0 ? "?mode=hard_delete" : ""}`);
      expect(await found(client, `where is the ${word}`)).not.toContain(id);
    }
  }
});

test.each([
  " ",
  "?",
  "%",
  "\\",
  "' or 1=1",
  "!@#$%^&*()",
  "💥",
  "的",
  "a".repeat(5000),
  "the of and",
  'NOT AND OR ( "',
  "\n",
])("any text is a query: %j", async (text) => {
  const client = await someone();
  await stored(client);
  expect((await client.get(`${SEARCH}${query({ query: text })}`)).status).toBe(200);
});
