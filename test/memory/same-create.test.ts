import { Buffer } from "node:buffer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

type Given = Record<string, unknown>;

const first = { version: 3, provenance: { tool: "chat", run: 1, session_id: "s" } };

test.each<[string, Given]>([
  ["version", { ...first, version: 4 }],
  ["version, when it is left out", { provenance: first.provenance }],
  ["provenance", { ...first, provenance: { ...first.provenance, run: 2 } }],
  ["provenance, in a session", { ...first, provenance: { ...first.provenance, session_id: "other" } }],
  ["provenance, when it is left out", { version: 3 }],
  ["superseded_by", { ...first, superseded_by: "successor" }],
  ["project_id", { ...first, project_id: "apollo" }],
])("a create of the same id with another %s is a memory_id_conflict", async (_, given) => {
  const client = await someone();
  await stored(client, { memory_id: "successor", content: "A later one." });
  await stored(client, { memory_id: "taken", ...first });
  const before = await client.get("/v1/memories/taken");
  for (const path of ["/v1/memories", "/v1/remember"]) {
    const refused = await client.post(path, memory({ memory_id: "taken", ...given }));
    expectRefusal(refused, 409, "memory_id_conflict");
  }
  expect((await client.get("/v1/memories/taken")).body).toEqual(before.body);
});

async function expectSame(client: Client, given: Given, headers: Record<string, string> = {}): Promise<void> {
  const before = await client.get("/v1/memories/same");
  for (const path of ["/v1/memories", "/v1/remember"]) {
    const again = await client.post(path, memory({ memory_id: "same", ...given }), headers);
    expect(again).toMatchObject({ status: 201, body: { id: "same", superseded: [] } });
  }
  expect((await client.get("/v1/memories/same")).body).toEqual(before.body);
}

test("the same create comes from any agent, session and instance", async () => {
  const client = await someone();
  await client.post("/v1/memories", memory({ memory_id: "same" }), {
    "x-session-id": "one",
    "x-agent-id": "a",
  });
  await expectSame(client, {}, { "x-session-id": "two", "x-agent-id": "b", "x-task-id": "t" });
});

test("what a create leaves out is the same as its default or null", async () => {
  const client = await someone();
  await stored(client, { memory_id: "same" });
  await expectSame(client, {
    version: 1,
    provenance: {},
    superseded_by: null,
    project_id: null,
    bucket: "public",
  });
});

test("it is the same create whichever way it names its project", async () => {
  const client = await someone();
  await stored(client, { memory_id: "same", project_id: "apollo" });
  await expectSame(client, { provenance: { project_id: "apollo" } });
  await expectSame(client, {}, { "x-project-id": "apollo" });
  const refused = await client.post("/v1/memories", memory({ memory_id: "same" }), {
    "x-project-id": "gemini",
  });
  expectRefusal(refused, 409, "memory_id_conflict");
});

test("a fact whose version was raised by the one it superseded is known by the create that made it", async () => {
  const client = await someone();
  await stored(client, { semantic_key: "k", content: "before", version: 6 });
  await stored(client, { memory_id: "same", semantic_key: "k" });
  expect((await client.get("/v1/memories/same")).body.version).toBe(7);
  await expectSame(client, { semantic_key: "k" });
});

test("a memory that was superseded as it was made is known by the create that made it", async () => {
  const client = await someone();
  await stored(client, { memory_id: "successor", content: "A later one." });
  await stored(client, { memory_id: "same", superseded_by: "successor" });
  await expectSame(client, { superseded_by: "successor" });
  const refused = await client.post("/v1/memories", memory({ memory_id: "same" }));
  expectRefusal(refused, 409, "memory_id_conflict");
  expect(await listed(client)).toEqual(["A later one."]);
});

const hashOf = async ({ ownerId }: Client, memoryId: string) => {
  const [row] = await world.service.sql`
    select encode(create_hash, 'hex') as hash from memories where owner_id = ${ownerId} and memory_id = ${memoryId}`;
  return row?.hash;
};

/** Every member that a create is known by, and a successor that must be there. */
const FULL = {
  bucket: "work",
  memory_type: "procedural",
  status: "started",
  semantic_key: "staging",
  version: 3,
  superseded_by: "successor",
  importance: 0.7,
  confidence: 0.25,
  source: "a speaker",
  logic_path: "ops/staging",
  metadata: { b: 1.5, a: { d: [{ y: 1, x: null }], c: "ü" } },
  provenance: { project_id: "apollo", tool: "chat", run: 1 },
  expires_at: "2999-12-31T23:59:59.123Z",
};

test.each<[string, Given, string]>([
  ["least", {}, "50467f214ecb2ad33d5333c847378338478a39a607c77f7d47ea0a712fec7883"],
  ["most", FULL, "963a05aaf436d4e28ea5bf25c54b2f52a957b42774ec76d4a895b27a376ffa75"],
])("a create that says the %s has the hash by which earlier releases know it", async (_, given, hash) => {
  // Memories keep it: with another one, requests that were made before would be refused when they are sent again.
  const client = await someone();
  await stored(client, { memory_id: "successor", content: "A later one." });
  await stored(client, { memory_id: "same", ...given });
  expect(await hashOf(client, "same")).toBe(hash);
  await expectSame(client, given);
});

/** A create of the time when version, provenance and superseded_by were not compared. */
const FORMER = {
  memory_id: "same",
  bucket: "Café",
  provenance: { project_id: "apollo", tool: "chat" },
  semantic_key: "staging",
  metadata: { b: 1.5, a: { d: [{ y: 1, x: null }], c: "ü" } },
  source: "a speaker",
  expires_at: "2999-12-31T23:59:59.123Z",
};

test.each([
  ["composed", "a88a090198f09304f6819f01fc6b00f9888398768fa843933c3b0a2e7d6f990a"],
  ["decomposed", "3a7ee70c08387be328207753706b63d64c7061c7c795c8f025f53c2d213ca1bf"],
])("a memory with the hash of former times is compared as it was then, its bucket %s", async (_, hash) => {
  const client = await someone();
  const id = await stored(client, FORMER);
  const { count } = await world.service.sql`
    update memories set create_hash = ${Buffer.from(hash, "hex")}
    where owner_id = ${client.ownerId} and memory_id = ${id}`;
  expect(count).toBe(1);
  await expectSame(client, FORMER);
  await expectSame(client, { ...FORMER, version: 9 });
  for (const other of [
    { content: "other" },
    { metadata: { b: 2 } },
    { provenance: { project_id: "gemini" } },
  ]) {
    const refused = await client.post("/v1/memories", memory({ ...FORMER, ...other }));
    expectRefusal(refused, 409, "memory_id_conflict");
  }
});
