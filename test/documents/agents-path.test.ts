/** The way of an agent with nothing but curl, each line of docs/skill-runtime.md as it stands there. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { freePort } from "../support/free-port.ts";
import { openWorld } from "../support/world.ts";

const document = readFileSync(new URL("../../docs/skill-runtime.md", import.meta.url), "utf8");
/** Where the document's server is. */
const ADDRESS = "http://127.0.0.1:8787";
/** What the human is shown, and nobody else. */
const SHOWN = "rcl_confirm_...";

/** The commands of the blocks between two headings; one that goes on in the next line is one. */
function commandsOf(begin: string, end: string): string[] {
  const section = document.slice(document.indexOf(begin), document.indexOf(end));
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  return blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n")).filter((line) => line !== "");
}

/** A shell in a folder of its own, as a person or an agent would have it open. */
function openShell() {
  const folder = mkdtempSync(join(tmpdir(), "recollect-agents-path-"));
  const { PATH = "" } = process.env;
  const shell = spawn("sh", ["-eu"], { cwd: folder, env: { PATH }, stdio: ["pipe", "pipe", "pipe"] });
  let told = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => {
      told += more;
    });
  const ended = new Promise((resolve) => shell.once("close", resolve));
  onTestFinished(async () => {
    shell.stdin.end();
    await ended;
    rmSync(folder, { recursive: true });
  });
  /** What a command prints; a command that fails ends the shell, and this rejects with what it said. */
  return async (command: string): Promise<string> => {
    told = "";
    shell.stdin.write(`${command}\nprintf '\\nDONE\\n'\n`);
    while (!told.endsWith("\nDONE\n")) {
      if (shell.exitCode !== null) throw new Error(`${command} failed: ${told}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return told.slice(0, -"\nDONE\n".length);
  };
}

test("from discovery to what was remembered, with curl and nothing else", async () => {
  const port = await freePort();
  const world = await openWorld({ PORT: String(port) });
  const server = await listen({ fetch: world.handle, host: "127.0.0.1", port });
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  const human = await world.service.credentials.ensureOwner("user", "ada");
  const approve = async (bindUrl: string) => {
    const code = new URL(bindUrl).searchParams.get("code") ?? "";
    const approval = {
      scopes: ["memory:read", "memory:write"] as const,
      projects: null,
      teamId: null,
      discards: false,
    };
    return (await world.service.agentClaims.approve(human, code, approval)).confirmationToken;
  };

  const run = openShell();
  const said: string[] = [];
  let shown = "";
  for (const line of commandsOf("## From nothing to a token", "## A request")) {
    if (line.includes(SHOWN)) shown = await approve(said.at(-1) ?? "");
    said.push(await run(line.replaceAll(ADDRESS, server.url).replaceAll(SHOWN, shown)));
  }

  expect(shown).toMatch(/^rcl_confirm_/);
  const answers = said.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
  expect(answers).toMatchObject([
    { base_url: server.url, registration: { is_open: true } },
    { operation: "remember", ok: true, result: { status: "remembered" } },
    { operation: "recall", ok: true, result: { items: [{ content: "Deploys go out on Tuesdays." }] } },
  ]);
  expect(answers[2].result.context_text).toMatch(/^### Recollect Context\n[\s\S]*Deploys go out on Tuesdays/);
  // What the agent remembers is its human's now.
  const ofHuman = await world.client({ owner: "ada" });
  expect((await ofHuman.get("/v1/memories")).body.total).toBe(1);
});
