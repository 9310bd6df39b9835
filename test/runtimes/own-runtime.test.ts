/** What people do who have Bun or Deno, and no Node: each with its own install and its own start. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandOf } from "../../bin/runtime.js";
import { httpClient } from "../support/http-client.ts";
import { oneOrAll } from "../support/random.ts";
import { home, KEY } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
/** What this checkout has beside what a clone brings. */
const MADE = /(?:^|\/)(?:node_modules|dist|\.git|\.venv|\.built-from)$/;

const OWN = {
  bun: { start: ["start"], install: ["install"] },
  deno: { start: ["task", "start"], install: null },
} as const;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-own-"));
  // The embedded database may run as another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function shellAlone(): string {
  const folder = temporaryFolder();
  symlinkSync("/bin/sh", join(folder, "sh"));
  return folder;
}

/** An environment in which whoever asks for Node or npm fails, and leaves a trace. */
function withoutNode(runtime: "bun" | "deno") {
  const folder = temporaryFolder();
  const trace = join(folder, "called");
  for (const name of ["node", "npm", "npx"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> '${trace}'\nexit 97\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const [program = ""] = commandOf(runtime);
  const own = join(folder, "own");
  mkdirSync(own);
  cpSync(program, join(own, runtime));
  const { PATH = "", HOME = "" } = process.env;
  const outside = Object.entries(process.env).filter(([name]) =>
    /^SSL_CERT_FILE$|CA_CERTS$|_proxy$|_registry$/i.test(name),
  );
  return {
    program: join(own, runtime),
    env: {
      ...Object.fromEntries(outside),
      PATH: [own, folder, PATH].join(delimiter),
      HOME,
      DENO_TLS_CA_STORE: "system",
    } as Record<string, string>,
    hasAskedForNode: () => existsSync(trace),
  };
}

const OWN_RUNTIMES = ["bun", "deno"] as const;
const INSTALLED = oneOrAll(OWN_RUNTIMES);

/** Deno installs when it starts, which takes it more than a minute of one core. */
const INSTALLS_WITHIN_MS = 500_000;

describe.each(OWN_RUNTIMES)("on %s", { timeout: 600_000 }, (runtime) => {
  test("its own start serves with what is installed, without Node, and stops when it is asked to", async () => {
    const { program, env, hasAskedForNode } = withoutNode(runtime);
    await serves(runtime, [program, ...OWN[runtime].start], env);
    expect(hasAskedForNode()).toBe(false);
  });

  if (!INSTALLED.includes(runtime)) return;
  test("a clone is installed and started by it alone, with this project's patches", async () => {
    const { program, env, hasAskedForNode } = withoutNode(runtime);
    const checkout = temporaryFolder();
    cpSync(repository, checkout, { recursive: true, filter: (path) => !MADE.test(path) });
    const { install, start } = OWN[runtime];
    if (install) {
      // Packages' own scripts take a Node that is there; without one Bun stands in for it.
      const PATH = [join(program, ".."), shellAlone()].join(delimiter);
      const installed = spawnSync(program, install, {
        cwd: checkout,
        env: { ...env, PATH },
        encoding: "utf8",
      });
      expect([installed.status, installed.stderr]).toEqual([0, expect.anything()]);
    }
    await serves(runtime, [program, ...start], env, checkout);
    expect(hasAskedForNode()).toBe(false);
    // Neither leaves a lock file of its own beside the one that there is.
    for (const lock of ["bun.lock", "bun.lockb", "deno.lock"])
      expect(existsSync(join(checkout, lock))).toBe(false);
  });
});

test("bun test says what to type, and fails", () => {
  const [program = ""] = commandOf("bun");
  for (const named of [[], ["test/memory/update.test.ts"]]) {
    const { status, stderr } = spawnSync(program, ["test", ...named], { cwd: repository, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("type `bun run test` or `npm test`")]);
  }
});

async function serves(
  runtime: "bun" | "deno",
  by: readonly string[],
  env: Record<string, string>,
  checkout = repository,
): Promise<void> {
  const at = await home({ checkout });
  const server = at.start(runtime, { ...env, BOOTSTRAP_API_KEY: KEY }, by);
  const client = httpClient(await server.ready(INSTALLS_WITHIN_MS), KEY);
  expect(
    (await client.post("/v1/remember", { content: "Deploys go out on Tuesdays", path: "a" })).status,
  ).toBe(201);
  expect((await client.get("/v1/recall?query=deploys")).body.results).toHaveLength(1);
  await server.stop();
  await expect.poll(() => at.processes(), { timeout: 20_000 }).toEqual([]);
}
