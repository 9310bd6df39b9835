/** Two services on one database, as two replicas behind a load balancer. */
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/compose/app.ts";
import { createLog } from "../../src/compose/log.ts";
import { openServiceOn, type Service } from "../../src/compose/service.ts";
import { ownDatabase } from "../support/own-database.ts";
import { serviceConfig } from "../support/service-config.ts";
import type { Answer } from "../support/world.ts";

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

interface Replica {
  readonly service: Service;
  readonly send: Send;
}

const KEY = "test-key-0123456789abcdef0123456789abcdef";
/** A revocation is obeyed everywhere within this time. */
const REVOKED_WITHIN_MS = 1000;

async function twoReplicas(): Promise<readonly [Replica, Replica]> {
  const address = await ownDatabase();
  const config = serviceConfig({
    DATABASE_CONNECTIONS: "8",
    BOOTSTRAP_API_KEY: KEY,
  });
  const log = createLog(config);
  const open = async (): Promise<Replica> => {
    const database = { address, died: new Promise<string>(() => {}), stop: async () => {} };
    const report = (error: unknown) => log.failure("background", error);
    const service = await openServiceOn(database, config, { role: "server", log: () => {}, report });
    onTestFinished(() => service.close());
    return { service, send: senderTo(createApp(service, config, log)) };
  };
  return Promise.all([open(), open()]);
}

function senderTo(app: { handle(request: Request): Response | Promise<Response> }): Send {
  return async (method, path, body) => {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { "x-api-key": KEY, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

async function idsFound({ send }: Replica, query: string): Promise<string[]> {
  const { body } = await send("GET", `/v1/memories/search?limit=100&query=${encodeURIComponent(query)}`);
  return body.results.map((hit: { id: string }) => hit.id);
}

async function remember({ send }: Replica, memory: Record<string, unknown>): Promise<string> {
  const { status, body } = await send("POST", "/v1/remember", { path: "a", ...memory });
  expect([status, body.status]).toEqual([201, "remembered"]);
  return body.id;
}

/** The same at every turn from both sides, each with an index that has been read before. */
async function eachWay(
  check: (writer: Replica, reader: Replica, turn: number) => Promise<void>,
): Promise<void> {
  const [one, other] = await twoReplicas();
  for (let turn = 0; turn < 10; turn += 1)
    await (turn % 2 ? check(one, other, turn) : check(other, one, turn));
}

test("what one replica writes or changes the other's very next search finds", () =>
  eachWay(async (writer, reader, turn) => {
    const id = await remember(writer, { content: `The zebra of turn ${turn} is striped` });
    expect(await idsFound(reader, `zebra of turn ${turn}`)).toContain(id);
    await writer.send("PATCH", `/v1/memories/${id}`, { content: `The walrus of turn ${turn} swims` });
    const { body } = await reader.send("GET", `/v1/memories/search?query=walrus+turn+${turn}&limit=100`);
    expect(body.results.map((hit: { content: string }) => hit.content)).toContain(
      `The walrus of turn ${turn} swims`,
    );
  }));

test("what one replica hard-deletes or soft-deletes the other's very next search does not find", () =>
  eachWay(async (writer, reader, turn) => {
    const id = await remember(reader, { content: `The zebra of turn ${turn} is striped` });
    expect(await idsFound(reader, "zebra")).toContain(id);
    await writer.send("DELETE", `/v1/memories/${id}?mode=${turn < 5 ? "hard_delete" : "soft_delete"}`);
    expect(await idsFound(reader, "zebra")).toEqual([]);
    expect(
      (await reader.send("POST", "/v1/recall/context", { query: "zebra" })).body.context_text,
    ).not.toContain("zebra of turn");
  }));

test("a revoked key is refused on both replicas within a second", async () => {
  const replicas = await twoReplicas();
  for (const { send } of replicas) expect((await send("GET", "/v1/memories")).status).toBe(200);
  const [key] = await replicas[0].service.credentials.list();
  await replicas[0].service.credentials.revoke(key?.tokenId ?? "");
  // The other asks until then, so that it has just looked the key up again.
  for (const until = performance.now() + REVOKED_WITHIN_MS; performance.now() < until; )
    await replicas[1].send("GET", "/v1/memories");
  for (const { send } of replicas) {
    expect((await send("GET", "/v1/memories")).status).toBe(401);
    expect((await send("POST", "/v1/remember", { content: "late", path: "a" })).status).toBe(401);
  }
});

test("the same content remembered on both replicas at once is one memory", async () => {
  const replicas = await twoReplicas();
  for (let turn = 0; turn < 5; turn += 1) {
    const content = `Said by everybody in turn ${turn}`;
    const ids = await Promise.all(
      Array.from({ length: 16 }, (_, at) => remember(of(replicas, at), { content })),
    );
    expect(new Set(ids).size).toBe(1);
    const { body } = await replicas[0].send("GET", "/v1/memories?path=a");
    expect(body.total).toBe(turn + 1);
  }
});

test("of one semantic key written on both replicas at once one memory is live, and the rest is its history", async () => {
  const replicas = await twoReplicas();
  const contents = Array.from({ length: 16 }, (_, at) => `The office is on floor ${at}`);
  const ids = await Promise.all(
    contents.map((content, at) => remember(of(replicas, at), { content, semantic_key: "office" })),
  );
  for (const { send } of replicas) {
    const live = (await send("GET", "/v1/memories")).body;
    expect(live.total).toBe(1);
    expect((await send("GET", "/v1/memories?status=superseded")).body.total).toBe(15);
    const { chain } = (await send("GET", `/v1/memories/${live.memories[0].id}/versions`)).body;
    expect(chain.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
    expect(chain.map(({ version }: { version: number }) => version)).toEqual(contents.map((_, at) => at + 1));
  }
});

test("one Idempotency-Key on both replicas at once is carried out once", async () => {
  const replicas = await twoReplicas();
  const body = JSON.stringify({ content: "Only once", path: "a", dedupe: false });
  const ask = async ({ service }: Replica) => {
    const headers = { "x-api-key": KEY, "content-type": "application/json", "idempotency-key": "one" };
    const app = createApp(service, serviceConfig(), createLog({ appEnv: "test", logLevel: "error" }));
    return app.handle(new Request("http://localhost/v1/remember", { method: "POST", headers, body }));
  };
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => ask(of(replicas, at))));
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect((await replicas[1].send("GET", "/v1/memories")).body.total).toBe(1);
  expect((await ask(replicas[0])).status).toBe(201);
  expect((await replicas[1].send("GET", "/v1/memories")).body.total).toBe(1);
});

const of = (replicas: readonly [Replica, Replica], at: number): Replica =>
  at % 2 ? replicas[0] : replicas[1];
