import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run as runToEnd } from "../protocol/run.ts";
import type { Server } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import { freePort } from "../support/free-port.ts";
import { type AgentRan, alone, outcomeOf, placeOf, runAgent } from "./coding-agent.ts";
import { type Conversation, conversationAbout, rememberedBy, storedUnder } from "./conversation.ts";
import { documented } from "./documented.ts";
import type { Tools } from "./tools.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const PLUGIN = join(REPOSITORY, "packages/claude-code");

/** Runs `claude -p` on the conversation; `more` are further arguments. */
function run(
  tools: Tools,
  place: { home: string; project: string },
  { prompt, turns }: Conversation,
  server: { url: string; key: string },
  more: readonly string[],
): Promise<AgentRan> {
  return runAgent(place, turns, (model) => ({
    command: [tools.claude, "-p", prompt, "--output-format", "stream-json", "--verbose", ...more],
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "sk-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      RECOLLECT_URL: server.url,
      RECOLLECT_API_KEY: server.key,
      RECOLLECT_HOOK_DEBUG: "1",
    },
  }));
}

const toolsOf = (prefix: string) =>
  ["remember", "recall_context"].map((tool) => `mcp__${prefix}__${tool}`).join(",");

/** The project's .mcp.json, approved in its settings: the model's calls reach the server and come back. */
export async function claudeCode(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  const conversation = conversationAbout("Ardea");
  writeFileSync(join(place.project, ".mcp.json"), documented("claude-code", ".mcp.json", server.url));
  // What a person answers when Claude Code asks whether to use the project's servers.
  const approved = { enabledMcpjsonServers: ["recollect"] };
  mkdirSync(join(place.home, ".claude"));
  writeFileSync(join(place.home, ".claude/settings.json"), JSON.stringify(approved));
  const more = ["--allowedTools", toolsOf("recollect")];
  const ran = await run(tools, place, conversation, server, more);
  return outcomeOf(ran, await rememberedBy("claude-code", server, conversation, ran));
}

/** The plugin, installed as its page says: the tools, both recalls, and one memory of each session. */
export async function claudeCodePlugin(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  for (const step of [
    ["validate", PLUGIN],
    ["marketplace", "add", REPOSITORY],
    ["install", "recollect@recollect"],
  ])
    await runToEnd(alone(place.home, [tools.claude, "plugin", ...step]), { cwd: place.project });
  const withPlugin = ["--allowedTools", toolsOf("plugin_recollect_recollect")];
  const first = conversationAbout("Egretta");
  const ran = await run(tools, place, first, server, withPlugin);
  const notes = await storedUnder(server, "claude-code/heron");
  const second = {
    ...first,
    prompt: "On which host does the staging database of Egretta run?",
    turns: [{ text: first.answer }],
  };
  const later = await run(tools, place, second, server, withPlugin);
  const [asked = ""] = later.asked;
  return outcomeOf({ ...later, output: ran.output + later.output }, [
    ["the first session ended with 0, and took every turn", ran.code === 0 && ran.left === 0],
    ...(await rememberedBy("claude-code", server, first, ran)),
    ["one memory of the first session was kept", notes.length === 1],
    ["it says what was asked", notes[0]?.content.includes(first.prompt) ?? false],
    ["it says what came of it", notes[0]?.content.includes(first.answer) ?? false],
    ["it is the project's", notes[0]?.provenance.project_id === "heron"],
    ["it names the agent", notes[0]?.provenance.agent_id === "claude-code"],
    [
      "the next session begins with the project's context",
      asked.includes("The Recollect project of this session is heron"),
    ],
    ["it begins with the note of the first", asked.includes("Claude Code session in heron")],
    ["the prompt brings what is known about it", asked.includes(first.fact)],
    ["the skill is offered", asked.includes("recollect:recollect")],
    [
      "both sessions have a memory of their own",
      (await storedUnder(server, "claude-code/heron")).length === 2,
    ],
  ]);
}

/** The plugin with nobody at the address: the agent works as ever. */
export async function claudeCodeWithoutServer(tools: Tools, folder: string): Promise<Outcome> {
  const nobody = { url: `http://127.0.0.1:${await freePort()}`, key: "a-key-that-nobody-asks-for" };
  const conversation = { ...conversationAbout("Grus"), turns: [] };
  const ran = await run(tools, placeOf(folder), conversation, nobody, ["--plugin-dir", PLUGIN]);
  return outcomeOf(ran, [
    ["the model's answer came through", /"result":"ok"/.test(ran.output)],
    ["the user is told once", ran.output.split("this session has no memory").length > 1],
  ]);
}
