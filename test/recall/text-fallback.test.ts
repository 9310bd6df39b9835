/** Owners whose index is larger than the memory it may have. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let large: Client;

beforeAll(async () => {
  world = await openWorld({ INDEX_MEMORY_MB: "1" });
  large = await world.client({ owner: "large" });
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

test("another owner sees nothing of it and is searched as ever", async () => {
  const other = await world.client({ owner: "small" });
  await other.post("/v1/remember", { content: "A beetle of my own.", path: "beetles" });
  const { body } = await other.get("/v1/memories/search?query=zyzzyva+beetle");
  expect(body.results.map((result: { content: string }) => result.content)).toEqual(["A beetle of my own."]);
  expect(body.coverage).toBe(1);
});
