/** What a service does about an engine that is not what it should be: by a small server in its place. */

import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { recollectHere, temporaryFolder } from "../cli/cli.ts";
import { openWorld, type World } from "../support/world.ts";

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

/** A server that answers every request the same; its address. */
async function engineThat(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  void response
    .writeHead(status, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" })
    .end(JSON.stringify(body));

const version = (number: string, more: object = {}) => json(200, { version: { number, ...more } });

async function started(env: Record<string, string>): Promise<World> {
  const world = await openWorld(env);
  open.push(world);
  return world;
}

async function recalled(world: World) {
  const client = await world.client();
  expect((await client.post("/v1/remember", { content: "Tea at four.", path: "notes" })).status).toBe(201);
  const answer = await client.post("/v1/recall/context", { query: "When is tea?" });
  expect(answer.status).toBe(200);
  expect(answer.body.items.map((item: { content: string }) => item.content)).toEqual(["Tea at four."]);
  return answer.body.retrieval_plan as { engine: string; degraded: string[] };
}

test.each([
  ["Elasticsearch 8.14.3", version("8.14.3")],
  ["Elasticsearch 7.17.0", version("7.17.0")],
  ["opensearch 2.19.0", version("2.19.0", { distribution: "opensearch" })],
])("%s stops the start, by a sentence that says what is needed", async (found, answer) => {
  const opening = openWorld({ ELASTICSEARCH_URL: await engineThat(answer) });
  await expect(opening).rejects.toThrow(
    `ELASTICSEARCH_URL: ${found} is not supported: Elasticsearch 8.15 or newer is needed.`,
  );
});

test.each<[string, (response: ServerResponse) => void, string]>([
  [
    "refuses the credentials",
    json(401, { error: { type: "security_exception" } }),
    "it refuses the credentials",
  ],
  [
    "answers as a proxy does",
    (response) => void response.writeHead(502).end("<html>"),
    "it cannot be reached",
  ],
  [
    "is hidden behind a page",
    (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    "its answer was not understood",
  ],
  [
    "sends broken JSON",
    (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{"),
    "its answer was not understood",
  ],
  ["breaks off", (response) => void response.destroy(), "it cannot be reached"],
  ["says nothing of itself", json(200, {}), "its answer was not understood"],
])("an engine that %s does not keep the service from anything", async (_, answer, why) => {
  const world = await started({ ELASTICSEARCH_URL: await engineThat(answer) });
  expect(await recalled(world)).toMatchObject({ engine: "embedded", degraded: [`search engine: ${why}`] });
  const ready = await world.handle(new Request("http://localhost/readyz"));
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({
    status: "ready",
    dependencies: {
      postgres: true,
      elasticsearch: false,
      embedder: true,
      worker: true,
      events: true,
      disk: true,
    },
    degraded: { elasticsearch: why },
  });
});

test("nor does one that is not there", async () => {
  const world = await started({ ELASTICSEARCH_URL: "http://127.0.0.1:9" });
  const plan = await recalled(world);
  expect(plan).toMatchObject({ engine: "embedded", degraded: ["search engine: it cannot be reached"] });
});

test("without an engine the plan says embedded, and nothing is degraded", async () => {
  const none = { ELASTICSEARCH_URL: "", ELASTICSEARCH_INDEX_PREFIX: "", ELASTICSEARCH_TIMEOUT_MS: "" };
  const world = await started(none);
  expect(await recalled(world)).toMatchObject({ engine: "embedded", degraded: [] });
  const ready = await world.handle(new Request("http://localhost/readyz"));
  expect(await ready.json()).toEqual({
    status: "ready",
    dependencies: { postgres: true, index: true, embedder: true, worker: true, events: true, disk: true },
    degraded: {},
  });
});

test("a file of certificates that is missing, or holds none, stops the start without its content", async () => {
  const file = join(temporaryFolder(), "ca.pem");
  const env = { ELASTICSEARCH_URL: "https://127.0.0.1:9", ELASTICSEARCH_CA_FILE: file };
  await expect(openWorld(env)).rejects.toThrow("ELASTICSEARCH_CA_FILE: this file cannot be read.");
  writeFileSync(file, "secret");
  await expect(openWorld(env)).rejects.toThrow(
    "ELASTICSEARCH_CA_FILE: this file holds no certificate in PEM.",
  );
});

test("doctor says what is wrong with it, and what to do", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const examine = async (url: string) => {
    const env = { ELASTICSEARCH_URL: url, DATA_DIR: dataDir, PORT: "0" };
    const { status, stdout } = await recollectHere(["doctor", "--json"], env);
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; found: string; advice: string }[];
    };
    return { status, finding: findings.find(({ check }) => check === "search engine") };
  };
  const refused = await examine(await engineThat(json(401, {})));
  expect(refused).toMatchObject({
    status: 1,
    finding: { found: "Elasticsearch: it refuses the credentials" },
  });
  const old = await examine(await engineThat(version("8.1.0")));
  expect(old).toMatchObject({
    status: 1,
    finding: { found: "Elasticsearch 8.1.0 is not supported: Elasticsearch 8.15 or newer is needed." },
  });
  const fine = await examine(
    await engineThat(json(200, { version: { number: "9.4.3" }, status: "green", number_of_nodes: 3 })),
  );
  expect(fine).toMatchObject({
    status: 0,
    finding: { found: "Elasticsearch 9.4.3, 3 nodes, green", advice: null },
  });
});

test.each([
  ["http://localhost.example:9", true],
  ["http://127.example:9", true],
  ["http://engine.example:9", true],
  ["https://localhost.example:9", false],
  ["http://localhost:9", false],
  ["http://127.0.0.1:9", false],
  ["http://[::1]:9", false],
])("doctor: whether credentials for %s can be read on the way: %s", async (url, isReadable) => {
  const env = { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: "abc=", PORT: "0" };
  const { stdout } = await recollectHere(["doctor", "--json"], {
    ...env,
    DATA_DIR: join(temporaryFolder(), "data"),
  });
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
  expect(findings.some(({ check }) => check === "search TLS")).toBe(isReadable);
});
