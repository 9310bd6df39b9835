import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run as runToEnd } from "../protocol/run.ts";
import type { Server } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import { freePort } from "../support/free-port.ts";
import { type AgentRan, outcomeOf, placeOf, runAgent } from "./coding-agent.ts";
import { storedUnder } from "./conversation.ts";
import type { Tools } from "./tools.ts";

const BUILD = fileURLToPath(new URL("../../packages/hosts/build.js", import.meta.url));

/** Makes the packages for hosts in a folder of their own. */
function builtIn(folder: string): string {
  const dist = join(folder, "dist");
  execFileSync(process.execPath, [BUILD, "--to", dist]);
  return dist;
}

/** The packages, checked by the validators of their formats. */
export async function hostPackages(tools: Tools, folder: string): Promise<Outcome> {
  const dist = builtIn(folder);
  const checks = [
    [tools.skillsaw, "lint", join(dist, "agent-plugin")],
    [tools.skillsaw, "lint", join(dist, "registry")],
    [tools.mcpb, "validate", join(dist, "mcpb")],
    [tools.mcpb, "pack", join(dist, "mcpb"), join(folder, "recollect.mcpb")],
  ];
  const outputs: string[] = [];
  for (const check of checks) outputs.push(await runToEnd(check));
  const output = outputs.join("\n");
  const clean = outputs.filter((text) => /Errors: +0\n *Warnings: +0/.test(text)).length;
  const passed = clean === 2 && output.includes("Manifest schema validation passes");
  return { passed, counts: `${checks.length} validations`, output };
}

/** A service that accepts connections and stays silent. */
async function hanging(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => socket.on("error", () => {}));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  server.unref();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

type Runs = (url: string, key: string, prompt: string, place: Place) => Promise<AgentRan>;
type Place = ReturnType<typeof placeOf>;

/** A turn with the service in order, then one with it down and one with it hanging, which end as ever. */
async function threeTurns(agent: string, server: Server, place: Place, run: Runs): Promise<Outcome> {
  // Each agent asks about something else: what recall has just shown is not stored again.
  const subject = `Nycticorax-${agent}`;
  const fact = `The staging database of ${subject} runs on db7.${agent}.internal.`;
  const prompt = `On which host does the staging database of ${subject} run, and who moved it there?`;
  await fetch(`${server.url}/v1/memories`, {
    method: "POST",
    headers: { "x-api-key": server.key, "content-type": "application/json" },
    body: JSON.stringify({ content: fact, path: `heron/${agent}` }),
  });
  const ran = await run(server.url, server.key, prompt, place);
  const stored = await storedUnder(server, `conversations/${agent}`);
  const down = await run(`http://127.0.0.1:${await freePort()}`, server.key, prompt, place);
  const silent = await hanging();
  const hung = await run(silent.url, server.key, prompt, place);
  silent.close();
  return outcomeOf({ ...ran, output: ran.output + down.output + hung.output }, [
    ["what is known came before the turn", ran.asked.some((body) => body.includes(fact))],
    ["the tools are offered", ran.asked.some((body) => /recollect_(recall|remember)/.test(body))],
    ["the prompt is stored", stored.some(({ content }) => content === prompt)],
    ["it names the agent", stored.every(({ provenance }) => provenance.agent_id === agent)],
    ["the turn ends as ever with the service down", down.code === 0 && down.left === 0],
    ["the turn ends as ever with the service hanging", hung.code === 0 && hung.left === 0],
  ]);
}

/** `opencode run` with the plugin, and a provider that is the scripted model. */
export function openCode(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  cpSync(join(builtIn(folder), "opencode"), join(place.project, ".opencode/recollect"), { recursive: true });
  mkdirSync(join(place.project, ".opencode/plugins"), { recursive: true });
  const plugin = 'export { Recollect } from "../recollect/index.mjs";\n';
  writeFileSync(join(place.project, ".opencode/plugins/recollect.js"), plugin);
  return threeTurns("opencode", server, place, (url, key, prompt) =>
    runAgent(
      place,
      [{ text: "That is not written down anywhere." }],
      (model) => {
        const scripted = {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${model.url}/v1`, apiKey: "sk-scripted" },
          models: { scripted: { name: "scripted", limit: { context: 100_000, output: 4_000 } } },
        };
        const configuration = {
          model: "s/scripted",
          small_model: "s/scripted",
          autoupdate: false,
          provider: { s: scripted },
        };
        writeFileSync(join(place.project, "opencode.json"), JSON.stringify(configuration));
        const quiet = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
        return {
          command: [tools.opencode, "run", prompt],
          env: { ...quiet, RECOLLECT_URL: url, RECOLLECT_API_KEY: key },
        };
      },
      // One of OpenCode's own: the tools of the server are not there when it is down.
      "read",
    ),
  );
}

/** `hermes chat` with the provider, and an endpoint that is the scripted model. */
export function hermes(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  const home = join(place.home, ".hermes");
  cpSync(join(builtIn(folder), "hermes"), join(home, "plugins/recollect"), { recursive: true });
  return threeTurns("hermes", server, place, (url, key, prompt) =>
    runAgent(
      place,
      [{ text: "That is not written down anywhere." }],
      (model) => {
        const configuration = {
          model: {
            default: "scripted",
            provider: "custom",
            base_url: `${model.url}/v1`,
            api_key: "sk-scripted",
          },
          memory: { provider: "recollect" },
        };
        // JSON is YAML.
        writeFileSync(join(home, "config.yaml"), JSON.stringify(configuration));
        return {
          command: [tools.hermes, "chat", "-Q", "-q", prompt],
          env: { HERMES_HOME: home, RECOLLECT_URL: url, RECOLLECT_API_KEY: key },
        };
      },
      "recollect_recall",
    ),
  );
}
