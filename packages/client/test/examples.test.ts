/** Every example, run by itself with the real framework, on each runtime. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { watchedClient } from "./clients.ts";

const client = fileURLToPath(new URL("..", import.meta.url));
const shared = ["service.ts", "scripted-model.ts"];

/** What each prints, if it did what it shows. */
const printed: Readonly<Record<string, RegExp>> = {
  "ai-sdk.ts": /I was shown:[\s\S]*Biscuit is allergic to chicken/,
  "langchain.ts": /^The kiln is fired on Fridays\.\n$/,
  // Each runtime prints objects in its own way.
  "langgraph.ts":
    /does not eat nuts[\s\S]*work \{\s+text: ['"]Ada repairs harpsichords\.['"],?\s+\}\n\[\s+\[ ['"]users['"], ['"]ada['"] \]\s+\]/,
  "mastra.ts": /Be brief\.[\s\S]*Odran keeps bees/,
  "openai-agents.ts": /Remembered, as [\s\S]*waters the ferns on Mondays/,
};

test("every example is tried", () => {
  const found = readdirSync(join(client, "examples/frameworks")).filter((name) => !shared.includes(name));
  expect(found.sort()).toEqual(Object.keys(printed).sort());
});

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  bun: [join(repository, "node_modules/.bin/bun"), "run"],
  deno: [join(repository, "node_modules/.bin/deno"), "run", "-A", "--node-modules-dir=manual", "--no-lock"],
  node: [process.execPath, "--import", join(repository, "node_modules/tsx/dist/loader.mjs")],
};

/** A program of a user's: the examples, with what they import installed beside them. */
const project = mkdtempSync(join(tmpdir(), "recollect-frameworks-"));
beforeAll(() => {
  cpSync(join(client, "examples/frameworks"), project, { recursive: true });
  const packages = readdirSync(join(client, "node_modules")).filter((name) => !name.startsWith("."));
  mkdirSync(join(project, "node_modules/@recollect"), { recursive: true });
  for (const name of packages)
    symlinkSync(join(client, "node_modules", name), join(project, "node_modules", name));
  symlinkSync(client.replace(/\/$/, ""), join(project, "node_modules/@recollect/client"));
  const { devDependencies } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  const dependencies = { ...devDependencies, "@recollect/client": "*" };
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", dependencies }));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a program of the folder, and returns what it prints. */
async function run(runtime: string, ...args: readonly string[]): Promise<string> {
  const { url, key } = inject("server");
  const { PATH = "", HOME = "" } = process.env;
  const [program = "", ...options] = COMMANDS[runtime] ?? [];
  const env = { PATH, HOME, NO_COLOR: "1", RECOLLECT_URL: url, RECOLLECT_API_KEY: key };
  const { stdout } = await promisify(execFile)(program, [...options, ...args], { cwd: project, env });
  return stdout;
}

test("the agent of the AI SDK's page knows in its second run what it was told in the first", async () => {
  const page = readFileSync(join(repository, "docs/integrations/ai-sdk.md"), "utf8");
  const [, program = ""] = /^```js\n(\/\/ agent\.mjs\n[\s\S]*?)^```$/m.exec(page) ?? [];
  writeFileSync(join(project, "agent.mjs"), program);
  await run("node", "agent.mjs", "My cat Biscuit is allergic to chicken.");
  expect(await run("node", "agent.mjs", "What must my cat Biscuit not eat?")).toContain(
    "> My cat Biscuit is allergic to chicken.",
  );
});

describe.each(Object.keys(COMMANDS))("on %s", (runtime) => {
  beforeAll(async () => {
    const { client: memories } = watchedClient();
    const written = memories.each("listMemories", { path: "examples/%", status: "%" });
    for await (const { id } of written) await memories.deleteMemory({ memory_id: id, mode: "hard_delete" });
  });

  test.for(Object.entries(printed))(
    "%s does what it shows",
    { timeout: 180_000 },
    async ([name, pattern]) => {
      expect(await run(runtime, name)).toMatch(pattern);
    },
  );
});
