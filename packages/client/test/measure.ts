/**
 * What each door in TypeScript adds to a turn: `npx tsx packages/client/test/measure.ts [TURNS]`, with RECOLLECT_URL and
 * RECOLLECT_API_KEY of a service on this machine, after `npm run client:frameworks`. Prints a JSON line for each:
 * milliseconds added to a turn (p50, p95), seconds of a turn whose service is down, hangs or refuses, the tokens recalled
 * (a quarter of the characters), and the lines of our code. Turns with and without memory take turns. Models are scripted.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent, type Model, run, setTracingDisabled, Usage } from "@openai/agents";
import { type Client, createClient } from "@recollect/client";
import { memoryMiddleware } from "@recollect/client/ai-sdk";
import { RecollectRetriever } from "@recollect/client/langchain";
import { RecollectStore } from "@recollect/client/langgraph";
import { memoryProcessor } from "@recollect/client/mastra";
import { memoryTool } from "@recollect/client/memory-tool";
import { memoryTools } from "@recollect/client/openai-agents";
import { generateText, wrapLanguageModel } from "ai";
import { says, scriptedModel, shown } from "./scripted-model.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MEMORIES = 200;
const PER_NAME = 25;
const NAMES = ["Apollo", "Borealis", "Cassini", "Daedalus", "Electra", "Fornax", "Galatea", "Hyperion"];
const CHARACTERS_PER_TOKEN = 4;

interface Service {
  readonly url: string;
  readonly key: string;
}

/** Runs a turn, without memory if there is no service, and returns how many characters the model was shown. */
type Turn = (words: string, session: string) => Promise<number>;

interface Door {
  readonly name: string;
  /** The package that it was tried with; null if the host is played here, as its own tests run the real one. */
  readonly package: string | null;
  /** Its code, below the root of the repository. */
  readonly files: readonly string[];
  readonly open: (service: Service | null) => Promise<Turn>;
}

const clientOf = ({ url, key }: Service): Client => createClient({ baseUrl: url, apiKey: key });
const path = (door: string) => `measured/${door}`;
const integration = (name: string) => `src/client/integrations/${name}.ts`;

const DOORS: readonly Door[] = [
  {
    name: "Vercel AI SDK",
    package: "ai",
    files: [integration("ai-sdk")],
    async open(service) {
      const middleware =
        service === null
          ? []
          : memoryMiddleware(clientOf(service), { capture: "user", path: path("ai-sdk") });
      return async (prompt) => {
        const model = scriptedModel([says("I have noted that.")]);
        await generateText({ model: wrapLanguageModel({ model, middleware }), prompt, maxRetries: 0 });
        return shown(model, 0).length;
      };
    },
  },
  {
    name: "Mastra",
    package: "@mastra/core",
    files: [integration("mastra")],
    async open(service) {
      const memory =
        service === null
          ? []
          : [memoryProcessor(clientOf(service), { capture: "user", path: path("mastra") })];
      return async (prompt) => {
        const model = scriptedModel([says("I have noted that.")]);
        const processors = { inputProcessors: memory, outputProcessors: memory };
        const agent = { id: "helper", name: "Helper", instructions: "Be brief.", ...processors };
        await new MastraAgent({ ...agent, model: model as never }).generate(prompt);
        return shown(model, 0).length;
      };
    },
  },
  {
    name: "OpenAI Agents, its recall tool called once",
    package: "@openai/agents",
    files: [integration("openai-agents")],
    async open(service) {
      const tools = service === null ? [] : memoryTools(clientOf(service), { path: path("openai-agents") });
      return async (prompt) => {
        let length = 0;
        const model = recallingModel(service !== null, prompt, (input) => {
          length = JSON.stringify(input).length;
        });
        await run(new Agent({ name: "Helper", instructions: "Be brief.", model, tools }), prompt);
        return length;
      };
    },
  },
  {
    name: "LangGraph, one search and one put",
    package: "@langchain/langgraph-checkpoint",
    files: [integration("langgraph")],
    async open(service) {
      if (service === null) return async () => 0;
      const store = new RecollectStore(clientOf(service), { path: path("langgraph") });
      return async (query, session) => {
        const found = await store.search([], { query, limit: 6 });
        await store.put(["turns"], session, { text: query });
        return JSON.stringify(found).length;
      };
    },
  },
  {
    name: "LangChain, one retrieval",
    package: "@langchain/core",
    files: [integration("langchain")],
    async open(service) {
      if (service === null) return async () => 0;
      const retriever = new RecollectRetriever(clientOf(service), { search: { limit: 6 } });
      return async (query) => JSON.stringify(await retriever.invoke(query)).length;
    },
  },
  {
    name: "Anthropic's memory tool, one view and one create",
    package: "@anthropic-ai/sdk",
    files: ["memory-tool", "memory-files", "memory-file-text"].map(integration),
    async open(service) {
      if (service === null) return async () => 0;
      const tool = memoryTool(clientOf(service), { path: path("memory-tool") });
      return async (words, session) => {
        const seen = await tool.run({ command: "view", path: "/memories" });
        await tool.run({ command: "create", path: `/memories/${session}.txt`, file_text: words });
        return JSON.stringify(seen).length;
      };
    },
  },
  {
    name: "OpenCode",
    package: null,
    files: ["packages/hosts/opencode.mjs"],
    async open(service) {
      if (service === null) return async (words) => words.length;
      const { Recollect } = await plugin("opencode", service);
      let messages: object[] = [];
      const answer = { data: {} };
      const hooks = await Recollect({
        client: {
          app: { log: async () => answer },
          session: { messages: async () => ({ data: messages }) },
        },
      });
      return async (words, session) => {
        const say = (role: string, text: string) => ({
          info: { id: `${session}-${role}`, role, time: { created: Date.now() } },
          parts: [{ type: "text", text }],
        });
        messages = [say("user", words), say("assistant", "I have noted that.")];
        const system: string[] = [];
        await hooks["chat.message"]({ sessionID: session }, { parts: [{ type: "text", text: words }] });
        await hooks["experimental.chat.system.transform"]({ sessionID: session }, { system });
        await hooks.event({ event: { type: "session.idle", properties: { sessionID: session } } });
        return words.length + system.join("").length;
      };
    },
  },
  {
    name: "OpenClaw",
    package: null,
    files: ["packages/hosts/openclaw.mjs"],
    async open(service) {
      if (service === null) return async (words) => words.length;
      const { default: openclaw } = await plugin("openclaw", service);
      // biome-ignore lint/suspicious/noExplicitAny: the host's events have no types here
      const on: Record<string, (event: object, context: object) => Promise<any>> = {};
      openclaw.register({
        on: (event: string, handler: (typeof on)[string]) => {
          on[event] = handler;
        },
        registerTool() {},
      });
      return async (words, sessionId) => {
        const context = { sessionId };
        const shown = await on.before_prompt_build?.({ prompt: words }, context);
        const messages = [
          { role: "user", content: words, id: `${sessionId}-user` },
          { role: "assistant", content: "I have noted that.", id: `${sessionId}-assistant` },
        ];
        await on.agent_end?.({ success: true, messages }, context);
        return words.length + (shown?.prependContext ?? "").length;
      };
    },
  },
  {
    name: "Hermes",
    package: null,
    files: ["packages/hosts/hermes/__init__.py", "packages/hosts/hermes/connection.py"],
    async open(service) {
      if (service === null) return async (words) => words.length;
      const { url, key } = service;
      const env = { ...process.env, RECOLLECT_URL: url, RECOLLECT_API_KEY: key };
      const host = spawn("python3", ["-c", HERMES, `${ROOT}packages/hosts`], { env });
      host.unref();
      const lines = createInterface(host.stdout)[Symbol.asyncIterator]();
      return async (words, session) => {
        host.stdin.write(`${JSON.stringify([words, session])}\n`);
        return words.length + Number((await lines.next()).value);
      };
    },
  },
];

/** The part of Hermes that calls its memory: before the model, and after the turn, which a thread of the plugin then writes. */
const HERMES = `
import json, logging, sys, types
logging.disable(logging.WARNING)
sys.path.insert(0, sys.argv[1])
base = types.ModuleType("agent.memory_provider")
base.MemoryProvider = object
sys.modules.update({"agent": types.ModuleType("agent"), "agent.memory_provider": base})
from hermes import RecollectProvider
memory = RecollectProvider()
for line in sys.stdin:
    words, session = json.loads(line)
    memory.initialize(session)
    recalled = memory.prefetch(words, session_id=session)
    memory.sync_turn(words, "I have noted that.", session_id=session)
    print(len(recalled), flush=True)
`;

/** Loads a plugin anew: each reads where the service is when it is loaded or made. */
async function plugin(name: string, { url, key }: Service) {
  Object.assign(process.env, { RECOLLECT_URL: url, RECOLLECT_API_KEY: key });
  return import(new URL(`../../hosts/${name}.mjs`, import.meta.url).href);
}

/** Calls the tool once if there is one, and ends. `see` is told all that the model was shown at last. */
function recallingModel(hasTool: boolean, query: string, see: (input: unknown) => void): Model {
  const answer = (item: Awaited<ReturnType<Model["getResponse"]>>["output"][number]) => ({
    usage: new Usage(),
    output: [item],
  });
  return {
    async getResponse({ input }) {
      see(input);
      const hasAnswer =
        typeof input !== "string" && input.some(({ type }) => type === "function_call_result");
      if (hasTool && !hasAnswer) {
        const asked = { name: "recall_context", arguments: JSON.stringify({ query }) };
        return answer({ type: "function_call", callId: "1", ...asked });
      }
      const content = [{ type: "output_text" as const, text: "I have noted that." }];
      return answer({ type: "message", role: "assistant", status: "completed", content });
    },
    getStreamedResponse: () => {
      throw new Error("Nothing is streamed here.");
    },
  };
}

async function timed(turn: Turn, words: string): Promise<{ ms: number; length: number }> {
  const began = performance.now();
  const length = await turn(words, crypto.randomUUID());
  return { ms: performance.now() - began, length };
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number;

async function measure(door: Door, service: Service, turns: number) {
  const [alone, remembering] = [await door.open(null), await door.open(service)];
  const took = { alone: [] as number[], remembering: [] as number[] };
  const lengths = { alone: [] as number[], remembering: [] as number[] };
  for (let at = -3; at < turns; at += 1) {
    const name = NAMES[(at + 3) % NAMES.length];
    const words = `On which port is the service ${name} ${(at + 3) % PER_NAME} deployed? I ask for the ${at}th time.`;
    for (const [way, turn] of Object.entries({ alone, remembering })) {
      const { ms, length } = await timed(turn, words);
      // The first ones load modules.
      if (at < 0) continue;
      took[way as keyof typeof took].push(ms);
      lengths[way as keyof typeof took].push(length);
    }
  }
  const base = quantile(took.alone, 0.5);
  return {
    door: door.name,
    version: door.package === null ? null : versionOf(door.package),
    alone_ms: Number(base.toFixed(2)),
    added_p50_ms: Number((quantile(took.remembering, 0.5) - base).toFixed(1)),
    added_p95_ms: Number((quantile(took.remembering, 0.95) - base).toFixed(1)),
    recalled_tokens: Math.round(
      (quantile(lengths.remembering, 0.5) - quantile(lengths.alone, 0.5)) / CHARACTERS_PER_TOKEN,
    ),
    ...(await away(door, base)),
    lines: door.files.reduce((sum, file) => sum + linesOf(file), 0),
  };
}

const UNWELL: Readonly<Record<string, RequestListener | null>> = {
  down: null,
  hanging: () => {},
  refusing: (_, response) =>
    response.writeHead(401, { "content-type": "application/json" }).end('{"code":"unauthorized"}'),
};

/** Seconds that a turn takes longer if the service is not well, and whether the turn failed for it. */
async function away(door: Door, base: number) {
  const seconds: Record<string, number | string> = {};
  for (const [kind, listener] of Object.entries(UNWELL)) {
    const server = createServer(listener ?? undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    if (listener === null) await new Promise((resolve) => server.close(resolve));
    const turn = await door.open({ url: `http://127.0.0.1:${port}`, key: "none" });
    const began = performance.now();
    const outcome = await turn("When is Apollo deployed?", crypto.randomUUID()).then(
      () => "",
      (error: Error) => ` (fails: ${error.message.slice(0, 60)})`,
    );
    seconds[`${kind}_s`] = `${((performance.now() - began - base) / 1000).toFixed(2)}${outcome}`;
    server.closeAllConnections();
    server.close();
  }
  return seconds;
}

/** Lines of code, without comments and blanks. */
function linesOf(file: string): number {
  const code = readFileSync(ROOT + file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|"""[\s\S]*?"""/g, "");
  return code.split("\n").filter((line) => !/^\s*(?:(?:\/\/|#).*)?$/.test(line)).length;
}

function versionOf(name: string): string {
  const manifest = `${ROOT}packages/client/node_modules/${name}/package.json`;
  return `${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

setTracingDisabled(true);
const service = { url: process.env.RECOLLECT_URL ?? "", key: process.env.RECOLLECT_API_KEY ?? "" };
const client = clientOf(service);
for (let at = 0; at < MEMORIES; at += 1) {
  const name = `${NAMES[at % NAMES.length]} ${Math.floor(at / NAMES.length)}`;
  const content = `The service ${name} is deployed on port ${7000 + at} by team ${at % 9}.`;
  await client.remember({ content, path: "services" });
}
const turns = Number(process.argv[2] ?? 200);
for (const door of DOORS) process.stdout.write(`${JSON.stringify(await measure(door, service, turns))}\n`);
process.exit();
