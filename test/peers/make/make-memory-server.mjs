// Lets the MCP reference memory server write its file: node make-memory-server.mjs FOLDER_WITH_NODE_MODULES FILE
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, file] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(modules, "node_modules/@modelcontextprotocol/server-memory/package.json"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "make", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [join(modules, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
    env: { MEMORY_FILE_PATH: file },
    stderr: "ignore",
  }),
);

// One after the other: calls in parallel lose what the other one wrote.
const call = (name, args) => client.callTool({ name, arguments: args });
await call("create_entities", {
  entities: [
    {
      name: "Alice Moreau",
      entityType: "person",
      observations: ["Prefers tea over coffee", "Alice Moreau speaks French and Vietnamese"],
    },
    { name: "TechCorp", entityType: "company", observations: [] },
    { name: "apollo-api", entityType: "openSource_project", observations: ["Listens on port 8443"] },
    {
      name: "東京オフィス",
      entityType: "office",
      observations: ["丸の内にある", "Open on weekdays only 🎌"],
    },
  ],
});
await call("create_relations", {
  relations: [
    { from: "Alice Moreau", to: "TechCorp", relationType: "works_at" },
    { from: "Alice Moreau", to: "apollo-api", relationType: "maintains" },
    { from: "TechCorp", to: "東京オフィス", relationType: "hasOffice" },
    { from: "apollo-api", to: "Postgres", relationType: "depends_on" },
  ],
});
await call("add_observations", {
  observations: [
    { entityName: "Alice Moreau", contents: ['Says "never on Fridays" of deployments\nand means it'] },
  ],
});
await call("create_entities", {
  entities: [{ name: "Old office", entityType: "office", observations: ["Closed in 2024"] }],
});
await call("delete_entities", { entityNames: ["Old office"] });
await client.close();
