/** The whole service as users start it, on each runtime. */
import { execFileSync } from "node:child_process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { home, KEY, runtimes, startServer } from "../support/server.ts";

/** What a shell prints that is given the lines. */
const shell = (...lines: string[]) =>
  JSON.parse(
    execFileSync("sh", ["-c", lines.join("\n")], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );

describe.each(runtimes)("on %s", { timeout: 300_000 }, (runtime) => {
  test("the first start prints a key and curl lines that work; the second keeps the data, prints none, and does it all", async () => {
    const at = await home({ fresh: true });
    const first = at.start(runtime);
    await first.ready();
    const welcome = await eventually("the welcome", () =>
      first.stdout().includes("/mcp.") ? first.stdout() : undefined,
    );
    expect((first.stdout() + first.stderr()).match(/rcl_key_/g)).toHaveLength(1);
    const { key, id } = followWelcome(welcome);
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    expect(first.stderr()).toMatch(/Stopping\.\n$/);
    expect(at.processes()).toEqual([]);

    // Where it is, it says at any level.
    const second = at.start(runtime, { LOG_LEVEL: "silent" });
    const url = await second.ready();
    const client = httpClient(url, key);
    expect((await client.get(`/v1/memories/${id}`)).body.content).toBe("Deploys go out on Tuesdays");
    expect((await client.get("/v1/recall?query=deploys")).body.results).toHaveLength(1);
    await liveOneMemory(client);
    await speakMcp(url, key);
    await readPages(url);
    await followDiscovery(url);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    expect(at.processes()).toEqual([]);
    expect(second.stdout()).toBe("");
    expect(withoutDenosRemark(second.stderr())).toMatch(/^Recollect is ready at \S+\n$/);
  });

  test("a port that is taken, a data folder that is held and a database that is away are refused in a sentence, and their server lives on", async () => {
    // The data folder is to be held, so its database is the embedded one.
    const at = await home({ embedded: true });
    const { server, url } = await startServer(at, runtime, { APP_ENV: "test", LOG_LEVEL: "error" });
    const folderHeld = at.start(runtime, { BOOTSTRAP_API_KEY: KEY });
    const portTaken = (await home()).start(runtime, {
      BOOTSTRAP_API_KEY: KEY,
      PORT: new URL(url).port,
    });
    const noDatabase = at.start(runtime, { DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/x" });
    expect(await noDatabase.exited).toEqual({ code: 1, signal: null });
    expect(noDatabase.stderr()).toBe("The database does not answer: start it, or check DATABASE_URL.\n");
    expect(await folderHeld.exited).toEqual({ code: 1, signal: null });
    expect(folderHeld.stderr()).toMatch(
      /^The data folder \S+ is in use by process \d+: stop it, or choose another DATA_DIR\.\n$/,
    );
    expect(await portTaken.exited).toEqual({ code: 1, signal: null });
    expect(portTaken.stderr()).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken: [^\n]+\.\n$/);
    const remembered = await httpClient(url, KEY).post("/v1/remember", { content: "Still here", path: "a" });
    expect(remembered.status).toBe(201);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(at.processes()).toEqual([]);
  });
});

/** What the server hands out names the port that it has got, whichever was free. */
async function followDiscovery(url: string): Promise<void> {
  const document = await (await fetch(`${url}/.well-known/agent-discovery.json`)).json();
  expect([document.base_url, document.standalone_skill.operations_url]).toEqual([
    url,
    `${url}/v1/skill/operations`,
  ]);
  expect(await (await fetch(document.standalone_skill.skill_document)).text()).toContain(url);
  const registered = await httpClient(document.base_url, "").post("/v1/agents/register", {
    entry_type: "cli",
    client_name: "c",
    installation_fingerprint: "f",
  });
  expect(registered.body.bind_url.startsWith(`${url}/bind?code=`)).toBe(true);
  expect((await fetch(registered.body.bind_url)).status).toBeLessThan(400);
}

/** Does as the first start says, word by word. Answers the key and what was remembered. */
function followWelcome(welcome: string): { key: string; id: string } {
  const lines = welcome.split("\n").map((line) => line.trim());
  const exported = lines.find((line) => line.startsWith("export ")) ?? "";
  const curls = lines.filter((line) => line.startsWith("curl "));
  expect(curls).toHaveLength(3);
  const [remember = "", recall = "", context = ""] = curls;
  const remembered = shell(exported, remember);
  expect(remembered).toMatchObject({ status: "remembered", deduplicated: false });
  expect(shell(exported, recall).results[0]).toMatchObject({ id: remembered.id });
  expect(shell(exported, context).context_text).toMatch(
    /^### Recollect Context\n[\s\S]*Deploys go out on Tuesdays/,
  );
  return { key: exported.split("=")[1] ?? "", id: remembered.id };
}

/** Deno tells once of a change in its own API (`--unstable-no-legacy-abort`), which is about no fault of the service. */
const withoutDenosRemark = (stderr: string) => stderr.replace(/^Deno\.serve: request\.signal [^\n]*\n/m, "");

async function liveOneMemory(client: HttpClient): Promise<void> {
  const content = "The staging database moved to db-2 — 日本語 too";
  const { status, body } = await client.post("/v1/remember", { content, path: "projects/apollo" });
  expect([status, body.status]).toEqual([201, "remembered"]);
  const memory = `/v1/memories/${body.id}`;
  const found = async () =>
    (await client.get("/v1/memories/search?query=staging+database&path=projects/apollo")).body.results.map(
      (hit: { id: string }) => hit.id,
    );
  expect(await found()).toEqual([body.id]);
  const context = await client.post("/v1/recall/context", { query: "where is the staging database?" });
  expect(context.body.context_text).toMatch(/^### Recollect Context/);
  expect(context.body.context_text).toContain(content);

  const etag = (await client.get(memory)).headers.get("etag") ?? "";
  const patched = await client.patch(memory, { importance: 0.9 }, { "if-match": etag });
  expect([patched.status, patched.body.importance]).toEqual([200, 0.9]);
  expect((await client.patch(memory, { importance: 0.1 }, { "if-match": etag })).status).toBe(412);
  expect((await client.get(memory)).headers.get("etag")).toBe(patched.headers.get("etag"));

  expect((await client.delete(memory)).body).toMatchObject({ mode: "soft_delete", reversible: true });
  expect(await found()).toEqual([]);
  expect((await client.post(`${memory}/restore`)).body).toEqual({ id: body.id, status: "active" });
  expect(await found()).toEqual([body.id]);

  const erased = await client.delete(`${memory}?mode=hard_delete`);
  expect(erased.body).toMatchObject({ mode: "hard_delete", reversible: false });
  expect(await found()).toEqual([]);
  expect((await client.get(memory)).status).toBe(404);
  const receipt = await eventually("the receipt's confirmation", async () => {
    const answer = await client.get(`/v1/receipts/${erased.body.receipt.id}`);
    return answer.body.state === "confirmed" ? answer.body : undefined;
  });
  expect(receipt).toMatchObject({ id: erased.body.receipt.id, removed: { memories: 1 } });
}

async function speakMcp(url: string, key: string): Promise<void> {
  const client = new Client({ name: "smoke", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  try {
    const content = "Releases are cut by Nadia";
    const remembered = await client.callTool({ name: "remember", arguments: { content, path: "team" } });
    expect(remembered.structuredContent).toMatchObject({ status: "remembered" });
    const recalled = await client.callTool({
      name: "recall_context",
      arguments: { query: "who cuts releases?" },
    });
    expect(JSON.stringify(recalled.content)).toMatch(/^\[\{"type":"text","text":"### Recollect Context/);
    expect(JSON.stringify(recalled.content)).toContain(content);
  } finally {
    await client.close();
  }
}

async function readPages(url: string): Promise<void> {
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: "ready",
    dependencies: expect.objectContaining({ postgres: true, index: true, embedder: true, worker: true }),
    degraded: {},
  });
  expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({
    openapi: expect.stringMatching(/^3\./),
  });
  const docs = await fetch(`${url}/docs/reference/`);
  expect([docs.status, docs.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  expect(await docs.text()).toContain("API reference");
  for (const token of ["", "rcl_key_wrong"]) {
    const refused = await httpClient(url, token).get("/v1/memories");
    expect([refused.status, refused.body.code]).toEqual([401, "invalid_token"]);
  }
  expect((await fetch(`${url}/mcp`, { method: "POST", body: "{}" })).status).toBe(401);
}
