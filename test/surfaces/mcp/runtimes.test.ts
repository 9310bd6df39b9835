import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Client, type Progress, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { contextAnswer } from "./answers.ts";
import { NEWEST, ONE_BEFORE, textOf } from "./world.ts";

const commands = {
  node: ["tsx"],
  bun: ["bun"],
  deno: ["deno", "run", "-A", "--no-lock"],
} as const;

/** A server in a process of its own, which ends with the test: its address, and what it says afterwards. */
async function started(runtime: keyof typeof commands) {
  const [program, ...flags] = commands[runtime];
  const child = spawn(`node_modules/.bin/${program}`, [...flags, "test/fixtures/mcp-server.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The server on ${runtime} has ended.`);
    return JSON.parse(value);
  };
  return { url: new URL("/mcp", (await next()).url), next };
}

test.each(["node", "bun", "deno"] as const)(
  "on %s both revisions work over a loopback port",
  async (runtime) => {
    const { url } = await started(runtime);
    for (const revision of [NEWEST, ONE_BEFORE]) {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode: revision === NEWEST ? "auto" : "legacy" } },
      );
      const requestInit = { headers: { Authorization: "Bearer ada" } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "get_memory",
        "list_memories",
        "recall_context",
        "search_memories",
        "get_profile",
        "project_context",
        "decision_list",
        "todo_list",
        "maintenance_report",
      ]);
      const result = await client.callTool({
        name: "recall_context",
        arguments: { query: "naïve — 日本語" },
      });
      expect(textOf(result)).toBe(contextAnswer("ada").context_text);
      expect(result.structuredContent).toMatchObject({ context_text: contextAnswer("ada").context_text });
      await client.close();
    }
    const headers = { "Content-Type": "application/json", Authorization: "Bearer ada" };
    for (const accept of ["*/*", "application/json", "application/*"]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      const listed = await fetch(url, { method: "POST", headers: { ...headers, Accept: accept }, body });
      expect([listed.status, listed.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await listed.json()).toMatchObject({ id: 1, result: { tools: expect.anything() } });
    }
    const tooLarge = await fetch(url, { method: "POST", headers, body: "x".repeat(1_100_000) });
    expect(tooLarge.status).toBe(413);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    const unread = await fetch(url, { headers });
    expect([unread.status, unread.headers.get("content-type")]).toEqual([405, "application/json"]);
  },
  30_000,
);

test.each(["node", "bun", "deno"] as const)(
  "on %s a long reading tells how far it has come, and stops when its client lets it go or is gone",
  async (runtime) => {
    const { url, next } = await started(runtime);
    const ways = [
      { revision: NEWEST, leaves: false },
      { revision: ONE_BEFORE, leaves: false },
      { revision: ONE_BEFORE, leaves: true },
    ];
    for (const { revision, leaves } of ways) {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode: revision === NEWEST ? "auto" : "legacy" } },
      );
      const requestInit = { headers: { Authorization: "Bearer ada" } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      const controller = new AbortController();
      const told: Progress[] = [];
      const called = client.callTool(
        { name: "maintenance_report", arguments: { project_id: "apollo" } },
        {
          signal: controller.signal,
          onprogress(progress) {
            told.push(progress);
            if (told.length !== 3) return;
            if (leaves) void client.close();
            else controller.abort();
          },
        },
      );
      await expect(called).rejects.toThrow();
      expect(await next()).toEqual({ calledOff: "request_called_off" });
      expect(told.slice(0, 3)).toEqual([1, 2, 3].map((progress) => ({ progress, total: 10_000 })));
      await client.close();
    }
  },
  60_000,
);
