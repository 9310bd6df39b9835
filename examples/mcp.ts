/**
 * An MCP client, with the official SDK: what an agent sees when it connects, one memory written, and one recalled.
 *
 *   RECOLLECT_API_KEY=rcl_key_... npx tsx examples/mcp.ts
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const server = process.env.RECOLLECT_URL ?? "http://127.0.0.1:8787";
const client = new Client({ name: "recollect-example", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", server), {
    requestInit: {
      headers: {
        authorization: `Bearer ${process.env.RECOLLECT_API_KEY}`,
        // Who writes: recorded with each memory, and grants nothing.
        "x-agent-id": "example-agent",
      },
    },
  }),
);

const { tools } = await client.listTools();
console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(", ")}\n`);

await client.callTool({
  name: "remember",
  arguments: { content: "Releases of Borealis are cut by Nadia.", path: "projects/borealis" },
});
const recalled = await client.callTool({
  name: "recall_context",
  arguments: { query: "Who cuts the releases of Borealis?" },
});
for (const part of recalled.content) if (part.type === "text") console.log(part.text);
await client.close();
