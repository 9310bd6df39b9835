/** The README's examples, each run as it stands there against a real server; one that is not run says why. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { createClient } from "../../src/client/index.ts";
import { openWorld } from "../support/world.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const ADDRESS = "http://127.0.0.1:8787";

const blocks = [...readme.matchAll(/(?:<!-- not run: (.+?) -->\n)?```(\w+)\n([\s\S]*?)```/g)].map(
  ([, reason, language, text = ""]) => ({ reason, language, text }),
);
const run = (language: string) => blocks.filter((one) => one.language === language && !one.reason);

async function served() {
  const world = await openWorld();
  const server = await listen({ fetch: world.handle, host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await server.close();
    await world.close();
  });
  return { url: server.url, key: (await world.client({ owner: "ada" })).token };
}

test("every block is run, or says why not", () => {
  expect(blocks.filter(({ reason }) => !reason).map(({ language }) => language)).toEqual([
    "ts",
    // Run by the Python client's own tests, packages/python/tests/test_readme.py.
    "python",
    "sh",
    "json",
  ]);
});

test("the commands of REST do what they show", async () => {
  const { url, key } = await served();
  const { PATH = "" } = process.env;
  const said: string[] = [];
  for (const { text } of run("sh")) {
    for (const command of text.replaceAll("\\\n", " ").split("\n").filter(Boolean)) {
      const line = command.replace("curl ", "curl -sS --fail-with-body ").replaceAll(ADDRESS, url);
      const env = { PATH, RECOLLECT_API_KEY: key };
      said.push((await promisify(execFile)("sh", ["-euc", line], { env })).stdout);
    }
  }
  const [, corrected, found] = said.map((text) => JSON.parse(text));
  expect(found.results).toMatchObject([{ id: corrected.id, content: "Deploys go out on Thursdays." }]);
});

test("the client's lines do what they show", async () => {
  const { url, key } = await served();
  const [block] = run("ts");
  const body = (block?.text ?? "").replace(/^import .*\n/m, "").replaceAll(ADDRESS, url);
  const printed: string[] = [];
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<unknown>;
  const lines = new AsyncFunction("createClient", "process", "console", body);
  const env = { RECOLLECT_API_KEY: key };
  await lines(createClient, { env }, { log: (line: string) => printed.push(line) });
  expect(printed.join("\n")).toContain("Thursdays");
  expect(printed.join("\n")).not.toContain("Tuesdays");
});

test("each MCP configuration names an address where MCP is spoken", async () => {
  const { url, key } = await served();
  const lines = run("json").flatMap(({ text }) => text.trim().split(/\n(?=\{)/));
  const statuses = [];
  for (const line of lines) {
    const { recollect } = JSON.parse(line.replaceAll(ADDRESS, url).replace("rcl_key_...", key)).mcpServers;
    const answer = await fetch(recollect.url, {
      method: "POST",
      headers: {
        ...recollect.headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    statuses.push([
      answer.status,
      answer.headers.get("www-authenticate")?.includes("resource_metadata") ?? false,
    ]);
    await answer.body?.cancel();
  }
  // The one is told where it may sign in, the other is in.
  expect(statuses).toEqual([
    [401, true],
    [200, false],
  ]);
});
