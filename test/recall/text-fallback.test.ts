/** Owners whose index is larger than the memory it may have. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let large: Client;

beforeAll(async () => {
  world = await openWorld({ INDEX_MEMORY_MB: "1" });
  large = await world.client({ owner: "large" });
  await large.post("/v1/memories", { content: "Ticket INC-55314 was about the lamp.", path: "tickets" });
  for (let batch = 0; batch < 6; batch += 1) {
    const items = Array.from({ length: 500 }, (_, at) => ({
      content: `Note ${batch * 500 + at} about ordinary matters of the week, the office and the weather.`,
      path: "notes",
    }));
    expect((await large.post("/v1/memories/batch", { items })).body.failed).toBe(0);
  }
  await large.post("/v1/memories", { content: "The zyzzyva beetle lives in the shed.", path: "beetles" });
});
afterAll(() => world.close());

test("they are searched in the database, once each, and the answer says so", async () => {
  const { status, body } = await large.get("/v1/memories/search?query=where+does+the+zyzzyva+live&limit=5");
  expect(status).toBe(200);
  expect(body.results[0].content).toBe("The zyzzyva beetle lives in the shed.");
  const ids = body.results.map((result: { id: string }) => result.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(body.coverage).toBe(0);
  expect(body.degraded).toHaveLength(1);
});

test("filters hold there too, and so do a context pack and a query of 60,000 characters", async () => {
  const elsewhere = await large.get("/v1/memories/search?query=zyzzyva&path=notes");
  expect(elsewhere.body.results).toEqual([]);
  const pack = await large.post("/v1/recall/context", { query: "zyzzyva beetle" });
  expect(pack.body.context_text).toContain("> The zyzzyva beetle lives in the shed.");
  expect(pack.body.retrieval_plan.degraded).toHaveLength(1);
  const long = await large.post("/v1/recall/context", { query: `zyzzyva ${"some_long_name ".repeat(4000)}` });
  expect(long.status).toBe(200);
});

test("why says so, of what is found there and of what is not", async () => {
  const [{ id }] = (await large.get("/v1/memories/search?query=zyzzyva")).body.results;
  const why = async (query: string) => (await large.post("/v1/recall/why", { query, memory_id: id })).body;
  const found = await why("where does the zyzzyva live");
  expect(found).toMatchObject({ outcome: "found", rank: 1, proposed_by: { words: null, full_text: true } });
  expect(found.degraded).toHaveLength(1);
  expect(found.reasons[0]).toContain("full-text search");
  const not = await why("quinces");
  expect(not).toMatchObject({ outcome: "not_proposed", proposed_by: null });
  expect(not.reasons[0]).toContain("full-text search");
});

test("scores mean what they mean elsewhere", async () => {
  const { body } = await large.get("/v1/memories/search?query=where+does+the+zyzzyva+beetle+live");
  expect(body.results[0].score).toBeGreaterThan(0.6);
  const off = await large.get("/v1/memories/search?query=quantum+office");
  // One of two words is there.
  for (const { score } of off.body.results) expect(score).toBeLessThan(0.25);
});

test("what has an identifier is found before thousands of newer ones that have other words of the question", async () => {
  const asked = "/v1/memories/search?query=What+note+of+the+week+is+about+INC-55314%3F&limit=5&explain=true";
  const { body } = await large.get(asked);
  expect(body.results[0].content).toBe("Ticket INC-55314 was about the lamp.");
  expect(body.results[0].explanation.signals.exact).toBeGreaterThan(5);
  expect(body.results[0].score).toBeGreaterThan(2 * body.results[1].score);
  const unknown = await large.get("/v1/memories/search?query=INC-55315&limit=5");
  for (const { score } of unknown.body.results) expect(score).toBeLessThan(0.2);
});

test("of many memories the passage that has what is quoted is read, however far on it is", async () => {
  const filler = "Minutes of the harbour, the cranes and the ferry, as they were read to all. ".repeat(500);
  const content = `${filler}They call it the velvet anchor. ${filler}`.slice(0, 65_000);
  const { body: long } = await large.post("/v1/memories", { content, path: "minutes" });
  const query = 'Which note of the week is about the "velvet anchor"?';
  const { body } = await large.post("/v1/memories/search", { query, limit: 100, explain: true });
  expect(body.results.length).toBe(100);
  const [first] = body.results;
  expect(first).toMatchObject({ id: long.id, explanation: { signals: { exact: 16 } } });
  expect(content.slice(first.passage.start, first.passage.end)).toContain("the velvet anchor");
});

test("another owner sees nothing of it and is searched as ever", async () => {
  const other = await world.client({ owner: "small" });
  await other.post("/v1/remember", { content: "A beetle of my own.", path: "beetles" });
  const { body } = await other.get("/v1/memories/search?query=zyzzyva+beetle");
  expect(body.results.map((result: { content: string }) => result.content)).toEqual(["A beetle of my own."]);
  expect(body.coverage).toBe(1);
});
