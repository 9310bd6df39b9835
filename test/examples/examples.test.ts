/** Every example, run as its head comment says, against a server as users start it. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { home, KEY, startServer } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const examples = readdirSync(join(repository, "examples")).filter((name) => name !== "README.md");

/** What each prints, if it did what it shows. */
const printed: Readonly<Record<string, readonly RegExp[]>> = {
  "rest.ts": [
    /^\d\.\d\d {2}Apollo is deployed on Thursdays\.\n\n### Recollect Context\n/,
    /answer_status: \w+/,
  ],
  "mcp.ts": [/^\d+ tools: .*remember/, /### Recollect Context[\s\S]*Releases of Borealis are cut by Nadia\./],
  "curl.sh": [/^remembered: \{.*"id":/, /recalled: .*kept by Omar/, /forgotten: .*"reversible":false/],
  "handover.ts": [
    /Write the queue's migration\./,
    /Postgres: it is there already/,
    /The todo is completed\.\n$/,
  ],
  "backup.sh": [/^Exported \d+ memories/, /0 memories would be created, [1-9]\d* unchanged, 0 conflicts/],
};

test("every example is in the list, and short enough to read at a glance", () => {
  expect(Object.keys(printed).sort()).toEqual(examples.sort());
  const list = readFileSync(join(repository, "examples/README.md"), "utf8");
  for (const name of examples) {
    expect(list).toContain(`[${name}](${name})`);
    expect(readFileSync(join(repository, "examples", name), "utf8").split("\n").length).toBeLessThan(60);
  }
});

test("every example does what it shows", { timeout: 300_000 }, async () => {
  const at = await home();
  const { url } = await startServer(at, "node");
  const { PATH = "", HOME = "" } = process.env;
  const env = {
    PATH,
    HOME,
    RECOLLECT_URL: url,
    RECOLLECT_API_KEY: KEY,
    DATA_DIR: at.dataDir,
    ...(at.url && { DATABASE_URL: at.url }),
  };
  // In this order: the backup is of what the others wrote.
  for (const [name, patterns] of Object.entries(printed)) {
    const [program, ...args] = name.endsWith(".ts")
      ? [process.execPath, "--import", "tsx", `examples/${name}`]
      : ["sh", `examples/${name}`, join(at.dataDir, "..", "backup.jsonl")];
    const { stdout } = await promisify(execFile)(program as string, args, { cwd: repository, env });
    for (const pattern of patterns) expect(stdout, name).toMatch(pattern);
  }
});
