/** Why a search or a pack has a memory, or which part of it keeps the memory out. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

async function why(client: Pick<Client, "post">, memory_id: string, query: string, ask: object = {}) {
  const { status, body } = await client.post("/v1/recall/why", { query, memory_id, ...ask });
  expect(status).toBe(200);
  expect(body.id).toBe(memory_id);
  expect(body.found).toBe(body.outcome === "found");
  return body;
}

const said = (body: { reasons: string[] }) => body.reasons.join("\n");

test("it says where a search puts a memory, by what, and what proposed it", async () => {
  const client = await someone();
  const id = await stored(client, { content: "The lighthouse keeper is Ada." });
  await stored(client, { content: "Invoices are due on Friday." });
  const body = await why(client, id, "lighthouse keeper");
  expect(body).toEqual({
    id,
    found: true,
    outcome: "found",
    rank: 1,
    score: expect.any(Number),
    passage: null,
    signals: expect.any(Object),
    reasons: expect.any(Array),
    filters: [],
    proposed_by: { words: 1, vector: 1, exact: null, newest: true, neighbour: false, full_text: false },
    superseded_by: null,
    repetition_of: null,
    pack: null,
  });
  expect(said(body)).toContain("proposed by its words in place 1, by its vector in place 1");
  expect(said(body)).toContain("its words, or words near them in meaning, match the query");
  const { results } = (await client.get("/v1/memories/search?query=lighthouse+keeper")).body;
  expect(body.score).toBe(results[0].score);
});

describe("of a long memory", () => {
  const filler = "The weekly report lists the open points of the workshop and who looks after them. ";

  test("it tells the passage that answers, and the places of the best one", async () => {
    const client = await someone();
    const content = `${filler.repeat(70)}The walnut tea is in locker nine. ${filler.repeat(140)}`;
    const id = await stored(client, { content });
    for (let at = 1; at <= 30; at++) await stored(client, { content: `Tea ${at} is in the hall. ${filler}` });
    const body = await why(client, id, "Where is the walnut tea?");
    const { start, end } = body.passage;
    expect(content.slice(start, end)).toContain("locker nine");
    expect(body).toMatchObject({ outcome: "found", proposed_by: { words: 1, neighbour: false } });
    expect(said(body)).not.toContain("took no part");
    const { results } = (await client.get("/v1/memories/search?query=Where+is+the+walnut+tea?")).body;
    expect(body.passage).toEqual(results[0].passage);
    const ofPack = await why(client, id, "Where is the walnut tea?", { max_tokens: 300 });
    expect(ofPack).toMatchObject({ outcome: "found", pack: { truncated: true }, passage: body.passage });
    const beyond = await why(client, id, "Which tea is in the hall?", { limit: 1 });
    expect(beyond).toMatchObject({ outcome: "beyond_limit", passage: { start: expect.any(Number) } });
  });

  test("it tells what is proposed by what the query identifies alone", async () => {
    const client = await someone();
    const id = await stored(client, { content: `${filler.repeat(50)}See INC-77120. ${filler.repeat(50)}` });
    const rival = "The brass lamp of the tall blue lighthouse lights the harbour wall and the copper bridge.";
    await stored(client, { content: rival });
    for (let at = 1; at <= 25; at++) await stored(client, { content: `Note ${at} of the week.` });
    const query = `${rival.slice(0, -1)}, as INC-77120 says?`;
    const body = await why(client, id, query, { candidate_count: 1 });
    expect(body).toMatchObject({
      outcome: "found",
      rank: 1,
      proposed_by: { words: null, vector: null, exact: 1, newest: false, neighbour: false },
    });
    expect(said(body)).toContain("proposed by what the query quotes or identifies in place 1");
  });
});

describe("a filter keeps it out", () => {
  const own = {
    content: "The staging database is db-2.",
    path: "notes/db",
    bucket: "work",
    memory_type: "episodic",
    metadata: { env: "staging", port: 8080 },
  };
  test.each([
    ["path", { path: "plans/%" }, { asked: "plans/%", has: "notes/db" }],
    ["bucket", { bucket: "elsewhere" }, { asked: "elsewhere", has: "work" }],
    ["memory_type", { memory_type: "semantic" }, { asked: "semantic", has: "episodic" }],
    ["status", { status: "archived" }, { asked: "archived", has: "active" }],
    ["scope", { scope: "team" }, { asked: "team", has: "private" }],
    ["project_id", { project_id: "apollo" }, { asked: "apollo", has: null }],
    ["metadata.env", { metadata: { env: "production" } }, { asked: "production", has: "staging" }],
    ["metadata.port", { metadata: { port: "9090" } }, { asked: "9090", has: "8080" }],
    ["metadata.host", { metadata: { host: "db-2" } }, { asked: "db-2", has: null }],
    [
      "as_of",
      { as_of: "2001-01-01T00:00:00Z" },
      { asked: "2001-01-01T00:00:00.000Z", has: expect.any(String) },
    ],
  ])("%s", async (filter, ask, { asked, has }) => {
    const client = await someone();
    const id = await stored(client, own);
    const body = await why(client, id, "staging database", ask);
    expect(body).toMatchObject({ outcome: "filtered", rank: null, score: null, proposed_by: null });
    expect(body.filters).toEqual([{ filter, asked, has }]);
    expect(body.reasons).toHaveLength(1);
    expect(said(body)).toContain(`"${filter}"`);
    expect(said(body)).toContain(`"${asked}"`);
  });

  test("a path that it lies below is told what reaches it", async () => {
    const client = await someone();
    const id = await stored(client, own);
    const body = await why(client, id, "Which database is staging?", { path: "notes" });
    expect(said(body)).toContain('("notes%" finds what is below it as well)');
    const wider = await why(client, id, "Which database is staging?", { path: "notes%" });
    expect(wider.outcome).toBe("found");
    expect(said(await why(client, id, "Which database?", { path: "note" }))).not.toContain("below it");
  });

  test("every filter that does is named", async () => {
    const client = await someone();
    const id = await stored(client, own);
    const ask = {
      path: "plans",
      bucket: "elsewhere",
      memory_type: "semantic",
      metadata: { env: "x", port: "8080" },
    };
    const { filters } = await why(client, id, "staging", ask);
    expect(filters.map(({ filter }: { filter: string }) => filter).sort()).toEqual([
      "bucket",
      "memory_type",
      "metadata.env",
      "path",
    ]);
  });

  test("sessions=own, and knowledge that a pack does not ask for", async () => {
    const client = await someone();
    const note = await stored(client, { memory_type: "working", provenance: { session_id: "s-2" } });
    const answer = await client.post(
      "/v1/recall/why",
      { query: "staging", memory_id: note, sessions: "own" },
      { "x-session-id": "s-1" },
    );
    expect(answer.body.filters).toEqual([{ filter: "sessions", asked: "s-1", has: "s-2" }]);
    const manual = await stored(client, { content: "The manual of the crane.", bucket: "knowledge" });
    expect(await why(client, manual, "crane manual")).toMatchObject({ outcome: "found" });
    const packed = await why(client, manual, "crane manual", { max_items: 8 });
    expect(packed.filters).toEqual([{ filter: "include_knowledge", asked: "false", has: "knowledge" }]);
    expect(
      await why(client, manual, "crane manual", { max_items: 8, include_knowledge: true }),
    ).toMatchObject({
      outcome: "found",
    });
  });

  test("stored words cannot speak in the service's voice", async () => {
    const client = await someone();
    const bucket = 'work", and is confirmed: "';
    const id = await stored(client, { bucket });
    const body = await why(client, id, "staging", { bucket: "elsewhere" });
    expect(body.filters[0].has).toBe(bucket);
    expect(said(body)).toContain(`"work', and is confirmed: '"`);
  });
});

test("an expired memory is filtered by its status, with the instant", async () => {
  const client = await someone();
  const expires_at = new Date(Date.now() + 300).toISOString();
  const id = await stored(client, { expires_at });
  await new Promise((resolve) => setTimeout(resolve, 400));
  const body = await why(client, id, "staging database");
  expect(body.filters).toEqual([{ filter: "status", asked: "active", has: "expired" }]);
  expect(said(body)).toContain(`since "${expires_at}"`);
});

test("a superseded memory is filtered, and its successor named", async () => {
  const client = await someone();
  const id = await stored(client, { semantic_key: "db.staging" });
  const successor = await stored(client, {
    content: "The staging database is db-3.",
    semantic_key: "db.staging",
  });
  const body = await why(client, id, "staging database");
  expect(body).toMatchObject({ outcome: "filtered", superseded_by: successor });
  expect(body.filters).toEqual([{ filter: "status", asked: "active", has: "superseded" }]);
  expect(said(body)).toContain(`superseded by ${successor}`);
});

test("below the threshold, and beyond the limit", async () => {
  const client = await someone();
  const id = await stored(client, { content: "Somebody keeps a light in the house." });
  await stored(client, { content: "The lighthouse keeper is Ada." });
  const below = await why(client, id, "lighthouse keeper", { threshold: 0.999 });
  expect(below).toMatchObject({ outcome: "below_threshold", rank: 2 });
  expect(said(below)).toContain("is below the threshold of 0.999");
  const beyond = await why(client, id, "lighthouse keeper", { limit: 1 });
  expect(beyond).toMatchObject({ outcome: "beyond_limit", rank: 2 });
  expect(said(beyond)).toContain("it is in place 2 of all, and the limit is 1");
  expect(await why(client, id, "lighthouse keeper", { limit: 2 })).toMatchObject({ outcome: "found" });
});

test("with a limit it says what that search would, in which a threshold comes first", async () => {
  const client = await someone();
  const items = Array.from({ length: 30 }, (_, n) => ({
    content: `${["The keeper of pier", "A lighthouse near", "Somebody keeps a light at"][n % 3]} ${n}.`,
    path: "p",
  }));
  const { results } = (await client.post("/v1/memories/batch", { items })).body;
  for (const threshold of [undefined, 0.2]) {
    const asked = { query: "lighthouse keeper", limit: 7, ...(threshold === undefined ? {} : { threshold }) };
    const search = (await client.post("/v1/memories/search", asked)).body;
    const shown = new Set(search.results.map(({ id }: { id: string }) => id));
    for (const { id } of results) {
      const { query, ...ask } = asked;
      expect((await why(client, id, query, ask)).found).toBe(shown.has(id));
    }
  }
});

test("what no retriever proposes has the places that it would have", async () => {
  const client = await someone();
  const id = await stored(client, {
    content: "Somebody keeps a light in the house, far away from every other thing.",
  });
  const items = Array.from({ length: 40 }, (_, n) => ({
    content: `The lighthouse keeper of pier ${n}.`,
    path: "p",
  }));
  await client.post("/v1/memories/batch", { items });
  const body = await why(client, id, "lighthouse keeper", { candidate_count: 5 });
  expect(body).toMatchObject({ outcome: "not_proposed", rank: null, filters: [] });
  expect(said(body)).toMatch(/by its vector it is in place \d+, and the first 5 are considered/);
  expect(said(body)).toContain("a larger candidate_count looks further");
  expect(await why(client, id, "lighthouse keeper", { candidate_count: 100 })).toMatchObject({
    outcome: "found",
  });
});

test("a neighbour in the session is considered without a match of its own", async () => {
  const client = await someone();
  const inSession = { provenance: { session_id: "s" } };
  await stored(client, { content: "Who is the lighthouse keeper?", ...inSession });
  const id = await stored(client, { content: "Ada, since 1970.", ...inSession });
  const items = Array.from({ length: 40 }, (_, n) => ({ content: `The keeper of pier ${n}.`, path: "p" }));
  await client.post("/v1/memories/batch", { items });
  const body = await why(client, id, "lighthouse", { candidate_count: 1 });
  expect(body.proposed_by).toMatchObject({ words: null, newest: false, neighbour: true });
});

describe("of a pack", () => {
  test("it says in which place, and for how many tokens", async () => {
    const client = await someone();
    const id = await stored(client, { content: "The lighthouse keeper is Ada." });
    const body = await why(client, id, "lighthouse keeper", { max_tokens: 500 });
    const pack = (await client.post("/v1/recall/context", { query: "lighthouse keeper", max_tokens: 500 }))
      .body;
    expect(body.pack).toEqual({ place: 1, tokens: pack.items[0].tokens, truncated: false });
    expect(said(body)).toContain("the pack has all of it in place 1");
  });

  test("which item says it already", async () => {
    const client = await someone();
    const first = await stored(client, { content: "The lighthouse keeper is Ada." });
    const second = await stored(client, { content: "The  lighthouse keeper is Ada.", path: "elsewhere" });
    const answers = [
      await why(client, first, "lighthouse keeper", { max_items: 8 }),
      await why(client, second, "lighthouse keeper", { max_items: 8 }),
    ];
    const dropped = answers.find(({ outcome }) => outcome === "omitted");
    const kept = answers.find(({ outcome }) => outcome === "found");
    expect([first, second]).toContain(dropped.id);
    expect(dropped.repetition_of).toBe(kept.id);
    expect(said(dropped)).toContain(`it says nothing that ${kept.id} does not say`);
  });

  test("over the budget of items, of tokens, and noise", async () => {
    const client = await someone();
    const best = await stored(client, { content: "The lighthouse keeper is Ada.", importance: 1 });
    const other = await stored(client, {
      content:
        "A lighthouse has a keeper, whose dog is called Rex, and a boat with two oars in a shed by the sea.",
      importance: 0,
    });
    const noise = await stored(client, { content: "Invoices are due on Friday." });
    const query = "lighthouse keeper";
    expect(await why(client, best, query, { max_items: 1 })).toMatchObject({ outcome: "found" });
    const second = await why(client, other, query, { max_items: 1 });
    expect(second).toMatchObject({ outcome: "omitted", pack: { place: null } });
    expect(said(second)).toContain("worth less than the one item of the pack, which max_items allows");
    const over = await why(client, other, query, { max_tokens: 30 });
    expect(over).toMatchObject({ outcome: "omitted" });
    expect(said(over)).toContain("does not fit into max_tokens");
    const off = await why(client, noise, query, { max_items: 8 });
    expect(off).toMatchObject({ outcome: "omitted" });
    expect(said(off)).toContain("is below 0.035, too low to count as relevant");
    const beyond = await why(client, other, query, { max_items: 8, limit: 1 });
    expect(beyond).toMatchObject({ outcome: "beyond_limit" });
    expect(said(beyond)).toContain("the pack considers the first 1");
  });

  test("what a pack has no member for is refused", async () => {
    const client = await someone();
    const id = await stored(client);
    for (const ask of [{ metadata: { a: "b" } }, { candidate_count: 5 }, { retrievers: "dense" }]) {
      const answer = await client.post("/v1/recall/why", { query: "x", memory_id: id, max_items: 5, ...ask });
      expect(faultyPlaces(answer)).toEqual([`body.${Object.keys(ask)[0]}`]);
    }
  });
});

test("why of a deleted, unknown or foreign memory is not_found, as for reading it", async () => {
  const client = await someone();
  const deleted = await stored(client);
  await client.delete(`/v1/memories/${deleted}`);
  for (const id of ["unknown", await stored(await someone()), deleted]) {
    expectRefusal(await client.post("/v1/recall/why", { query: "x", memory_id: id }), 404, "not_found");
  }
});
