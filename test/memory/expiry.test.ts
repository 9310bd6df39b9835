import { afterAll, beforeAll, expect, test } from "vitest";
import {
  eventually,
  expectRefusal,
  faultyPlaces,
  found,
  freshOwner,
  listed,
  memory,
  stored,
} from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** From now on, so that whatever takes its time before it takes nothing of it. */
async function letExpireSoon(client: Client, id: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 1500).toISOString();
  expect(await client.patch(`/v1/memories/${id}`, { expires_at: expiresAt })).toMatchObject({ status: 200 });
  return expiresAt;
}

const someone = () => world.client({ owner: freshOwner() });

const past = "2001-01-01T00:00:00Z";

test("a memory leaves list, search and context when it expires, and is expired when asked for by id", async () => {
  const client = await someone();
  const id = await stored(client, { content: "The code of the door is 4711." });
  await stored(client, { content: "The door is green." });
  expect(await found(client, "code of the door")).toContain(id);
  await letExpireSoon(client, id);
  const expired = await eventually(
    () => client.get(`/v1/memories/${id}`),
    ({ body }) => body.status === "expired",
  );
  expect(expired.status).toBe(200);
  // Whatever is asked once the memory is expired must know it.
  expect(await listed(client)).toEqual(["The door is green."]);
  expect(await found(client, "code of the door")).not.toContain(id);
  const context = await client.post("/v1/recall/context", { query: "What is the code of the door?" });
  expect(JSON.stringify(context.body)).not.toContain("4711");
  expect(await listed(client, { status: "expired" })).toEqual(["The code of the door is 4711."]);
  expect(await found(client, "code of the door", { status: "expired" })).toEqual([id]);
});

test("search forgets an expired memory at its instant, asked again and again", async () => {
  const client = await someone();
  const id = await stored(client);
  expect(await found(client, "staging database")).toEqual([id]);
  const deadline = Date.parse(await letExpireSoon(client, id));
  for (;;) {
    const askedAt = Date.now();
    if ((await found(client, "staging database")).length === 0) break;
    expect(askedAt).toBeLessThan(deadline);
  }
  expect(Date.now()).toBeGreaterThanOrEqual(deadline);
});

test("what expired before it was stored is never recalled", async () => {
  const client = await someone();
  const id = await stored(client, { expires_at: past });
  expect(await listed(client)).toEqual([]);
  expect(await found(client, "staging database")).toEqual([]);
  expect((await client.get(`/v1/memories/${id}`)).body.status).toBe("expired");
});

test("the filter active leaves expired ones out, % finds them, and only live ones expire", async () => {
  const client = await someone();
  await stored(client, { content: "expired", expires_at: past });
  await stored(client, { content: "archived", expires_at: past, status: "archived" });
  expect(await listed(client, { status: "%" })).toEqual(["archived", "expired"]);
  expect(await listed(client, { status: "exp%" })).toEqual(["expired"]);
  expect(await listed(client, { status: "archived" })).toEqual(["archived"]);
  expect(await listed(client, { status: "started" })).toEqual([]);
});

test("a later expires_at, or none, brings the memory back", async () => {
  const client = await someone();
  const id = await stored(client, { expires_at: past });
  expect((await client.patch(`/v1/memories/${id}`, { expires_at: null })).body.status).toBe("active");
  expect(await found(client, "staging database")).toEqual([id]);
  await client.patch(`/v1/memories/${id}`, { expires_at: past });
  expect(await found(client, "staging database")).toEqual([]);
  await client.patch(`/v1/memories/${id}`, { expires_at: "2999-01-01T00:00:00Z" });
  expect(await found(client, "staging database")).toEqual([id]);
});

test("an expired memory is no duplicate, holds no fact and is no successor", async () => {
  const client = await someone();
  const id = await stored(client, { expires_at: past, semantic_key: "k" });
  const again = await client.post("/v1/remember", memory({ semantic_key: "k" }));
  expect(again.body).toMatchObject({ deduplicated: false, superseded: [] });
  expect(faultyPlaces(await client.patch(`/v1/memories/${again.body.id}`, { superseded_by: id }))).toEqual([
    "body.superseded_by",
  ]);
});

test("restoring a deleted memory whose time has run out answers expired", async () => {
  const client = await someone();
  const id = await stored(client, { expires_at: past });
  await client.delete(`/v1/memories/${id}`);
  expect((await client.post(`/v1/memories/${id}/restore`)).body).toEqual({ id, status: "expired" });
  expectRefusal(await client.post(`/v1/memories/${id}/restore`), 409, "not_restorable");
});

test("an offset in expires_at is understood, and answered in UTC", async () => {
  const client = await someone();
  const id = await stored(client, { expires_at: "2999-01-01T01:00:00+01:00" });
  expect(Date.parse((await client.get(`/v1/memories/${id}`)).body.expires_at)).toBe(
    Date.parse("2999-01-01T00:00:00Z"),
  );
  expect((await client.get(`/v1/memories/${id}`)).body.expires_at).toMatch(/Z$/);
});
