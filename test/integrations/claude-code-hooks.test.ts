// The hooks of the plugin for Claude Code, run as it runs them: a process each, one event on standard input.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.ts";

const HOOKS = fileURLToPath(new URL("../../packages/claude-code/hooks/", import.meta.url));
const PROMPT = "Why does the importer of Heron stop at the third file, and what did we decide about retries?";
const ANSWER =
  "It stops because the third file has no header. Retries stay off: they would repeat half an import.";

/** What a server was asked, and what it answers by method and path. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}
type Answer = (asked: Asked) => { status: number; body: object } | "nothing";

/** A server on loopback that answers as told, so that the ways of failing can be had one by one. */
async function serverThat(answer: Answer): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url: path = "", headers } = request;
    asked.push({ method, path, key: headers["x-api-key"] as string, body: JSON.parse(text) });
    const answered = answer(asked.at(-1) as Asked);
    if (answered === "nothing") return;
    response.writeHead(answered.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answered.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Runs a hook on an event. Returns its exit status and what it wrote. */
async function run(hook: "recall" | "capture", event: object | string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(HOOKS, `${hook}.mjs`)], {
    env: { PATH: process.env.PATH ?? "", RECOLLECT_API_KEY: "the-key", RECOLLECT_HOOK_DEBUG: "1", ...env },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    stderr += more;
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    stdout += more;
  });
  child.stdin.end(typeof event === "string" ? event : JSON.stringify(event));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, answer: stdout === "" ? undefined : JSON.parse(stdout), stderr };
}

type Ran = Awaited<ReturnType<typeof run>>;

/** Runs hooks until none of them gave up waiting, as they must on a machine that is too busy to answer in time. */
async function inTime<Seen>(work: () => Promise<{ ran: readonly Ran[]; seen: Seen }>): Promise<Seen> {
  for (;;) {
    const { ran, seen } = await work();
    if (!ran.some(({ stderr }) => /timeout|took too long/.test(stderr))) return seen;
  }
}

const start = { session_id: "s1", cwd: "/work/heron", hook_event_name: "SessionStart", source: "startup" };
const prompt = { ...start, hook_event_name: "UserPromptSubmit", prompt: PROMPT };

/** A session's file as Claude Code writes it, with lines that are no prompts. */
function stop(...more: object[]): object {
  const folder = mkdtempSync(join(tmpdir(), "recollect-hooks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines = [
    { type: "user", message: { content: "<command-name>/clear</command-name>" } },
    { type: "user", isMeta: true, message: { content: "Caveat: told to the model by the program." } },
    { type: "user", message: { content: PROMPT } },
    { type: "user", message: { content: [{ type: "tool_result", content: "a tool's answer" }] } },
    { type: "assistant", message: { content: [{ type: "text", text: ANSWER }] } },
  ];
  const transcript_path = join(folder, "session.jsonl");
  writeFileSync(transcript_path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"type":"us`);
  return Object.assign(
    { ...start, hook_event_name: "Stop", stop_hook_active: false, transcript_path },
    ...more,
  );
}

const away = async () => ({ RECOLLECT_URL: `http://127.0.0.1:${await freePort()}` });

test("nobody at the address, an answer that never comes, one that is no use: no hook fails or says a word of it", async () => {
  const silent = await serverThat(() => "nothing");
  const broken = await serverThat(() => ({ status: 500, body: {} }));
  const urls = [await away(), { RECOLLECT_URL: silent.url }, { RECOLLECT_URL: broken.url }];
  const runs = urls.flatMap((env) => [
    run("recall", prompt, env),
    run("capture", stop(), env),
    run("recall", start, env).then((ran) => ({ ...ran, answer: undefined })),
  ]);
  for (const ran of await Promise.all(runs)) expect(ran).toMatchObject({ code: 0, answer: undefined });
});

test("a session is told at its start that it has no memory, and why", async () => {
  const refusing = await serverThat(() => ({ status: 401, body: { code: "invalid_token" } }));
  const answer = await inTime(async () => {
    const ran = await run("recall", start, { RECOLLECT_URL: refusing.url });
    return { ran: [ran], seen: ran.answer };
  });
  expect(answer).toEqual({ systemMessage: expect.stringContaining("refuses RECOLLECT_API_KEY") });
  expect((await run("recall", start, await away())).answer.systemMessage).toContain("does not answer");
});

test("what is no event, and what has no key, does nothing", async () => {
  const { url, asked } = await serverThat(() => ({ status: 200, body: {} }));
  const noEvents = ["", "no JSON", "null", "[]"].flatMap((event) =>
    (["recall", "capture"] as const).map((hook) => run(hook, event, { RECOLLECT_URL: url })),
  );
  const idle = [
    run("recall", prompt, { RECOLLECT_URL: url, RECOLLECT_API_KEY: "" }),
    run("capture", stop(), { RECOLLECT_URL: url, RECOLLECT_API_KEY: "" }),
    run("capture", stop(), { RECOLLECT_URL: url, RECOLLECT_CAPTURE: "off" }),
    run("capture", stop({ stop_hook_active: true }), { RECOLLECT_URL: url }),
    run("capture", stop({ transcript_path: "/nowhere" }), { RECOLLECT_URL: url }),
    run("recall", { ...prompt, prompt: "/clear" }, { RECOLLECT_URL: url }),
  ];
  for (const { code } of await Promise.all([...noEvents, ...idle])) expect(code).toBe(0);
  expect(asked).toEqual([]);
});

test("a redirect is not followed: the key stays with its server", async () => {
  const elsewhere = await serverThat(() => ({ status: 200, body: {} }));
  const server = createServer((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const env = { RECOLLECT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  expect((await run("recall", prompt, env)).code).toBe(0);
  expect(elsewhere.asked).toEqual([]);
});

test("a session has one memory: its first turn makes it, later ones change it", async () => {
  const asked = await inTime(async () => {
    let made = false;
    const { url, asked: seen } = await serverThat(({ method }) => {
      if (method === "POST") made = true;
      return { status: made ? 200 : 404, body: {} };
    });
    const inProject = { RECOLLECT_URL: url, RECOLLECT_PROJECT: "cassini" };
    const first = await run("capture", stop({ last_assistant_message: ANSWER }), inProject);
    return { ran: [first, await run("capture", stop({ hook_event_name: "SessionEnd" }), inProject)], seen };
  });
  const content = `Claude Code session in cassini. Asked:\n- ${PROMPT}\nOutcome: ${ANSWER}`;
  expect(asked).toMatchObject([
    { method: "PATCH", path: "/v1/memories/claude-code-s1", key: "the-key", body: { content } },
    {
      method: "POST",
      path: "/v1/memories",
      body: { memory_id: "claude-code-s1", content, memory_type: "working" },
    },
    { method: "PATCH", path: "/v1/memories/claude-code-s1", body: { content } },
  ]);
  expect(asked[1]?.body.provenance).toEqual({ project_id: "cassini" });
});
