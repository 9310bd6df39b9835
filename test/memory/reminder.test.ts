import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

const reminder = {
  content: "Call the bank.",
  memory_type: "reminder",
  metadata: { due_at: "2030-01-01T09:00:00Z" },
};

test("completing a reminder answers when, and keeps the note", async () => {
  const client = await someone();
  const id = await stored(client, reminder);
  const answer = await client.post(`/v1/reminders/${id}/complete`, { note: "They were closed." });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ id, status: "completed", completed_at: expect.stringMatching(/Z$/) });
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body).toMatchObject({ status: "completed", content: "Call the bank." });
  expect(JSON.stringify(body)).toContain("They were closed.");
  expect(body.metadata.due_at).toBe("2030-01-01T09:00:00Z");
});

test("completing needs no body, and twice answers the first time", async () => {
  const client = await someone();
  const id = await stored(client, reminder);
  const first = await client.post(`/v1/reminders/${id}/complete`);
  const [before] = await world.service.sql`select revision from memories where memory_id = ${id}`;
  for (const body of [undefined, {}, { note: null }, { note: "later" }]) {
    expect(await client.post(`/v1/reminders/${id}/complete`, body)).toMatchObject({
      status: 200,
      body: first.body,
    });
  }
  expect(await world.service.sql`select revision from memories where memory_id = ${id}`).toEqual([before]);
});

test("completed by many at once, all answer the same time", async () => {
  const client = await someone();
  const id = await stored(client, reminder);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.post(`/v1/reminders/${id}/complete`, {})),
  );
  expect(new Set(answers.map((answer) => answer.body.completed_at)).size).toBe(1);
});

test("anything else is not_found: another type, a deleted one, an unknown id, a stranger's", async () => {
  const client = await someone();
  const deleted = await stored(client, reminder);
  await client.delete(`/v1/memories/${deleted}`);
  const foreign = await stored(await someone(), reminder);
  for (const id of [await stored(client), deleted, foreign, "unknown"]) {
    expectRefusal(await client.post(`/v1/reminders/${id}/complete`, {}), 404, "not_found");
  }
});

test("completing does not bring back a reminder that a newer one has replaced", async () => {
  const client = await someone();
  const old = await stored(client, { ...reminder, semantic_key: "bank" });
  await stored(client, { ...reminder, content: "Call the other bank.", semantic_key: "bank" });
  await client.post(`/v1/reminders/${old}/complete`, {});
  expect(await listed(client)).toEqual(["Call the other bank."]);
});

test("a due date that is no time is refused", async () => {
  const client = await someone();
  const refused = await client.post("/v1/memories", memory({ ...reminder, metadata: { due_at: "soon" } }));
  expect(faultyPlaces(refused)).toEqual(["body.metadata.due_at"]);
});
