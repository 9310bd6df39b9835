import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const COMPOSED = "Caf\u00e9";
const DECOMPOSED = "Cafe\u0301";
const BOTH = [COMPOSED, DECOMPOSED] as const;

test.each(BOTH)("a bucket is found whichever way its letters are composed: %j", async (bucket) => {
  const client = await someone();
  const id = await stored(client, { bucket, content: "The menu is on the wall." });
  expect((await client.get(`/v1/memories/${id}`)).body.bucket).toBe(COMPOSED);
  for (const asked of BOTH.flatMap((label) => [label, `${label}%`, `%${label.slice(2)}`])) {
    expect(await listed(client, { bucket: asked })).toHaveLength(1);
    expect(await found(client, "menu", { bucket: asked })).toEqual([id]);
    const { body } = await client.post("/v1/memories/delete", { filter: { bucket: asked }, dry_run: true });
    expect(body).toMatchObject({ matched: 1 });
  }
  await client.patch(`/v1/memories/${id}`, { bucket: "other" });
  await client.patch(`/v1/memories/${id}`, { bucket });
  expect(await listed(client, { bucket: COMPOSED })).toHaveLength(1);
});

test("equal memories and facts are known in a bucket that is written otherwise", async () => {
  const client = await someone();
  const first = await client.post("/v1/remember", memory({ bucket: COMPOSED }));
  const again = await client.post("/v1/remember", memory({ bucket: DECOMPOSED }));
  expect(again.body).toMatchObject({ id: first.body.id, deduplicated: true });
  const fact = await stored(client, { bucket: COMPOSED, semantic_key: "k", content: "one" });
  const newer = await client.post(
    "/v1/memories",
    memory({ bucket: DECOMPOSED, semantic_key: "k", content: "two" }),
  );
  expect(newer.body).toMatchObject({ superseded: [fact] });
});

test("a credential's buckets are matched whichever way the request composes them", async () => {
  const client = await world.client({ owner: freshOwner(), space: { buckets: [COMPOSED] } });
  await stored(client, { bucket: DECOMPOSED });
  expect(await listed(client, { bucket: DECOMPOSED })).toHaveLength(1);
  expectRefusal(await client.post("/v1/memories", memory({ bucket: "Cafe" })), 403, "insufficient_scope");
});

test("a session and an agent are the same, whichever way their names are composed", async () => {
  const client = await someone();
  const working = { memory_type: "working" };
  const provenance = { session_id: DECOMPOSED, agent_id: DECOMPOSED, task_id: DECOMPOSED };
  const bytes = Buffer.from(COMPOSED).toString("latin1");
  const headers = { "x-session-id": bytes, "x-agent-id": bytes, "x-task-id": bytes };
  const { body } = await client.post("/v1/remember", memory({ ...working, provenance }));
  const again = await client.post("/v1/remember", memory(working), headers);
  expect(again.body).toMatchObject({ id: body.id, deduplicated: true });
  const read = await client.get(`/v1/memories/${body.id}`, headers);
  expect(read.body.provenance).toMatchObject({
    session_id: COMPOSED,
    agent_id: COMPOSED,
    task_id: COMPOSED,
  });
  expect(read.body.boundary.relation).toBe("self");
});

test("a metadata filter finds a value whichever way its letters are composed, and both are kept as given", async () => {
  const client = await someone();
  for (const place of BOTH) await stored(client, { metadata: { place }, content: `at ${place}` });
  await stored(client, { metadata: { place: "Cafe" }, content: "elsewhere" });
  for (const place of BOTH) {
    expect((await listed(client, { "metadata.place": place })).sort()).toEqual(
      BOTH.map((each) => `at ${each}`).sort(),
    );
    expect(await found(client, "at", { "metadata.place": place })).toHaveLength(2);
  }
});

test("a label's bound is that of its composed form", async () => {
  const client = await someone();
  const id = await stored(client, { bucket: "e\u0301".repeat(128) });
  expect((await client.get(`/v1/memories/${id}`)).body.bucket).toBe("\u00e9".repeat(128));
  // These letters have no composed form: each becomes two characters.
  for (const bucket of ["\u0958".repeat(65), "x".repeat(129), ""])
    expect(faultyPlaces(await client.post("/v1/memories", memory({ bucket })))).toEqual(["body.bucket"]);
});

test.each([
  [{ bucket: "b".repeat(1000) }, "must be at most 128 characters"],
  [{ bucket: "b".repeat(200) }, "must be at most 128 characters"],
  [{ path: "p".repeat(3000) }, "must be 1 to 512 characters, not only slashes"],
  [{ expires_at: "tomorrow" }, "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z"],
  [{ expires_at: "0000-01-01T00:00:00Z" }, "must be in the years 1 to 9999"],
])("one fault is told once, by the bound that holds", async (given, message) => {
  const client = await someone();
  const { body } = await client.post("/v1/remember", memory(given));
  expect(body.detail.map(({ msg }: { msg: string }) => msg)).toEqual([message]);
});
