import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { ok, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** So many characters of three bytes each, which no compression makes much shorter. */
function longest(length: number): string {
  const character = () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000));
  return Array.from({ length }, character).join("");
}

test("a todo with the longest of every name is stored, changed and in the project's context", async () => {
  const client = await world.client();
  const project = "p".padEnd(128, "x");
  const ours = workspaceOf(client, project);
  const names = { path: longest(512), bucket: longest(128), assignee_agent_id: longest(256) };
  const { todo_id } = await ok(ours.todo({ content: "Ship it", ...names }));
  await ok(ours.act(todo_id, "assign", { assignee_agent_id: longest(256) }));
  const { action_items } = await ok(client.post(`/v1/projects/${project}/context`, {}));
  expect(action_items).toMatchObject([{ id: todo_id }]);
});
