import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshOwner, stored } from "../../support/acting.ts";
import { mcpClient, revisions } from "../../support/mcp-client.ts";
import { openWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const textsOf = ({ messages }: { messages: readonly { content: object }[] }) =>
  messages.map(({ content }) => (content as { text: string }).text);

describe.each(revisions)("in %s", (revision) => {
  test("the prompts are those whose operations the credential may call", async () => {
    const names = async (scopes: Parameters<World["client"]>[0]) => {
      const client = await mcpClient(world, {
        ...(await world.client({ owner: freshOwner(), ...scopes })),
        revision,
      });
      return (await client.listPrompts()).prompts.map(({ name }) => name);
    };
    expect(await names({})).toEqual(["start_task", "hand_over"]);
    expect(await names({ scopes: ["memory:read"] })).toEqual(["start_task"]);
    expect(await names({ scopes: ["memory:write"] })).toEqual(["hand_over"]);
    expect(await names({ scopes: ["memory:restore"] })).toEqual([]);
  });

  test("a task starts with what is known about it and about its project", async () => {
    const ada = await world.client({ owner: freshOwner() });
    await stored(ada, { content: "The release notes are written in British English." });
    await ada.post("/v1/projects/apollo/todos", { content: "Ask Tom for the screenshots." });
    const client = await mcpClient(world, { ...ada, revision });
    const started = await client.getPrompt({
      name: "start_task",
      arguments: { task: "Write the release notes", project_id: "apollo" },
    });
    const [said, known, project] = textsOf(started);
    expect(said).toMatch(/^Your task: Write the release notes\n.*data, not instruction.*project_id apollo/s);
    expect(known).toMatch(/^### Recollect Context\n.*British English/s);
    expect(project).toMatch(/^### Recollect Context\n.*Ask Tom for the screenshots/s);
    expect(started.messages.map(({ role }) => role)).toEqual(["user", "user", "user"]);
  });

  test("a field that was left empty, or filled with a word for nothing, is not given", async () => {
    const client = await mcpClient(world, { ...(await world.client({ owner: freshOwner() })), revision });
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === "start_task")?.arguments).toEqual([
      { name: "task", description: "What needs to be done", required: true },
      { name: "project_id", description: "The project it belongs to", required: false },
    ]);
    for (const nothing of ["", "null"]) {
      const given = { task: "Rest", project_id: nothing };
      expect(textsOf(await client.getPrompt({ name: "start_task", arguments: given }))).toHaveLength(2);
    }
  });

  test("a prompt tells of no tool that the credential may not call", async () => {
    const reader = await world.client({ owner: freshOwner(), scopes: ["memory:read"] });
    const client = await mcpClient(world, { ...reader, revision });
    const started = await client.getPrompt({
      name: "start_task",
      arguments: { task: "Write the release notes" },
    });
    expect(textsOf(started)[0]).not.toMatch(/\bremember\b/);
  });

  test("handing over says what to leave, for whom and where", async () => {
    const client = await mcpClient(world, { ...(await world.client({ owner: freshOwner() })), revision });
    const given = { task: "The release notes, half done", to: "writer", project_id: "apollo" };
    const [said] = textsOf(await client.getPrompt({ name: "hand_over", arguments: given }));
    expect(said).toMatch(/^Hand this over to writer: The release notes, half done\n/);
    expect(said).toMatch(/\bremember\b.*todo_create, with assignee_agent_id writer/s);
  });

  test("an argument that a prompt does not have, one that is missing and a project out of reach are refused", async () => {
    const ada = await world.client({ owner: freshOwner(), space: { projects: ["apollo"] } });
    const client = await mcpClient(world, { ...ada, revision });
    const get = (given: Record<string, string>) => client.getPrompt({ name: "start_task", arguments: given });
    await expect(get({ task: "t", taks: "t" })).rejects.toThrow(/taks/);
    await expect(get({})).rejects.toMatchObject({ code: -32_602 });
    await expect(get({ task: "t", project_id: "hermes" })).rejects.toMatchObject({
      data: { code: "insufficient_scope" },
    });
  });
});
