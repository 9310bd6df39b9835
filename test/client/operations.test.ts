/** The client against the real service: what goes in and comes out is what REST says, for every operation that there is. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRecollectError, type OperationName } from "../../src/client/index.ts";
import { OPERATION_NAMES } from "../../src/client/request.ts";
import { operationList } from "../../src/contract/operations.ts";
import { freshOwner } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { clientDoor, clientOf } from "./door.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function someone() {
  const { token } = await world.client({ owner: freshOwner() });
  return { client: clientOf(world, token), token };
}

test("every operation of the contract is a method", async () => {
  const { client } = await someone();
  const names = operationList.map(({ name }) => name as OperationName);
  expect([...OPERATION_NAMES].sort()).toEqual([...names].sort());
  for (const name of names) expect(client[name], name).toBeTypeOf("function");
});

test("each of them is found where the service has it", async () => {
  const door = clientDoor((await someone()).client);
  for (const { name, http } of operationList) {
    const ids = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, member = ""]) => [member, "nothing-of-ours"]);
    const answer = await door(name as OperationName, Object.fromEntries(ids));
    // Whatever is missing or wrong with it, it is not the route, the method or the media type.
    if (!("code" in answer)) continue;
    expect(["method_not_allowed", "unsupported_media_type", "unexpected_answer"], name).not.toContain(
      answer.code,
    );
    expect(answer.detail, name).not.toContain("There is nothing at this address");
  }
});

test("a memory is written, read, changed, forgotten and brought back", async () => {
  const { client } = await someone();
  const { id } = await client.remember({
    content: "The staging database is db-2.",
    path: "notes",
    metadata: { topic: "staging" },
  });
  const { etag, content } = await client.getMemory({ memory_id: id });
  expect(content).toBe("The staging database is db-2.");
  const updated = await client.updateMemory({ memory_id: id, content: "It is db-3.", if_match: etag });
  expect(updated).toMatchObject({ content: "It is db-3.", version: 2, conflicts: [] });
  const stale = client.updateMemory({ memory_id: id, content: "It is db-4.", if_match: etag });
  await expect(stale).rejects.toSatisfy((error) => isRecollectError(error, "precondition_failed"));
  const { results } = await client.searchMemories({
    query: "db-3",
    metadata: { topic: "staging" },
    team_id: null,
  });
  expect(results.map((found) => found.id)).toEqual([id]);
  expect((await client.recallContext({ query: "db-3" })).context_text).toContain("It is db-3.");
  expect(await client.deleteMemory({ memory_id: id, reason: "moved" })).toMatchObject({
    mode: "soft_delete",
  });
  await expect(client.getMemory({ memory_id: id })).rejects.toMatchObject({ code: "not_found", status: 404 });
  expect(await client.restoreMemory({ memory_id: id })).toMatchObject({ id, status: "active" });
  const forgotten = await client.forgetMemory({ memory_id: id, mode: "hard_delete" });
  expect(forgotten.reversible).toBe(false);
  await expect(client.getMemory({ memory_id: id })).rejects.toMatchObject({ code: "not_found", status: 404 });
});

test("an Idempotency-Key of the caller's own is carried out once, by whichever client", async () => {
  const { client, token } = await someone();
  const memory = { content: "Once.", path: "notes" };
  const first = await client.storeMemory(memory, { idempotencyKey: "mine" });
  const again = await clientOf(world, token).storeMemory(memory, { idempotencyKey: "mine" });
  expect(again).toEqual(first);
  const other = client.storeMemory(
    { ...memory, content: "Another." },
    { idempotencyKey: "mine", retries: 0 },
  );
  await expect(other).rejects.toMatchObject({ code: "conflict", isOutcomeUnknown: false });
});

test("todos and decisions take their steps without a body, and lists are gone through", async () => {
  const { client } = await someone();
  const project = { project_id: "apollo" };
  const ids: string[] = [];
  for (const content of ["a", "b", "c"]) ids.push((await client.createTodo({ ...project, content })).todo_id);
  const [todo_id = ""] = ids;
  expect((await client.acceptTodo({ ...project, todo_id })).status).toBe("accepted");
  expect((await client.completeTodo({ ...project, todo_id })).status).toBe("completed");
  await expect(client.cancelTodo({ ...project, todo_id })).rejects.toMatchObject({
    code: "invalid_transition",
  });
  const listed: string[] = [];
  for await (const todo of client.each("listTodos", project)) listed.push(todo.todo_id);
  expect(listed.sort()).toEqual(ids.sort());
  const { decision_id } = await client.createDecision({
    ...project,
    context: "Which queue?",
    options: ["x"],
  });
  const [, newer] = await client.supersedeDecision({ ...project, decision_id, context: "Postgres." });
  expect(newer).toMatchObject({ supersedes: decision_id, status: "proposed" });
  expect((await client.projectContext(project)).project_scope).toBeTruthy();
});

test("memories are listed page by page while others are written", async () => {
  const { client } = await someone();
  const items = Array.from({ length: 25 }, (_, number) => ({ content: `Note ${number}.`, path: "pages" }));
  expect((await client.storeBatch({ items })).stored).toBe(25);
  const seen: string[] = [];
  for await (const memory of client.each("listMemories", { path: "pages", limit: 10 })) {
    seen.push(memory.content);
    if (seen.length === 5) await client.storeMemory({ content: "Meanwhile.", path: "pages" });
  }
  expect(seen.sort()).toEqual(items.map(({ content }) => content).sort());
});

test("an agent registers without a key, and its refusals are told as such", async () => {
  const stranger = clientOf(world, "", { apiKey: undefined });
  const agent = await stranger.registerAgent({
    entry_type: "cli",
    client_name: "Coder",
    installation_fingerprint: "laptop",
  });
  expect(agent).toMatchObject({ status: "pending", trust_level: 0 });
  const own = clientOf(world, agent.temporary_token ?? "");
  expect((await own.getAgentStatus()).agent_id).toBe(agent.agent_id);
  await expect(own.rotateAgentToken()).rejects.toMatchObject({ status: 403 });
  await expect(stranger.listMemories()).rejects.toMatchObject({ code: "invalid_token", status: 401 });
  await expect(clientOf(world, "wrong").listMemories()).rejects.toMatchObject({ code: "invalid_token" });
});
