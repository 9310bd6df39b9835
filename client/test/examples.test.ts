/** Every example, run by itself with the real framework. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

const client = fileURLToPath(new URL("..", import.meta.url));
const shared = ["service.ts", "scripted-model.ts"];

/** What each prints, if it did what it shows. */
const printed: Readonly<Record<string, RegExp>> = {
  "ai-sdk.ts": /I was shown:[\s\S]*Biscuit is allergic to chicken/,
  "langchain.ts": /^The kiln is fired on Fridays\.\n$/,
  "langgraph.ts":
    /does not eat nuts[\s\S]*work \{ text: 'Ada repairs harpsichords\.' \}\n\[ \[ 'users', 'ada' \] \]/,
  "mastra.ts": /Be brief\.[\s\S]*Odran keeps bees/,
  "openai-agents.ts": /Remembered, as [\s\S]*waters the ferns on Mondays/,
};

test("every example is tried", () => {
  const found = readdirSync(join(client, "examples/frameworks")).filter((name) => !shared.includes(name));
  expect(found.sort()).toEqual(Object.keys(printed).sort());
});

test.for(Object.entries(printed))("%s does what it shows", { timeout: 180_000 }, async ([name, pattern]) => {
  const { url, key } = inject("server");
  const { PATH = "", HOME = "" } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", join("examples/frameworks", name)],
    {
      cwd: client,
      env: { PATH, HOME, RECOLLECT_URL: url, RECOLLECT_API_KEY: key },
    },
  );
  expect(stdout).toMatch(pattern);
});
