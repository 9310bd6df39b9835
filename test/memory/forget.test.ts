import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectRefusal,
  faultyPlaces,
  found,
  freshOwner,
  listed,
  stored,
  unguessable,
} from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });
const forget = (client: Client, id: string, body: object) => client.post(`/v1/memories/${id}/forget`, body);

/** The metadata of a memory that only its bin shows. */
async function binned(client: Client, id: string) {
  const { body } = await client.get("/v1/memories?status=soft_deleted&limit=1000");
  return body.memories.find((item: { id: string }) => item.id === id);
}

test("a soft delete merges its metadata into that of the memory, and a restore leaves it there", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { keep: 1, deep: { a: 1 }, gone: true } });
  const answer = await forget(client, id, {
    reason: "moved house",
    metadata: { deep: { b: 2 }, gone: null, ticket: 7 },
  });
  expect(answer.body).toEqual({ id, mode: "soft_delete", status: "soft_deleted", reversible: true });
  const after = { keep: 1, deep: { b: 2 }, ticket: 7 };
  expect((await binned(client, id)).metadata).toEqual(after);
  await client.post(`/v1/memories/${id}/restore`);
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({ status: "active", metadata: after });
  const { body } = await client.get(`/v1/memories/${id}/versions`);
  expect(body.versions[1]).toMatchObject({
    metadata: { keep: 1, deep: { a: 1 }, gone: true },
    reason: "moved house",
  });
});

test("metadata of a soft delete is held to the rules and bounds of a PATCH", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { big: "x".repeat(40_000) } });
  expect(faultyPlaces(await forget(client, id, { metadata: { more: "x".repeat(40_000) } }))).toEqual([
    "body.metadata",
  ]);
  expect(faultyPlaces(await forget(client, id, { metadata: { occurred_at: "soon" } }))).toEqual([
    "body.metadata.occurred_at",
  ]);
  expect(await listed(client)).toHaveLength(1);
  const lowered = await forget(client, id, { metadata: { authority: "verified" } });
  expect(lowered.body.reason).toContain("authority");
  expect((await binned(client, id)).metadata.authority).toBe("observation");
});

test("what a soft delete says of time is what the restored memory is found by", async () => {
  const client = await someone();
  const id = await stored(client, { memory_type: "reminder", metadata: { due_at: "2030-01-01T00:00:00Z" } });
  await forget(client, id, { metadata: { due_at: "2031-01-01T00:00:00Z" } });
  const [row] = await world.service.sql`select due_at from memories where memory_id = ${id}`;
  expect(new Date(row?.due_at).toISOString()).toBe("2031-01-01T00:00:00.000Z");
});

test("a second soft delete takes no metadata, and says so", async () => {
  const client = await someone();
  const id = await stored(client);
  await forget(client, id, { metadata: { first: 1 } });
  const before = await binned(client, id);
  const again = await forget(client, id, { metadata: { second: 2 }, reason: "again" });
  expect(again).toMatchObject({ status: 200, body: { status: "soft_deleted" } });
  expect(again.body.reason).toContain("metadata");
  expect(again.body.reason).toContain("reason");
  expect(await binned(client, id)).toEqual(before);
});

test.each(["soft_delete", "hard_delete"])(
  "%s reports a replacement of the content as unused",
  async (mode) => {
    const client = await someone();
    const id = await stored(client);
    const answer = await forget(client, id, { mode, replacement_content: "A replacement." });
    expect(answer.status).toBe(200);
    expect(answer.body.reason).toContain("replacement_content");
    expect(await listed(client, { status: "soft_deleted" })).toEqual(
      mode === "soft_delete" ? ["The staging database is db-2."] : [],
    );
  },
);

test("of a hard-deleted memory nothing remains, what its deletion says included, and the answer says so", async () => {
  const client = await someone();
  const word = unguessable();
  const id = await stored(client);
  const answer = await forget(client, id, { mode: "hard_delete", reason: word, metadata: { ticket: word } });
  expect(answer).toMatchObject({ status: 200, body: { status: "hard_deleted" } });
  for (const name of ["reason", "metadata"]) expect(answer.body.reason).toContain(name);
  expect(answer.body.reason).not.toContain(word);
  const plain = await forget(client, await stored(client), { mode: "hard_delete" });
  expect(plain.body.reason).toBeUndefined();
});

test("metadata of a redaction is what remains, held to the same rules", async () => {
  const client = await someone();
  const id = await stored(client, { metadata: { secret: 1 } });
  expect(faultyPlaces(await forget(client, id, { mode: "redact", metadata: { due_at: "soon" } }))).toEqual([
    "body.metadata.due_at",
  ]);
  const answer = await forget(client, id, {
    mode: "redact",
    reason: "asked by the person",
    metadata: { authority: "directive", ticket: 7 },
  });
  expect(answer.body.reason).toContain("authority");
  expect(answer.body.reason).toContain("reason");
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({
    content: "[redacted]",
    metadata: { authority: "observation", ticket: 7 },
  });
});

test("secrets in what a forget says are masked before anything is stored", async () => {
  const client = await someone();
  const id = await stored(client);
  const key = `ghp_${"a1B2".repeat(9)}`;
  const answer = await forget(client, id, { metadata: { note: `the key ${key}` } });
  expect(answer.body.masked).toHaveLength(1);
  expect(JSON.stringify(await binned(client, id))).not.toContain(key);
});

test("a key that may only delete is answered no metadata, and another one's memory takes none", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const deleter = await world.client({ owner, scopes: ["memory:delete"] });
  const id = await stored(client);
  const answer = await forget(deleter, id, { metadata: { ticket: 7 } });
  expect(answer.body).toEqual({ id, mode: "soft_delete", status: "soft_deleted", reversible: true });
  const other = await stored(await someone());
  expectRefusal(await forget(deleter, other, { metadata: { ticket: 7 } }), 404, "not_found");
  expect(await found(client, "staging database")).toEqual([]);
});
