import { afterAll, beforeAll, expect, test } from "vitest";
import { faultyPlaces, freshOwner, listed, query, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

test("the list is newest first, with the number of all", async () => {
  const client = await someone();
  for (const content of ["a", "b", "c"]) await stored(client, { content });
  const { status, body, headers } = await client.get("/v1/memories");
  expect(status).toBe(200);
  expect(body.memories.map((item: { content: string }) => item.content)).toEqual(["c", "b", "a"]);
  expect(body).toMatchObject({ total: 3, next_cursor: null });
  expect(headers.get("cache-control")).toBe("no-store, private");
});

test("limit and offset cut out a page, and total stays", async () => {
  const client = await someone();
  for (let n = 0; n < 7; n++) await stored(client, { content: `${n}` });
  expect((await client.get("/v1/memories?limit=2&offset=3")).body).toMatchObject({
    total: 7,
    memories: [{ content: "3" }, { content: "2" }],
    next_cursor: expect.any(String),
  });
  expect((await client.get("/v1/memories?offset=7")).body).toMatchObject({
    total: 7,
    memories: [],
    next_cursor: null,
  });
});

test("without a limit a hundred are listed", async () => {
  const client = await someone();
  const items = Array.from({ length: 101 }, (_, n) => ({ content: `${n}`, path: "p" }));
  await client.post("/v1/memories/batch", { items });
  expect((await client.get("/v1/memories")).body.memories).toHaveLength(100);
  expect((await client.get("/v1/memories?limit=1000")).body.memories).toHaveLength(101);
});

test("the cursor walks everything once, even while memories are written and deleted", async () => {
  const client = await someone();
  // A batch is stored within one instant, so that the order must have more than the time to go by.
  const items = Array.from({ length: 53 }, (_, n) => ({ content: `${n}`, path: "p" }));
  const { body } = await client.post("/v1/memories/batch", { items });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.get>> = await client.get(
      `/v1/memories${query({ limit: 7, ...(cursor ? { cursor } : {}) })}`,
    );
    seen.push(...page.body.memories.map((item: { content: string }) => item.content));
    cursor = page.body.next_cursor;
    await stored(client, { content: "late" });
    await client.delete(`/v1/memories/${body.results[seen.length < 53 ? 52 : 0].id}`);
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((content) => content !== "late").map(Number)).toEqual(
    Array.from({ length: 53 }, (_, n) => 52 - n),
  );
});

test("a cursor does not say how much others store", async () => {
  const [client, other] = [await someone(), await someone()];
  const bytesOf = async () => {
    const id = await stored(client, { content: "mine" });
    const { body } = await client.get("/v1/memories?limit=1");
    expect(body.memories[0].id).toBe(id);
    return [...Buffer.from(body.next_cursor, "base64url")];
  };
  await stored(client, { content: "the first" });
  const before = await bytesOf();
  await stored(other, { content: "theirs" });
  const after = await bytesOf();
  expect(after).toHaveLength(16);
  // Two numbers that follow each other would have most of their bytes in common.
  expect(after.filter((byte, at) => byte === before[at]).length).toBeLessThan(6);
});

test.each(["live", "%", "archived", "superseded", "started"])(
  "the status filter %s lists what the contract says",
  async (status) => {
    const client = await someone();
    for (const live of ["active", "started", "completed", "archived"])
      await stored(client, { content: live, status: live });
    await stored(client, { content: "superseded", semantic_key: "k" });
    await stored(client, { content: "successor", semantic_key: "k" });
    await client.delete(`/v1/memories/${await stored(client, { content: "deleted" })}`);
    const expected: Record<string, string[]> = {
      live: ["active", "completed", "started", "successor"],
      "%": ["active", "archived", "completed", "started", "successor", "superseded"],
      archived: ["archived"],
      superseded: ["superseded"],
      started: ["started"],
    };
    expect((await listed(client, status === "live" ? {} : { status })).sort()).toEqual(expected[status]);
    if (status === "live") expect((await listed(client, { status: "active" })).sort()).toEqual(expected.live);
  },
);

test.each([
  ["limit", "0"],
  ["limit", "1001"],
  ["limit", "-1"],
  ["limit", "1.5"],
  ["limit", "ten"],
  ["limit", ""],
  ["limit", "1e999"],
  ["offset", "-1"],
  ["offset", "0.5"],
  ["cursor", "x"],
  ["cursor", "1.2; drop table memories"],
  // Cursors used to be the time and the number of a memory.
  ["cursor", "1767225600000.7"],
  ["cursor", "AAAAAAAAAAAAAAAAAAAAAA"],
  ["path", ""],
  ["path", "//"],
  ["bucket", ""],
  ["status", ""],
  ["scope", "public"],
  ["team_id", "x"],
  ["project_id", "a b"],
])("the list refuses %s=%s and says where", async (name, value) => {
  const client = await someone();
  expect(faultyPlaces(await client.get(`/v1/memories${query({ [name]: value })}`))).toEqual([
    `query.${name}`,
  ]);
});

test("a list of no memories is empty", async () => {
  expect((await (await someone()).get("/v1/memories")).body).toEqual({
    memories: [],
    total: 0,
    next_cursor: null,
  });
});
