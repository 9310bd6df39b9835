/** Work that goes from one agent to another and back, by the skill runtime alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, register, user } from "../agents/agents.ts";
import { expectRefusal } from "../support/acting.ts";
import type { HttpClient } from "../support/http-client.ts";
import { askSkill, runSkill } from "../support/skill.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Agent {
  readonly id: string;
  readonly formal: HttpClient;
  readonly skill: HttpClient;
}

/** An agent that its user has bound, with a skill token for what it does. */
async function agentOf(
  owner: Awaited<ReturnType<typeof user>>,
  name: string,
  narrowed: Record<string, unknown> = {},
): Promise<Agent> {
  const registered = await register(world, { client_name: name });
  const formal = await bind(world, registered, owner);
  return { id: registered.id, formal, skill: await skillOf(formal, narrowed) };
}

async function skillOf(formal: HttpClient, narrowed: Record<string, unknown>): Promise<HttpClient> {
  const issued = await formal.post("/v1/skill/tokens", narrowed);
  expect(issued.status).toBe(201);
  return world.withToken(issued.body.token);
}

const at = (session: string, more: Record<string, string> = {}) => ({
  "x-project-id": "apollo",
  "x-session-id": session,
  "x-task-id": "migrate-users",
  ...more,
});

const QUESTION = { query: "How do we migrate the users table, and what went wrong?", max_items: 20 };

type Item = { content: string; boundary: Record<string, string> };

/** Whose each recalled content is to who asks. */
async function recalled(client: HttpClient, headers: Record<string, string>, more = {}) {
  const { items } = await runSkill(client, "recall", { ...QUESTION, ...more }, headers);
  return Object.fromEntries((items as Item[]).map(({ content, boundary }) => [content, boundary.relation]));
}

const STARTED = "Task started: migrate the users table to UUID keys.";
const DECIDED = "Decision: the users table is migrated in batches of 500, because locks must stay short.";
const FIXED = "Bug fix: the migration of the users table failed on null emails; they become empty now.";
const ENDED = "Task ended: the users table is migrated, and the old keys are gone.";

/** A task that A starts, B goes on with and ends. Answers both, and B's end as A sees it. */
async function handedOver() {
  const owner = await user(world);
  const [a, b] = [await agentOf(owner, "Planner"), await agentOf(owner, "Coder")];

  const inA = at("session-a", { "x-agent-instance": "a-1" });
  const working = { memory_type: "working", source: "planner" };
  await runSkill(a.skill, "remember", { content: STARTED, status: "started", ...working }, inA);
  await runSkill(a.skill, "remember", { content: DECIDED, source: "planner" }, inA);
  await runSkill(a.skill, "save-state", { key: "migrate-users", content: "Batches 1 to 3 done." }, inA);
  const todo = await runSkill(a.skill, "todo-add", { content: "Migrate batch 4." }, inA);
  return { owner, a, b, inA, inB: at("session-b", { "x-agent-instance": "b-1" }), todo };
}

test("A → B → A: each sees what the other did, across sessions, as the other's", async () => {
  const { a, b, inA, inB, todo } = await handedOver();

  expect(await recalled(b.skill, inB)).toMatchObject({ [STARTED]: "other_agent", [DECIDED]: "other_agent" });
  const { results } = await runSkill(b.skill, "search", { query: DECIDED, limit: 1 }, inB);
  expect(results[0]?.boundary).toEqual({
    relation: "other_agent",
    ownership: "other_agent",
    current_agent_id: b.id,
    current_agent_trust: "token_bound",
    boundary_authority: "attribution_only",
    memory_agent_id: a.id,
    explanation: expect.any(String),
  });
  const state = await runSkill(b.skill, "restore-state", { key: "migrate-users" }, inB);
  expect(state).toMatchObject({
    content: "Batches 1 to 3 done.",
    boundary: { relation: "other_agent", memory_agent_id: a.id },
    provenance: { session_id: "session-a", task_id: "migrate-users", project_id: "apollo" },
  });
  const open = await runSkill(b.skill, "todo-list", { status: "open" }, inB);
  expect(open.todos.map(({ todo_id }: { todo_id: string }) => todo_id)).toEqual([todo.todo_id]);

  await runSkill(b.skill, "remember", { content: FIXED, source: "coder" }, inB);
  const ended = { content: ENDED, memory_type: "working", status: "completed", source: "coder" };
  await runSkill(b.skill, "remember", ended, inB);
  await runSkill(b.skill, "todo-done", { id: todo.todo_id, note: "With the fix." }, inB);
  await runSkill(b.skill, "save-state", { key: "migrate-users", content: "All batches done." }, inB);

  expect(await recalled(a.skill, inA)).toMatchObject({
    [STARTED]: "self",
    [DECIDED]: "self",
    [FIXED]: "other_agent",
    [ENDED]: "other_agent",
  });
  expect(await runSkill(a.skill, "restore-state", { key: "migrate-users" }, inA)).toMatchObject({
    content: "All batches done.",
    version: 2,
    boundary: { relation: "other_agent", memory_agent_id: b.id },
  });
  expect((await runSkill(a.skill, "todo-list", {}, inA)).todos).toMatchObject([
    { status: "completed", completion_note: "With the fix." },
  ]);

  const otherInstance = at("session-c", { "x-agent-instance": "a-2" });
  expect(await recalled(a.skill, otherInstance)).toMatchObject({
    [DECIDED]: "same_agent_other_instance",
    [FIXED]: "other_agent",
  });
});

test("who says it is another agent is still the one whose token it has", async () => {
  const { a, b, inB } = await handedOver();
  const asA = { ...inB, "x-agent-id": a.id, "x-agent-instance": "a-1" };
  expect(await recalled(b.skill, asA)).toMatchObject({ [DECIDED]: "other_agent" });
});

test("without the scope nothing is handed over, and nothing is taken", async () => {
  const { a, b, inA, inB, todo } = await handedOver();
  const writer = await skillOf(b.formal, { scopes: ["memory:write"] });
  for (const [operation, input] of [
    ["recall", QUESTION],
    ["search", { query: "users" }],
    ["restore-state", { key: "migrate-users" }],
    ["todo-list", {}],
  ] as const)
    expectRefusal(await askSkill(writer, operation, input, inB), 403, "insufficient_scope");
  const reader = await skillOf(b.formal, { scopes: ["memory:read"] });
  for (const [operation, input] of [
    ["remember", { content: FIXED }],
    ["save-state", { key: "migrate-users", content: "Taken over." }],
    ["todo-done", { id: todo.todo_id }],
  ] as const)
    expectRefusal(await askSkill(reader, operation, input, inB), 403, "insufficient_scope");
  const state = await runSkill(a.skill, "restore-state", { key: "migrate-users" }, inA);
  expect([state.content, state.version]).toEqual(["Batches 1 to 3 done.", 1]);
});

test("an agent of another user is handed nothing, whatever it says of itself", async () => {
  const { a, inA, todo } = await handedOver();
  const stranger = await agentOf(await user(world), "Coder");
  const asA = { ...inA, "x-agent-id": a.id };
  expect(await recalled(stranger.skill, asA)).toEqual({});
  expectRefusal(
    await askSkill(stranger.skill, "restore-state", { key: "migrate-users" }, asA),
    404,
    "not_found",
  );
  expect((await runSkill(stranger.skill, "todo-list", {}, asA)).todos).toEqual([]);
  expectRefusal(await askSkill(stranger.skill, "todo-done", { id: todo.todo_id }, asA), 404, "not_found");
});

test("what is confined elsewhere, or asked for elsewhere, is handed nothing", async () => {
  const { b, inB } = await handedOver();
  const { "x-project-id": _, ...anywhere } = inB;
  expect(await recalled(b.skill, inB, { project_id: "zeus" })).toEqual({});
  expect(await recalled(b.skill, inB, { path: "elsewhere/%" })).toEqual({});
  expect(await recalled(b.skill, anywhere, { project_id: "apollo" })).toHaveProperty([DECIDED]);
  const ofOther = await skillOf(b.formal, { projects: ["zeus"] });
  expect(await recalled(ofOther, anywhere)).toEqual({});
  const state = { key: "migrate-users" };
  expectRefusal(await askSkill(ofOther, "restore-state", state, anywhere), 404, "not_found");
  expectRefusal(await askSkill(ofOther, "todo-list", {}, inB), 403, "insufficient_scope");
  const below = await skillOf(b.formal, { path_prefix: "elsewhere" });
  expect(await recalled(below, inB)).toEqual({});
  expectRefusal(await askSkill(below, "restore-state", state, inB), 404, "not_found");
});
