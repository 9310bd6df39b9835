/** The small set of tools: what it lists, what it costs, and what becomes of the others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { coreTools } from "../../../src/contract/tool-set.ts";
import { countTokens } from "../../../src/recall/pack/count-tokens.ts";
import { toolsOf } from "../../../src/surfaces/mcp/tools.ts";
import { found, freshOwner } from "../../support/acting.ts";
import { askMcp } from "../../support/mcp.ts";
import { openWorld, type World } from "../../support/world.ts";
import { spokenRequests } from "./requests.ts";
import { NEWEST, ONE_BEFORE, textOf, world } from "./world.ts";

const CORE = "http://localhost/mcp?tools=core";
const FULL = "http://localhost/mcp?tools=full";

test.each([NEWEST, ONE_BEFORE])("in %s the small set costs less than half of all tools", async (revision) => {
  const { connect } = world();
  const listAt = async (url?: string) => (await connect("key-ada", { revision, url })).listTools();
  const [core, full, unset] = [await listAt(CORE), await listAt(FULL), await listAt()];
  expect(unset).toEqual(full);
  expect(core.tools.map(({ name }) => name).sort()).toEqual([...coreTools].sort());
  // Each is listed as in the full set, but for arguments that are seldom needed.
  for (const { inputSchema, ...tool } of core.tools) {
    const whole = full.tools.find(({ name }) => name === tool.name);
    expect(whole).toMatchObject(tool);
    expect(whole?.inputSchema).toMatchObject({ ...inputSchema, properties: inputSchema.properties ?? {} });
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(inputSchema.required ?? []),
    );
  }
  const [ofCore, ofFull] = [core, full].map((list) => countTokens(JSON.stringify(list)));
  expect(ofCore).toBeLessThan(4200);
  expect(ofCore).toBeLessThan((ofFull as number) / 2);
});

test("in the small set only what the credential may call is listed", async () => {
  const { tools } = await (await world().connect("key-reader", { url: CORE })).listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ["recall_context", "search_memories", "get_memory", "project_context", "todo_list"].sort(),
  );
});

test.each([NEWEST, ONE_BEFORE])(
  "in %s a tool that is not listed says where the full set is, and does nothing",
  async (revision) => {
    const { connect, calls } = world();
    const client = await connect("key-ada", { revision, url: CORE });
    const result = await client.callTool({
      name: "todo_accept",
      arguments: { project_id: "apollo", todo_id: "t" },
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ code: "not_found" });
    expect(textOf(result)).toContain("http://localhost/mcp?tools=full");
    expect(client.getInstructions()).toContain("http://localhost/mcp?tools=full");
    expect(calls).toEqual([]);
    const listed = await client.callTool({ name: "recall_context", arguments: { query: "q" } });
    expect(listed.isError ?? false).toBe(false);
  },
);

test("a set that there is not is refused with those that there are", async () => {
  const { surface } = world();
  const request = new Request("http://localhost/mcp?tools=some", {
    method: "POST",
    headers: { Authorization: "Bearer key-ada", "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const response = await surface.handle(request);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: "validation_failed",
    detail: [{ msg: "must be core or full" }],
  });
});

let service: World;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

test("of the sixty requests 33 are for a tool of the small set, which 30 of them find first", async () => {
  const client = await service.client({ owner: freshOwner() });
  const tools = toolsOf(operationList).filter(({ name }) => coreTools.includes(name));
  const items = tools.map(({ name, title, description }) => ({
    memory_id: name,
    path: "tools",
    provenance: { session_id: name },
    content: `${name.replaceAll("_", " ")}: ${title}. ${description}`,
  }));
  await client.post("/v1/memories/batch", { items });
  const covered = spokenRequests.filter(({ tool }) => coreTools.includes(tool));
  const missed: string[] = [];
  for (const { says, tool } of covered) {
    const [first] = await found(client, says);
    if (first !== tool) missed.push(`${says} → ${tool}, after ${first}`);
  }
  expect([covered.length, missed]).toEqual([33, expect.toSatisfy((list: string[]) => list.length <= 3)]);
});

test("a key can be made for the small set; the address overrides it", async () => {
  const owner = await service.service.credentials.ensureOwner("user", "ada");
  const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
  const { credential, secret } = await service.service.credentials.issue({
    kind: "api_key",
    ownerId: owner.id,
    name: "agent",
    scopes: ["memory:read", "memory:write"],
    space,
    expiresAt: null,
    toolSet: "core",
  });
  expect(credential.toolSet).toBe("core");
  const namesAt = async (token: string, address = "/mcp") => {
    const { answer } = await askMcp(service, token, "tools/list", {}, {}, address);
    return answer.result.tools.map(({ name }: { name: string }) => name).sort();
  };
  expect(await namesAt(secret)).toEqual([...coreTools].sort());
  expect((await namesAt(secret, "/mcp?tools=full")).length).toBeGreaterThan(20);
  const rotated = await service.service.credentials.rotate(credential.tokenId, { overlapMs: 1000 });
  expect(await namesAt(rotated.secret)).toEqual([...coreTools].sort());
});
