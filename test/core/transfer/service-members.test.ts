/** What the service writes into a full memory never makes it one that its own rules refuse. */
import { expect, test } from "vitest";
import { bind, register, user } from "../../agents/agents.ts";
import type { Client } from "../../support/world.ts";
import { openTransferWorld, type TransferWorld } from "./transfer-world.ts";

const BYTES_MAX = 64 * 1024;

/** As large as JSON of it may be. */
function full(members: Record<string, unknown>): Record<string, unknown> {
  const left = BYTES_MAX - JSON.stringify({ ...members, filler: "" }).length;
  return { ...members, filler: "x".repeat(left) };
}

/** Written with six bytes a character. */
const long = (length: number) => "\u0001".repeat(length);

/** It can be changed with all that was read sent back, exported, and imported elsewhere. */
async function expectAccepted(world: TransferWorld, client: Client, id: string) {
  const { metadata, provenance } = (await client.get(`/v1/memories/${id}`)).body;
  const changed = await client.patch(`/v1/memories/${id}`, {
    metadata: { ...metadata, filler: metadata.filler ? `y${metadata.filler.slice(1)}` : "y" },
    provenance,
  });
  expect(changed).toMatchObject({ status: 200 });
  const owner = { kind: "user", name: "somebody else" } as const;
  expect(await world.imported(await world.exported(), { owner })).toMatchObject({
    invalid: 0,
    complaints: [],
  });
}

const due_at = "2020-01-01T09:00:00Z";

test.each([
  ["for good", { due_at }],
  ["until it is due again", { due_at, recurrence: "FREQ=DAILY" }],
])("a full reminder is completed %s with the longest note", async (_, metadata) => {
  const world = await openTransferWorld();
  const client = await world.client();
  await client.post("/v1/memories", {
    memory_id: "r",
    content: "Call the bank.",
    path: "p",
    memory_type: "reminder",
    metadata: full(metadata),
  });
  const note = long(4096);
  expect(await client.post("/v1/reminders/r/complete", { note })).toMatchObject({ status: 200 });
  const { body } = await client.get("/v1/memories/r");
  expect(body.metadata).toMatchObject({ completion_note: note, filler: full(metadata).filler });
  await expectAccepted(world, client, "r");
  expect(await client.post("/v1/reminders/r/complete", { note: "again" })).toMatchObject({ status: 200 });
});

test("a note fits whatever a caller has put into the members that the service writes", async () => {
  const world = await openTransferWorld();
  const client = await world.client();
  const metadata = { due_at, recurrence_start: "x".repeat(60_000), own: "kept" };
  await client.post("/v1/memories", {
    memory_id: "r",
    content: "Call the bank.",
    path: "p",
    memory_type: "reminder",
    metadata,
  });
  const note = long(4096);
  expect(await client.post("/v1/reminders/r/complete", { note })).toMatchObject({ status: 200 });
  const { body } = await client.get("/v1/memories/r");
  expect(body.metadata).toEqual({
    due_at,
    own: "kept",
    completion_note: note,
    completed_at: expect.anything(),
  });
  await expectAccepted(world, client, "r");
});

test("a full memory is repeated with the longest names: the latest repeats that there is room for are kept", async () => {
  const world = await openTransferWorld();
  const client = await world.client();
  const provenance = full({ session_id: long(256), agent_id: long(256) });
  const said = { content: "The port is 80.", path: "p", source: long(256), provenance };
  const { id } = (await client.post("/v1/remember", said)).body;
  for (let n = 0; n < 20; n++)
    expect((await client.post("/v1/remember", said)).body).toMatchObject({ id, deduplicated: true });
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body.provenance.filler).toBe(provenance.filler);
  expect(body.provenance.repeated_by.length).toBeGreaterThan(10);
  await expectAccepted(world, client, id);
});

test("a full memory is adopted, and a full todo has its state in metadata", async () => {
  const world = await openTransferWorld();
  const agent = await register(world);
  const item = {
    content: "The port is 80.",
    path: "p",
    memory_id: "m",
    provenance: full({ session_id: long(256) }),
  };
  expect(await agent.client.post("/v1/memories", item)).toMatchObject({ status: 201 });
  const todo = { content: "Rotate the keys.", metadata: full({}), assignee_agent_id: long(256) };
  expect(await agent.client.post("/v1/projects/apollo/todos", todo)).toMatchObject({ status: 200 });
  await bind(world, agent, await user(world, "alice"));
  const alice = await world.client({ owner: "alice" });
  expect((await alice.get("/v1/memories/m")).body.provenance).toMatchObject({
    adopted_from: { agent_id: agent.id },
  });
  await expectAccepted(world, alice, "m");
});
