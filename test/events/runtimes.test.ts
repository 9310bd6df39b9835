/** Events on whole servers, on each runtime: streams over real connections, and webhooks, through kills. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ChangeEvent } from "../../src/contract/event.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { type Home, home, KEY, type ServerProcess, startServer } from "../support/server.ts";
import { openReceiver } from "./receiver.ts";

const SETTINGS = {
  OUTBOUND_ALLOW: "127.0.0.1",
  WEBHOOK_RETRY_SECONDS: "0.05",
  WEBHOOK_ATTEMPTS: "40",
  // How long a killed server's claim holds goes by it.
  WEBHOOK_TIMEOUT_SECONDS: "1",
  EVENT_STREAMS_PER_CREDENTIAL: "2",
};

interface Running {
  readonly at: Home;
  readonly url: string;
  readonly client: HttpClient;
  server: ServerProcess;
}

interface Block {
  readonly id: string;
  readonly event: ChangeEvent | null;
}

/** A stream as a consumer reads it over a connection of its own, which is cut when the test ends. */
async function follow(url: string, lastEventId?: string) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(`${url}/v1/events`, {
    headers: {
      accept: "text/event-stream",
      "x-api-key": KEY,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: controller.signal,
  });
  const blocks = response.ok ? blocksOf(response) : null;
  return {
    status: response.status,
    headers: response.headers,
    /** The next block; null where the stream has ended, or broken. */
    async next(): Promise<Block | null> {
      const { value, done } = (await blocks?.next().catch(() => null)) ?? { done: true };
      return done ? null : (value ?? null);
    },
    /** The next that tell of something. */
    async events(count: number): Promise<ChangeEvent[]> {
      const told: ChangeEvent[] = [];
      while (told.length < count) {
        const block = await this.next();
        if (block === null) throw new Error(`The stream ended after ${told.length} of ${count} events.`);
        if (block.event) told.push(block.event);
      }
      return told;
    },
    hangUp: () => controller.abort(),
  };
}

async function* blocksOf(response: Response): AsyncGenerator<Block> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const block of whole) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      yield { id: /^id: (.*)$/m.exec(block)?.[1] ?? "", event: data ? JSON.parse(data) : null };
    }
  }
}

/** A stream over a bare connection, which can be reset, or left unread. */
async function bareStream(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const head = [
    "GET /v1/events HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${KEY}`,
    "Accept: text/event-stream",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

async function stored(client: HttpClient, content: string): Promise<string> {
  const { status, body } = await client.post("/v1/memories", { content, path: "events" });
  expect(status).toBe(201);
  return body.id;
}

const idsOf = (events: readonly ChangeEvent[]) => events.map(({ data }) => data.id);

describe.each(runtimesUnderTest)("on %s", { timeout: 240_000 }, (runtime) => {
  async function start(): Promise<Running> {
    const at = await home();
    const { server, url } = await startServer(at, runtime, SETTINGS);
    return { at, server, url, client: httpClient(url, KEY) };
  }

  /** Kills all of the server at once, and starts it again where it was. */
  async function killAndStart(running: Running): Promise<void> {
    await running.server.kill();
    const { port } = new URL(running.url);
    running.server = (await startServer(running.at, runtime, { ...SETTINGS, PORT: port })).server;
  }

  test("a stream tells what happens as it happens, and goes on by id after the client and the server were cut off", async () => {
    const running = await start();
    const { url, client } = running;
    const first = await follow(url);
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(await first.next()).toEqual({ id: expect.stringMatching(/^evt_/), event: null });
    const one = await stored(client, "One.");
    const [told] = await first.events(1);
    expect(told).toMatchObject({ type: "memory.created", data: { id: one, revision: 1 } });

    first.hangUp();
    const missed = [await stored(client, "Two."), await stored(client, "Three.")];
    const second = await follow(url, told?.id);
    expect(idsOf(await second.events(2))).toEqual(missed);
    const four = await stored(client, "Four.");
    const [last] = await second.events(1);
    expect(last?.data.id).toBe(four);

    // Killed in the middle of writes, of which some are committed and not acknowledged.
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let at = 0; ; at += 1) acknowledged.push(await stored(client, `Number ${at} before the kill.`));
    })().catch(() => {});
    await eventually("some writes", () => (acknowledged.length >= 10 ? true : undefined));
    await killAndStart(running);
    await writing;
    let place = last?.id;
    for (let block = await second.next(); block !== null; block = await second.next()) place = block.id;
    const end = await stored(client, "After the kill.");
    const rest = await follow(url, last?.id);
    const seen: string[] = [];
    while (seen.at(-1) !== end) seen.push(...idsOf(await rest.events(1)));
    expect(seen.filter((id) => acknowledged.includes(id))).toEqual(acknowledged);
    // What had been read before the kill is not told again.
    const later = await follow(url, place);
    const again = await later.events(1);
    expect(seen).toContain(again[0]?.data.id);

    // Open streams do not hold up a server that is asked to stop.
    expect(await running.server.stop()).toEqual({ code: 0, signal: null });
    expect(await rest.next()).toBeNull();
  });

  test("a client that hangs up or is gone without a word, while nothing happens, makes room for another", async () => {
    const { url, server } = await start();
    const ways: readonly (() => Promise<() => void>)[] = [
      async () => (await follow(url)).hangUp,
      async () => {
        const socket = await bareStream(url);
        return () => void socket.resetAndDestroy();
      },
    ];
    for (const way of ways) {
      const leave = [await way(), await way()];
      const refused = await follow(url);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "15"]);
      for (const end of leave) end();
      await eventually("room for two streams", async () => {
        const both = [await follow(url), await follow(url)];
        for (const { hangUp } of both) hangUp();
        return both.every(({ status }) => status === 200) ? true : undefined;
      });
      await eventually("those to be gone too", async () => {
        const one = await follow(url);
        one.hangUp();
        return one.status === 200 ? true : undefined;
      });
    }
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test("a webhook is delivered, tried again until it is taken, and goes on after the server was killed", async () => {
    const running = await start();
    const { client } = running;
    const refusals = new Map<string, number>();
    let isDown = false;
    const receiver = await openReceiver(({ id }) => {
      const times = refusals.get(id) ?? 0;
      refusals.set(id, times + 1);
      return isDown || times < 2 ? 503 : 204;
    });
    onTestFinished(receiver.close);
    const { body: hook } = await client.post("/v1/webhooks", { url: receiver.url });
    const one = await stored(client, "One.");
    await client.patch(`/v1/memories/${one}`, { content: "One, corrected." });
    const taken = () => receiver.taken().map(({ event }) => [event.data.id, event.data.revision]);
    await eventually("both to be taken", () => (taken().length >= 2 ? true : undefined));
    expect(taken().slice(0, 2)).toEqual([
      [one, 1],
      [one, 2],
    ]);
    expect(receiver.received.filter(({ status }) => status === 503)).toHaveLength(4);
    for (const { headers, body, event } of receiver.received) {
      expect(new Webhook(hook.secret).verify(body, headers as Record<string, string>)).toEqual(event);
    }

    isDown = true;
    const two = await stored(client, "Two.");
    await eventually("an attempt in vain", () => (refusals.size >= 3 ? true : undefined));
    await killAndStart(running);
    isDown = false;
    await eventually("what waited to be taken", () =>
      taken().some(([id]) => id === two) ? true : undefined,
    );
    expect(await running.server.stop()).toEqual({ code: 0, signal: null });
  });
});
