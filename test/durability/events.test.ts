/** Consumers of events and whole servers that are killed while memories change. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { ChangeEvent } from "../../src/contract/event.ts";
import { firstRevisions, openReceiver } from "../events/receiver.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { runs, tell } from "../support/random.ts";
import { home, KEY, startServer } from "../support/server.ts";

const CONSUMER_KILLS = runs(20);
const SERVER_KILLS = 2;
const WRITERS = 4;
const CONSUMER = fileURLToPath(new URL("../events/consumer.js", import.meta.url));
const SETTINGS = { OUTBOUND_ALLOW: "127.0.0.1", WEBHOOK_RETRY_SECONDS: "0.05", WEBHOOK_ATTEMPTS: "40" };

test(`a consumer killed ${CONSUMER_KILLS} times and a receiver that fails half of the time get every change in order, though the server is killed ${SERVER_KILLS} times`, {
  timeout: 240_000 + CONSUMER_KILLS * 10_000,
}, async () => {
  const at = await home();
  let { server, url } = await startServer(at, "bun", SETTINGS);
  const { port } = new URL(url);
  // Half of the time, and never so often in a row that the pause outlasts this test.
  const failed = new Map<string, number>();
  const receiver = await openReceiver(({ id }) => {
    const times = failed.get(id) ?? 0;
    if (times === 6 || Math.random() < 0.5) return 204;
    failed.set(id, times + 1);
    return 503;
  });
  onTestFinished(receiver.close);
  const file = join(mkdtempSync(join(tmpdir(), "recollect-consumer-")), "events");
  expect((await httpClient(url, KEY).post("/v1/webhooks", { url: receiver.url })).status).toBe(201);
  let consumer = await consume(url, file);
  const writing = writers(url);
  for (let kill = 1; kill <= CONSUMER_KILLS; kill += 1) {
    await sleep(randomInt(400));
    consumer.kill("SIGKILL");
    if (kill % Math.ceil(CONSUMER_KILLS / SERVER_KILLS) === 1) {
      await server.kill();
      ({ server, url } = await startServer(at, "bun", { ...SETTINGS, PORT: port }));
    }
    consumer = await consume(url, file);
  }
  const acknowledged = await writing.stop();
  const client = httpClient(url, KEY);
  const changes = await changesOf(client, [...acknowledged.keys()]);
  const count = [...changes.values()].reduce((sum, revisions) => sum + revisions.length, 0);
  // A write that a killed server had committed and not acknowledged is told too.
  const isKnown = ({ data }: ChangeEvent) => changes.has(data.id);
  const streamed = () => linesOf(file).filter(isKnown);
  const delivered = () =>
    receiver
      .taken()
      .map(({ event }) => event)
      .filter(isKnown);
  for (const told of [streamed, delivered])
    await eventually(
      "every change to be told",
      () =>
        [...firstRevisions(told()).values()].reduce((sum, revisions) => sum + revisions.length, 0) >= count ||
        undefined,
      { withinMs: 90_000 },
    ).catch(() => {});
  tell(
    JSON.stringify({
      memories: changes.size,
      changes: count,
      streamed: streamed().length,
      deliveries: receiver.received.length,
      taken: delivered().length,
    }),
  );
  // What was acknowledged is there, and is told.
  for (const [id, revision] of acknowledged)
    expect(Math.max(...(changes.get(id) ?? [0]))).toBeGreaterThanOrEqual(revision);
  for (const [name, told] of Object.entries({ streamed, delivered })) {
    const revisions = firstRevisions(told());
    expect({ name, memories: revisions.size, wrong: wrong(changes, revisions) }).toEqual({
      name,
      memories: changes.size,
      wrong: [],
    });
  }
  // A stream that is open does not hold it up.
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

/** Starts the consumer, and answers it once it follows, so that it is killed at work. */
async function consume(url: string, file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CONSUMER, url, KEY, file], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  // The first has no place to go on from until it has written one.
  await eventually("a consumer to begin", () => (existsSync(file) ? true : undefined));
  return child;
}

/** Writes and changes memories until it is stopped, servers that die or not; then the revisions that were acknowledged. */
function writers(url: string) {
  const acknowledged = new Map<string, number>();
  let isOver = false;
  const write = async (writer: number) => {
    const client = httpClient(url, KEY);
    for (let at = 0; !isOver; at += 1) {
      const id = `w${writer}-${at}`;
      const told = (revision: number) => acknowledged.set(id, revision);
      const body = { memory_id: id, content: `Number ${at} of writer ${writer}.`, path: `w/${writer}` };
      if (!(await isDone(() => client.post("/v1/memories", body)))) continue;
      told(1);
      for (let change = 1; change <= randomInt(4) && !isOver; change += 1) {
        const content = `Number ${at} of writer ${writer}, change ${change}.`;
        if (await isDone(() => client.patch(`/v1/memories/${id}`, { content }))) told(change + 1);
      }
    }
  };
  const all = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return {
    async stop() {
      isOver = true;
      await all;
      return acknowledged;
    },
  };
}

async function isDone(ask: () => Promise<{ readonly status: number }>): Promise<boolean> {
  try {
    return (await ask()).status < 300;
  } catch {
    await sleep(50);
    return false;
  }
}

/** The revisions that each memory has had: its present one and those before it. */
async function changesOf(client: HttpClient, ids: readonly string[]): Promise<Map<string, number[]>> {
  const changes = new Map<string, number[]>();
  for (const id of ids) {
    const { body } = await client.get(`/v1/memories/${id}/versions`);
    changes.set(
      id,
      body.versions.map((_: unknown, at: number) => at + 1),
    );
  }
  return changes;
}

function linesOf(file: string): ChangeEvent[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((event) => event.data !== undefined);
}

/** The memories of which something else was told than happened, or in another order. */
function wrong(changes: ReadonlyMap<string, number[]>, told: ReadonlyMap<string, number[]>): unknown[] {
  return [...changes].flatMap(([id, revisions]) =>
    JSON.stringify(told.get(id)) === JSON.stringify(revisions) ? [] : [{ id, revisions, told: told.get(id) }],
  );
}
