/** What a client over MCP sees of the limits. */
import { expect, test } from "vitest";
import { createMemoryCounter } from "../../src/adapters/rate-limit/memory-counter.ts";
import { createRateLimiter, quotasOf } from "../../src/core/limits/rate-limiter.ts";
import { NEWEST, ONE_BEFORE, textOf, world } from "../surfaces/mcp/world.ts";

const NOW = 1_800_000_030_000;
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

function limited(quotas: { dataPlane: number; writes: number; reads: number }) {
  const counter = createMemoryCounter(() => NOW);
  const rateLimiter = createRateLimiter({ counter, quotas: quotasOf(quotas), report: () => {} });
  return world(undefined, { rateLimiter });
}

test("every request counts in the data plane, and is 429 as over REST beyond it", async () => {
  const { post, calls } = limited({ dataPlane: 2, writes: 9, reads: 9 });
  const first = await post(LIST);
  expect([
    first.status,
    first.headers.get("x-ratelimit-policy"),
    first.headers.get("x-ratelimit-remaining"),
  ]).toEqual([200, "data;w=60;q=2", "1"]);
  // Even what is no protocol message.
  expect((await post("nonsense")).status).toBe(400);
  const refused = await post(LIST);
  expect([
    refused.status,
    refused.headers.get("retry-after"),
    refused.headers.get("x-ratelimit-reset"),
  ]).toEqual([429, "30", "1800000060"]);
  expect(await refused.json()).toMatchObject({
    code: "rate_limited",
    category: "data",
    policy: "data;w=60;q=2",
    limit: 2,
    window_seconds: 60,
    retry_after_seconds: 30,
  });
  expect((await post(LIST, { Authorization: "Bearer key-ben" })).status).toBe(200);
  expect(calls).toEqual([]);
});

test.each([NEWEST, ONE_BEFORE])(
  "a tool whose category is used up says so as its result (%s)",
  async (revision) => {
    const { connect, calls } = limited({ dataPlane: 100, writes: 9, reads: 2 });
    const client = await connect("key-ada", { revision });
    const recall = () => client.callTool({ name: "recall_context", arguments: { query: "q" } });
    await recall();
    expect((await recall()).isError).toBeFalsy();
    const refused = await recall();
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toMatchObject({
      code: "rate_limited",
      category: "read",
      policy: "read;w=60;q=2",
      retry_after_seconds: 30,
    });
    expect(textOf(refused as never)).toContain("Wait 30 seconds");
    expect(calls).toHaveLength(2);
  },
);

test("a credential that is not valid is 401 sixty times, then 429", async () => {
  const { post } = limited({ dataPlane: 9, writes: 9, reads: 9 });
  const wrong = { Authorization: "Bearer wrong" };
  for (let tries = 0; tries < 60; tries += 1) expect((await post(LIST, wrong)).status).toBe(401);
  const refused = await post(LIST, wrong);
  expect([refused.status, (await refused.json()).category]).toEqual([429, "authentication"]);
  expect((await post(LIST)).status).toBe(200);
});
