import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, listed, memory, query, unguessable } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, NEEDS, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

/** What a search for the word finds, as id and content. */
async function found(word: string, members: Record<string, string> = {}): Promise<[string, string][]> {
  const answer = await client.get(`/v1/memories/search${query({ query: word, ...members })}`);
  expect(answer.status).toBe(200);
  return answer.body.results
    .filter((item: { content: string }) => item.content.includes(word))
    .map((item: { id: string; content: string }) => [item.id, item.content]);
}

test("after each step of a todo every way of recall has its state of now, and none of a former one", async () => {
  const ours = workspaceOf(client, freshProject(), "agent-a");
  const word = unguessable("word");
  const { todo_id } = await ok(ours.todo({ content: `Rotate the ${word}.`, priority: "high" }));
  const steps: [string, object | undefined, string][] = [
    ["accept", undefined, "accepted; high priority; accepted by agent-a"],
    ["block", { reason: "waiting for keys" }, "blocked: waiting for keys; high priority"],
    ["assign", { assignee_agent_id: "agent-b" }, "assigned to agent-b"],
    ["unblock", undefined, "assigned; high priority; assigned to agent-b"],
    ["complete", { note: "rotated" }, "Todo (completed"],
  ];
  expect(await found(word)).toEqual([[todo_id, `Todo (open; high priority): Rotate the ${word}.`]]);
  for (const [operation, body, says] of steps) {
    await ok(ours.act(todo_id, operation, body as never));
    for (const type of ["todo", "%"]) {
      const hits = await found(word, { memory_type: type });
      expect(hits).toEqual([[todo_id, expect.stringContaining(says)]]);
    }
    const status = operation === "unblock" || operation === "assign" ? undefined : says;
    if (status) {
      const pack = await client.post("/v1/recall/context", {
        query: `Rotate the ${word}`,
        memory_type: "auto",
      });
      expect(pack.body.context_text).toContain(says);
    }
  }
  expect(await found(word, { "metadata.todo_status": "completed" })).toHaveLength(1);
  expect(await found(word, { "metadata.todo_status": "open" })).toEqual([]);
  expect((await found(word))[0]?.[1]).toContain("Note: rotated");
});

test("a decision is recalled with its resolution while that holds, and leaves default recall once superseded", async () => {
  const ours = workspaceOf(client, freshProject());
  const word = unguessable("word");
  const { decision_id } = await ok(ours.decision({ context: `Which ${word}?`, options: ["one", "two"] }));
  const text = async (members = {}) =>
    (await found(word, { memory_type: "decision", ...members })).map(([, is]) => is);
  expect(await text()).toEqual([`Decision (proposed): Which ${word}?\nOptions: one; two`]);
  await ok(ours.decide(decision_id, "resolve", { resolution: "Two of them." }));
  expect(await text()).toEqual([expect.stringContaining("Resolution: Two of them.")]);
  await ok(ours.decide(decision_id, "reopen"));
  expect(await text()).toEqual([`Decision (proposed): Which ${word}?\nOptions: one; two`]);
  const [, next] = await ok(
    ours.decide(decision_id, "supersede", { context: `Whose ${word}?`, resolution_note: "Ours." }),
  );
  expect((await found(word)).map(([id]) => id)).toEqual([next.decision_id]);
  expect(await text({ status: "superseded" })).toEqual([expect.stringContaining("Decision (superseded)")]);
  const old = await client.get(`/v1/memories/${decision_id}`);
  expect(old.body).toMatchObject({ status: "superseded", superseded_by: next.decision_id });
});

test("the memory routes read todos and decisions, and change none", async () => {
  const ours = workspaceOf(client, freshProject());
  const todo = await ok(ours.todo({ path: "shared" }));
  const decision = await ok(ours.decision({ path: "shared" }));
  for (const id of [todo.todo_id, decision.decision_id]) {
    expect((await client.get(`/v1/memories/${id}`)).status).toBe(200);
    const refusals = [
      await client.patch(`/v1/memories/${id}`, { content: "other" }),
      await client.delete(`/v1/memories/${id}`),
      await client.delete(`/v1/memories/${id}?mode=hard_delete`),
      await client.delete(`/v1/memories/${id}?mode=redact`),
      await client.post(`/v1/memories/${id}/forget`, {}),
      await client.post(`/v1/memories/${id}/restore`),
      await client.post("/v1/recall/feedback", { memory_id: id, helpful: true }),
    ];
    for (const refusal of refusals) {
      expectRefusal(refusal, 409, "conflict");
      expect(refusal.body.detail).toContain(`of the project "${todo.project_id}"`);
      expect(refusal.body.detail).toContain("/v1/projects/{project_id}/");
    }
    expectRefusal(await client.post(`/v1/reminders/${id}/complete`), 404, "not_found");
    const again = await client.post("/v1/memories", memory({ memory_id: id }));
    expectRefusal(again, 409, "memory_id_conflict");
    const over = await client.post("/v1/memories", memory({ superseded_by: id }));
    expect(faultyPlaces(over)).toEqual(["body.superseded_by"]);
  }
  const plan = await client.post("/v1/memories/delete", { filter: { path: "shared" } });
  expect(plan.body.matched).toBe(0);
  expect(await listed(client, { path: "shared" })).toEqual([]);
  expect(await ok(ours.todos())).toEqual([todo]);
  expect(await ok(ours.decisions())).toEqual([decision]);
});

test("equal words make no duplicate of a todo, and a memory of the type decision stays an ordinary one", async () => {
  const ours = workspaceOf(client, freshProject());
  const project = freshProject();
  const { body: item } = await client.get(`/v1/memories/${(await ok(ours.todo({ path: "p" }))).todo_id}`);
  const same = { content: item.content, path: "p", bucket: "work", memory_type: "decision" };
  const heard = await client.post("/v1/remember", {
    ...same,
    provenance: { project_id: item.provenance.project_id },
  });
  expect(heard.body).toMatchObject({ deduplicated: false });
  const plain = await client.post("/v1/memories", {
    ...memory({ memory_type: "decision" }),
    provenance: { project_id: project },
  });
  expect((await client.patch(`/v1/memories/${plain.body.id}`, { content: "Changed." })).status).toBe(200);
  const theirs = workspaceOf(client, project);
  expect(await ok(theirs.decisions())).toEqual([]);
  expectRefusal(await theirs.decide(plain.body.id, "resolve", NEEDS.resolve), 404, "not_found");
  expect((await client.delete(`/v1/memories/${plain.body.id}`)).status).toBe(200);
});
