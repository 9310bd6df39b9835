import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const call = (name: string, input: object) => callTool(world, client.token, name, input);

test("the tools do what the routes do, and put a list into an object", async () => {
  const project_id = freshProject();
  const ours = workspaceOf(client, project_id);
  const made = (await call("todo_create", { project_id, content: "Write it down." })).structuredContent;
  await call("todo_block", { project_id, todo_id: made.todo_id, reason: "no pen" });
  const listed = await call("todo_list", { project_id });
  expect(listed.structuredContent).toEqual({ todos: await ok(ours.todos()) });
  expect(listed.structuredContent.todos).toMatchObject([{ status: "blocked", blocked_reason: "no pen" }]);
  expect(listed.content[0].text).toContain("no pen");
  const { decision_id } = (await call("decision_create", { project_id, context: "Pen or pencil?" }))
    .structuredContent;
  const by = { context: "Ink?", resolution_note: "Ink." };
  const both = await call("decision_supersede", { project_id, decision_id, ...by });
  expect(both.structuredContent.decisions).toMatchObject([{ status: "superseded" }, { status: "resolved" }]);
});

test("a refusal says what is allowed and what to do", async () => {
  const project_id = freshProject();
  const { todo_id } = (await call("todo_create", { project_id, content: "Write." })).structuredContent;
  const refused = await call("todo_unblock", { project_id, todo_id });
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: "invalid_transition" } });
  expect(refused.content[0].text).toContain("Allowed: accept, assign, block, complete, cancel.");
});
