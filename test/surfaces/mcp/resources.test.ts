import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isForVisitors, type OperationName, operationList } from "../../../src/contract/operations.ts";
import { bind, register, user } from "../../agents/agents.ts";
import { freshOwner, stored } from "../../support/acting.ts";
import { mcpClient, revisions } from "../../support/mcp-client.ts";
import { openWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The one text of a resource that is read. */
function textOf(result: { contents: readonly object[] }): string {
  const [content, ...more] = result.contents as { text: string }[];
  expect(more).toEqual([]);
  return content?.text as string;
}

describe.each(revisions)("in %s", (revision) => {
  test("a memory, a project, the agent itself and what it may do are resources, for who may read them", async () => {
    const owner = freshOwner();
    const reader = await mcpClient(world, { ...(await world.client({ owner })), revision });
    expect((await reader.listResources()).resources.map(({ uri }) => uri)).toEqual([
      "recollect://profile",
      "recollect://operations",
      "ui://recollect/memory-card",
    ]);
    expect(
      (await reader.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ).toEqual(["recollect://memories/{id}", "recollect://projects/{id}"]);
    const writer = await world.client({ owner, scopes: ["memory:write"] });
    const client = await mcpClient(world, { ...writer, revision });
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    await expect(client.readResource({ uri: "recollect://projects/apollo" })).rejects.toThrow(/not found/i);
    const agent = await register(world);
    const temporary = await mcpClient(world, { ...agent.client, revision });
    expect((await temporary.listResources()).resources.map(({ uri }) => uri)).toEqual([
      "recollect://profile",
      "recollect://agent",
      "recollect://operations",
      "ui://recollect/memory-card",
    ]);
  });

  test("a memory is what get_memory answers, by an id with any character that ids have", async () => {
    const ada = await world.client({ owner: freshOwner() });
    const client = await mcpClient(world, { ...ada, revision });
    const id = await stored(ada, { memory_id: "Notes:2026.01_a-B", content: "Releases go out on Tuesdays." });
    for (const uri of [`recollect://memories/${id}`, `recollect://memories/${encodeURIComponent(id)}`]) {
      const read = await client.readResource({ uri });
      expect(read.contents).toMatchObject([{ uri, mimeType: "application/json" }]);
      expect(JSON.parse(textOf(read))).toEqual((await ada.get(`/v1/memories/${id}`)).body);
    }
  });

  test("the profile is the text of get_profile", async () => {
    const ada = await world.client({ owner: freshOwner() });
    await stored(ada, { content: "Ada prefers trains.", memory_type: "preference" });
    const client = await mcpClient(world, { ...ada, revision });
    const text = textOf(await client.readResource({ uri: "recollect://profile" }));
    expect(text).toContain("> Ada prefers trains.\n");
    expect(text).toBe((await ada.get("/v1/profile")).body.context_text);
  });

  test("somebody else's memory, one that is gone and one that never was are not found, all alike", async () => {
    const ada = await world.client({ owner: freshOwner() });
    const theirs = await stored(await world.client({ owner: freshOwner() }));
    const gone = await stored(ada);
    await ada.delete(`/v1/memories/${gone}`);
    const client = await mcpClient(world, { ...ada, revision });
    for (const id of [theirs, gone, "never-was"]) {
      const uri = `recollect://memories/${id}`;
      const refused = client.readResource({ uri });
      await expect(refused).rejects.toThrow(/not found/i);
      await expect(refused).rejects.toMatchObject({ data: { uri } });
    }
    for (const uri of ["recollect://memories/%zz", "recollect://memories/a%20b"])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: -32_602,
        data: { code: "validation_failed" },
      });
    await expect(client.readResource({ uri: "recollect://elsewhere" })).rejects.toThrow(/not found/i);
  });

  test("a project is its context as a text, and one out of the credential's reach is refused by its code", async () => {
    const ada = await world.client({ owner: freshOwner(), space: { projects: ["apollo"] } });
    const client = await mcpClient(world, { ...ada, revision });
    await ada.post("/v1/projects/apollo/todos", { content: "Write the release notes." });
    const read = await client.readResource({ uri: "recollect://projects/apollo" });
    expect(read.contents).toMatchObject([{ mimeType: "text/markdown" }]);
    expect(textOf(read)).toMatch(/^### Recollect Context\n.*Write the release notes\./s);
    await expect(client.readResource({ uri: "recollect://projects/hermes" })).rejects.toMatchObject({
      message: expect.stringContaining("insufficient_scope"),
      data: { code: "insufficient_scope" },
    });
  });

  test("an agent reads what has become of it", async () => {
    const agent = await register(world);
    const status = async (token: string) => {
      const client = await mcpClient(world, { token, revision });
      return JSON.parse(textOf(await client.readResource({ uri: "recollect://agent" })));
    };
    expect(await status(agent.client.token)).toMatchObject({
      agent_id: agent.id,
      status: "pending",
      trust_level: 0,
    });
    const { token } = await bind(world, agent, await user(world));
    expect(await status(token)).toMatchObject({ agent_id: agent.id, status: "bound", trust_level: 2 });
  });
});

test("the catalogue names what the credential may call and nothing else, with its tool and its route", async () => {
  const catalogueOf = async (scopes: Parameters<World["client"]>[0]) => {
    const client = await mcpClient(world, await world.client({ owner: freshOwner(), ...scopes }));
    return JSON.parse(textOf(await client.readResource({ uri: "recollect://operations" }))).operations;
  };
  const names = (await catalogueOf({})).map(({ operation }: { operation: string }) => operation);
  const forKeys = operationList.filter(
    (operation) => !isForVisitors(operation) && (operation.kinds ?? ["api_key"]).includes("api_key"),
  );
  expect(names).toEqual(forKeys.map(({ name }) => name));
  const free = forKeys.filter(({ scopes }) => scopes.length === 0).map(({ name }) => name);
  const restoring = await catalogueOf({ scopes: ["memory:restore"] });
  expect(
    restoring.filter(({ operation }: { operation: OperationName }) => !free.includes(operation)),
  ).toEqual([
    {
      operation: "restoreMemory",
      summary: "Bring back a soft-deleted memory",
      effect: "write",
      scopes: ["memory:write", "memory:restore"],
      http: "POST /v1/memories/{memory_id}/restore",
      tool: "restore_memory",
    },
    expect.objectContaining({ operation: "restoreTodo" }),
    expect.objectContaining({ operation: "restoreDecision" }),
  ]);
});
