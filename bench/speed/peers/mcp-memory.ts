import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { closedLoop } from "../closed-loop.ts";
import type { Corpus } from "../corpus.ts";
import type { Counter } from "../requests.ts";
import type { Peer } from "./peer.ts";

/**
 * The reference memory server over its own stdio, as a client starts it: one entity a memory. It looks for the query's
 * exact words in their order, and reads and writes its one file with each call.
 */
export async function openMcpMemory(
  script: string,
  folder: string,
  { corpus, size, added }: { corpus: Corpus; size: number; added: Counter },
): Promise<Peer> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [script],
      env: { ...(process.env as Record<string, string>), MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
      stderr: "ignore",
    }),
  );
  const create = async (from: number, count: number) => {
    const entities = Array.from({ length: count }, (_, at) => {
      const { content, path } = corpus.memory(from + at);
      return { name: `memory ${from + at}`, entityType: path, observations: [content] };
    });
    await client.callTool({ name: "create_entities", arguments: { entities } });
  };
  await create(0, size);
  let asked = 0;
  return {
    name: "MCP reference memory",
    search: (count) =>
      closedLoop(1, count, async () => {
        const query = corpus.query(asked++);
        await client.callTool({ name: "search_nodes", arguments: { query } });
      }),
    add: (count) => closedLoop(1, count, () => create(added.next++, 1)),
    close: () => client.close(),
  };
}
