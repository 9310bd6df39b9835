/** What `/metrics` says, and who may read it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { type Sample, samplesOf } from "./open-metrics.ts";

const TOKEN = "metrics-token-0123456789abcdef0123456789";

let world: World;
beforeAll(async () => {
  world = await openWorld({ METRICS_TOKEN: TOKEN, RATE_LIMIT_ENABLED: "true", RATE_LIMIT_WRITES: "6" });
});
afterAll(() => world.close());

function read(headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }): Promise<Response> {
  return world.handle(new Request("http://localhost/metrics", { headers }));
}

async function samples(): Promise<Sample[]> {
  return samplesOf(await (await read()).text());
}

/** The sum of the samples of that name with these labels. */
function total(all: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return all
    .filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

test("operations, their stages, statements and outcomes are counted, and nobody is named", async () => {
  const client = await world.client({ owner: "somebody-in-particular" });
  await client.post("/v1/remember", { content: "The tea is green.", path: "kitchen/unguessable" });
  await client.get("/v1/memories/search?query=tea");
  await client.get("/v1/memories/never-there");
  const all = await samples();
  expect(total(all, "recollect_operations_total", { operation: "remember", code: "ok" })).toBe(1);
  expect(
    total(all, "recollect_operations_total", { operation: "searchMemories", door: "rest", code: "ok" }),
  ).toBe(1);
  expect(total(all, "recollect_operations_total", { operation: "getMemory", code: "not_found" })).toBe(1);
  expect(
    total(all, "recollect_operation_duration_seconds_count", { operation: "getMemory", outcome: "refused" }),
  ).toBe(1);
  expect(total(all, "recollect_recalls_total", { engine: "embedded", degraded: "false" })).toBe(1);
  for (const stage of ["place", "reach", "embed_query", "index", "rank", "read", "contradictions"])
    expect([stage, total(all, "recollect_stage_duration_seconds_count", { stage }) > 0]).toEqual([
      stage,
      true,
    ]);
  expect(
    total(all, "recollect_postgres_statement_duration_seconds_count", { kind: "select" }),
  ).toBeGreaterThan(0);
  expect(total(all, "recollect_postgres_transaction_duration_seconds_count")).toBeGreaterThan(0);
  expect(total(all, "recollect_embedding_duration_seconds_count", { kind: "query", outcome: "ok" })).toBe(1);
  expect(total(all, "recollect_dependency_up", { dependency: "postgres" })).toBe(1);
  expect(total(all, "recollect_postgres_connections_max")).toBe(8);
  expect(total(all, "recollect_memories")).toBe(1);
  for (const name of ["outbox", "set_aside", "embedding", "events", "webhooks", "dead_letters"])
    expect(all.some((one) => one.name === "recollect_queue_length" && one.labels.queue === name)).toBe(true);
  const text = await (await read()).text();
  for (const word of [
    client.ownerId,
    client.tokenId,
    "somebody-in-particular",
    "unguessable",
    "kitchen",
    "never-there",
  ])
    expect(text).not.toContain(word);
});

test("a tool called over MCP, an operation of the skill runtime and a page are counted by their door", async () => {
  const client = await world.client();
  const before = await samples();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const answer = await world.handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${client.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ ...call, params: { name: "recall_context", arguments: { query: "tea" } } }),
    }),
  );
  expect(await answer.text()).toContain("Recollect Context");
  await client.post("/v1/skill/operations", { operation: "doctor", input: {} });
  await world.handle(new Request("http://localhost/sign-in"));
  const after = await samples();
  const more = (labels: Record<string, string>) =>
    total(after, "recollect_operations_total", labels) - total(before, "recollect_operations_total", labels);
  expect(more({ operation: "recallContext", door: "mcp", code: "ok" })).toBe(1);
  expect(more({ door: "rest" })).toBe(1);
  expect(more({ operation: "page", door: "pages", code: "ok" })).toBe(1);
});

test("a limit that is hit is counted", async () => {
  const client = await world.client({ owner: "busy" });
  const before = await samples();
  const statuses: number[] = [];
  for (let at = 0; at < 8; at += 1)
    statuses.push((await client.post("/v1/remember", { content: `Note ${at}.` })).status);
  const hit = { limit: "rate_limited" };
  const more =
    total(await samples(), "recollect_limits_hit_total", hit) -
    total(before, "recollect_limits_hit_total", hit);
  expect(statuses).toContain(429);
  expect(more).toBe(statuses.filter((status) => status === 429).length);
});

test("only who has the token may read, and guesses are limited like those of keys", async () => {
  const client = await world.client();
  const answer = await read();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  ]);
  expect((await answer.text()).endsWith("# EOF\n")).toBe(true);
  for (const headers of [{}, { authorization: `Bearer ${client.token}` }, { "x-api-key": TOKEN }])
    expect((await read(headers)).status).toBe(401);
  const statuses: number[] = [];
  for (let at = 0; at < 62; at += 1)
    statuses.push((await read({ authorization: `Bearer wrong-${at}` })).status);
  expect(statuses).toContain(429);
});

test("while Postgres is away the page still answers, and says so", async () => {
  const lost = await openWorld({ METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent" });
  await lost.service.sql.end({ timeout: 1 });
  const answer = await lost.handle(
    new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${TOKEN}` } }),
  );
  expect(answer.status).toBe(200);
  expect(total(samplesOf(await answer.text()), "recollect_dependency_up", { dependency: "postgres" })).toBe(
    0,
  );
  await lost.close().catch(() => {});
});
