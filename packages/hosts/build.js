// Makes the packages for hosts in dist: one folder for each, complete in itself.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = join(here, "../..");
const { version, license } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const option = process.argv.indexOf("--to");
const dist = option === -1 ? join(here, "dist") : process.argv[option + 1];

const description = "Long-term memory that your agents share, on a Recollect server of your own.";
const identity = { name: "recollect", version, description };
const author = { name: "Recollect" };
const KEY = "RECOLLECT_API_KEY";
const ADDRESS = "RECOLLECT_URL";
const LOOPBACK = "http://127.0.0.1:8787";

rmSync(dist, { recursive: true, force: true });

agentPlugin("agent-plugin");
bundle("mcpb");
registryEntry("registry");
moduleFor("opencode", "opencode.mjs", "index.mjs", { main: "index.mjs", exports: "./index.mjs" });
moduleFor("openclaw", "openclaw.mjs", "index.mjs", { openclaw: { extensions: ["./index.mjs"] } });
openClawManifest("openclaw");
hermes("hermes");

/** Agent Plugins 1.0.0: the bridge, since a plugin's headers may hold no key, and the skill. */
function agentPlugin(folder) {
  copy(folder, {
    "bridge.mjs": "bin/bridge.mjs",
    "connection.mjs": "bin/connection.mjs",
    "doctor.mjs": "bin/doctor.mjs",
  });
  // Claude Code has hooks, so its plugin has a skill of its own.
  copy(folder, { "skill.md": "skills/recollect/SKILL.md" });
  json(folder, "plugin.json", {
    $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    ...identity,
    author,
    license,
    keywords: ["memory", "recall", "mcp"],
  });
  json(folder, "mcp.json", {
    $schema: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
    mcpServers: { recollect: { type: "stdio", command: "node", args: [`\${PLUGIN_ROOT}/bin/bridge.mjs`] } },
  });
  json(folder, ".agents/plugins/marketplace.json", {
    name: "recollect",
    plugins: [
      {
        name: "recollect",
        source: { source: "local", path: "./" },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Productivity",
      },
    ],
  });
}

/** A bundle for desktop apps, which ask for the address and the key. `mcpb pack` makes one file of it. */
function bundle(folder) {
  copy(folder, { "bridge.mjs": "server/bridge.mjs", "connection.mjs": "server/connection.mjs" });
  cpSync(join(repository, "admin-ui/public/icon.svg"), join(dist, folder, "icon.svg"));
  const fields = {
    url: {
      type: "string",
      title: "Address",
      description: "The address of your server",
      default: LOOPBACK,
      required: true,
    },
    api_key: {
      type: "string",
      title: "Key",
      description: "A key of your server",
      sensitive: true,
      required: true,
    },
  };
  json(folder, "manifest.json", {
    manifest_version: "0.3",
    ...identity,
    display_name: "Recollect",
    author,
    license,
    server: {
      type: "node",
      entry_point: "server/bridge.mjs",
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/server/bridge.mjs`],
        env: { [ADDRESS]: `\${user_config.url}`, [KEY]: `\${user_config.api_key}` },
      },
    },
    tools_generated: true,
    user_config: fields,
    compatibility: { runtimes: { node: ">=20.19.0" } },
  });
}

/** The entry in the MCP registry: a server that everybody runs at an address of their own. */
function registryEntry(folder) {
  json(folder, "server.json", {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: "io.github.recollect/recollect",
    title: "Recollect",
    description,
    version,
    remotes: [
      {
        type: "streamable-http",
        url: "https://{host}/mcp?tools=core",
        variables: { host: { description: "The host of your Recollect server", isRequired: true } },
      },
    ],
  });
}

/** A plugin in JavaScript, with all that it imports. */
function moduleFor(folder, source, main, more) {
  copy(folder, {
    [source]: main,
    "agent-memory.mjs": "agent-memory.mjs",
    "connection.mjs": "connection.mjs",
    "doctor.mjs": "doctor.mjs",
  });
  json(folder, "package.json", {
    name: `@recollect/${folder}`,
    version,
    description,
    license,
    type: "module",
    ...more,
    bin: { [`recollect-${folder}-doctor`]: "doctor.mjs" },
  });
}

function openClawManifest(folder) {
  json(folder, "openclaw.plugin.json", {
    id: "recollect",
    name: "Recollect",
    description,
    version,
    kind: "memory",
    contracts: { tools: ["recollect_recall", "recollect_remember", "recollect_forget"] },
    configSchema: { type: "object", additionalProperties: false, properties: {} },
  });
}

function hermes(folder) {
  for (const file of ["__init__.py", "connection.py", "cli.py"]) copy(folder, { [`hermes/${file}`]: file });
  const lines = [
    "name: recollect",
    `version: ${version}`,
    `description: ${JSON.stringify(description)}`,
    "requires_env:",
    `  - ${KEY}`,
  ];
  writeFileSync(join(dist, folder, "plugin.yaml"), `${lines.join("\n")}\n`);
}

function copy(folder, files) {
  for (const [from, to] of Object.entries(files)) {
    cpSync(join(here, from), at(folder, to));
  }
}

function json(folder, file, content) {
  writeFileSync(at(folder, file), `${JSON.stringify(content, null, 2)}\n`);
}

function at(folder, file) {
  const path = join(dist, folder, file);
  mkdirSync(join(path, ".."), { recursive: true });
  return path;
}
