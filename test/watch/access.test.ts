/** Who may read `/metrics` without a token: this machine's own processes, where nothing says that others come that way. */
import { expect, test } from "vitest";
import { createApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/compose/config.ts";
import { createLog } from "../../src/compose/log.ts";
import { openWorld, type World } from "../support/world.ts";

/** A request as the runtime hands it over, from that socket. */
function from(ip: string | null, headers: Record<string, string> = {}): Request {
  return Object.defineProperty(new Request("http://localhost/metrics", { headers }), "ip", { value: ip });
}

async function statusesOf({ handle, close }: World, requests: readonly Request[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await handle(request)).status);
  await close();
  return statuses;
}

test("a local service shows them to its own machine, and to nobody whom a proxy may have passed on", async () => {
  const forwarded = ["forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"];
  const requests = [
    from("127.0.0.1"),
    from("::1"),
    from("::ffff:127.0.0.1"),
    from("192.0.2.1"),
    from(null),
    ...forwarded.map((name) => from("127.0.0.1", { [name]: "127.0.0.1" })),
  ];
  expect(await statusesOf(await openWorld(), requests)).toEqual([
    200, 200, 200, 404, 404, 404, 404, 404, 404, 404,
  ]);
});

test.each([
  { PUBLIC_URL: "https://memory.example" },
  { TRUSTED_PROXIES: "10.0.0.0/8" },
  { HOST: "0.0.0.0", APP_ENV: "test" },
])("with %j there is no such page without a token", async (env: Record<string, string>) => {
  expect(await statusesOf(await openWorld(env), [from("127.0.0.1"), from("::1")])).toEqual([404, 404]);
});

test.each([
  ["METRICS_TOKEN", "short"],
  ["INSTANCE_NAME", "with spaces"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "no-value"],
  ["OTEL_TRACES_SAMPLER_ARG", "2"],
])("%s that is not valid stops the start and is not repeated", (name, value) => {
  const start = () => readConfig({ [name]: value });
  expect(start).toThrow(new RegExp(name));
  expect(start).not.toThrow(value);
});

test("where traces go", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/base/" };
  expect(readConfig({}).watch.tracing).toBe(null);
  expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: "true" }).watch.tracing).toBe(null);
  expect(
    readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc=,x-team=one" }).watch
      .tracing,
  ).toEqual({
    url: "https://collector.example/base/v1/traces",
    headers: { authorization: "Basic abc=", "x-team": "one" },
    serviceName: "recollect",
    sampled: 1,
  });
});

test("an operation is a line with its outcome and a keyed hash of its owner, and nothing that leads to whom it was", async () => {
  const world = await openWorld();
  const client = await world.client({ owner: "somebody-in-particular" });
  const config = readConfig({ APP_ENV: "test", INSTANCE_NAME: "server-7" });
  const lines: Record<string, unknown>[] = [];
  const log = createLog(config);
  const app = createApp(world.service, config, {
    ...log,
    request: (line) => void lines.push({ ...line }),
  });
  const send = (path: string, init: RequestInit = {}) =>
    app.handle(new Request(`http://localhost${path}`, { headers: { "x-api-key": client.token }, ...init }));
  await send("/v1/memories/search?query=unguessable");
  await send("/v1/memories/never-there");
  await send("/v1/memories", { headers: {} });
  await send("/healthz");
  expect(lines.map(({ operation, outcome, status }) => [operation, outcome, status])).toEqual([
    ["searchMemories", "ok", 200],
    ["getMemory", "not_found", 404],
    ["listMemories", "invalid_token", 401],
    [null, "ok", 200],
  ]);
  const [search, get, list] = lines;
  expect(search?.owner).toMatch(/^[0-9a-f]{16}$/);
  expect([get?.owner, list?.owner]).toEqual([search?.owner, null]);
  for (const word of [client.ownerId, "somebody-in-particular", "unguessable", "never-there"])
    expect(JSON.stringify(lines)).not.toContain(word);
  // The same on another server of this database, and another elsewhere.
  const elsewhere = await openWorld();
  const { ownerId } = client;
  const there = elsewhere.service.watching.pseudonymOf(ownerId);
  expect([world.service.watching.pseudonymOf(ownerId), there === search?.owner]).toEqual([
    search?.owner,
    false,
  ]);
  await Promise.all([world.close(), elsewhere.close()]);
});
