import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { bind, register, user } from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function connect(token: string): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => world.handle(new Request(url, init)),
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

test("over MCP a temporary agent remembers and recalls, and a bound one is answered as its user", async () => {
  const agent = await register(world);
  const temporary = await connect(agent.client.token);
  expect((await temporary.listTools()).tools.map((tool) => tool.name)).toContain("recall_context");
  await temporary.callTool({
    name: "remember",
    arguments: { content: "The staging database is db-2.", path: "p" },
  });
  const ask = { name: "recall_context", arguments: { query: "Which is the staging database?" } };
  // The client checks the answer against the tool's output schema.
  const before = await temporary.callTool(ask);
  expect(before.structuredContent).toMatchObject({ version: "1.0" });
  expect(before.structuredContent).not.toHaveProperty("retrieval_plan");
  const formal = await bind(world, agent, await user(world));
  const after = await (await connect(formal.token)).callTool(ask);
  expect(after.structuredContent).toMatchObject({
    version: "value-density-v2",
    items: [{ content: "The staging database is db-2.", provenance: { agent_id: agent.id } }],
  });
  await expect(connect(agent.client.token).then((client) => client.callTool(ask))).rejects.toThrow(
    /401|unauthorized|invalid_token/i,
  );
});
