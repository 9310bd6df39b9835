/** The stream of events: read however it is cut into chunks, made again wherever it breaks, and ended where it must be. */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type EventBlock, eventBlocks } from "../../src/client/event-stream.ts";
import { createClient, type MemoryEvent } from "../../src/client/index.ts";
import {
  type Arrived,
  answers,
  hangsUp,
  refuses,
  type Step,
  scriptedServer,
  steps,
} from "./scripted-server.ts";

async function blocksOf(chunks: readonly string[]): Promise<EventBlock[]> {
  const blocks: EventBlock[] = [];
  for await (const block of eventBlocks(
    (async function* () {
      yield* chunks;
    })(),
  )) {
    blocks.push(block);
  }
  return blocks;
}

describe("blocks", () => {
  test("are read as the standard says: comments, fields without a blank or a colon, data of several lines", async () => {
    const text =
      ": hello\n\nid:1\ndata:{}\n\nid: 2\n\ndata: a\ndata:  b\nevent: x\nretry: 1500\n\ndata\nretry: soon\n\nid: 3\ndata: cut";
    expect(await blocksOf([text])).toEqual([
      { id: null, data: null, retryMs: null },
      { id: "1", data: "{}", retryMs: null },
      { id: "2", data: null, retryMs: null },
      { id: null, data: "a\n b", retryMs: 1500 },
      { id: null, data: "", retryMs: null },
    ]);
  });

  test("are the same however the stream is cut and whichever way its lines end", async () => {
    const line = fc.stringMatching(/^[a-z ü:]{0,6}$/u);
    const block = fc.record({ id: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) });
    const ends = fc.constantFrom("\n", "\r\n", "\r");
    const cuts = fc.infiniteStream(fc.nat({ max: 5 }));
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), ends, cuts, async (blocks, end, lengths) => {
        const lines = blocks.flatMap(({ id, data }) => [
          `id: ${id}`,
          ...data.map((part) => `data: ${part}`),
          "",
        ]);
        const chunks: string[] = [];
        for (let rest = lines.map((text) => text + end).join(""); rest !== ""; ) {
          const length = lengths.next().value as number;
          chunks.push(rest.slice(0, length));
          rest = rest.slice(length);
        }
        const expected = blocks.map(({ id, data }) => ({ id, data: data.join("\n"), retryMs: null }));
        // What follows a lone carriage return at the very end is not known, so the last block waits for it.
        expect(await blocksOf([...chunks, "\n"])).toEqual(expected);
      }),
    );
  });

  test.each([
    ["a line without end", "x".repeat(100_000)],
    ["an event without end", `data: ${"x".repeat(100_000)}\n`],
  ])("%s is refused before it fills the memory", async (_, chunk) => {
    await expect(blocksOf(Array.from({ length: 20 }, () => chunk))).rejects.toMatchObject({
      code: "unexpected_answer",
    });
  });

  test("a megabyte of short events in one chunk is no long one", async () => {
    expect(await blocksOf(["data: 12345678\n\n".repeat(100_000)])).toHaveLength(100_000);
  });
});

const TOTAL = 80;

const eventAt = (number: number) => ({
  id: `evt_${number}`,
  type: "memory.created",
  timestamp: "2026-01-31T09:00:00Z",
  data: { subject: "memory", id: `m${number}`, project_id: null, team_id: null, revision: 1 },
});

const positionOf = ({ url }: Arrived) =>
  Number(new URL(url, "http://localhost").searchParams.get("after")?.slice("evt_".length) ?? 0);

/** Sends what comes after the position, up to so many events at a time, and then breaks off somewhere. */
const breaking =
  (most: number): Step =>
  (request, response, number) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 1\n\n");
    const from = positionOf(request);
    for (let next = from + 1; next <= Math.min(TOTAL, from + most); next += 1) {
      response.write(`id: evt_${next}\ndata: ${JSON.stringify(eventAt(next))}\n\n: still here\n\n`);
    }
    // Half an event, which is none.
    response.write(`id: evt_${from + most + 1}\ndata: {"type`, () => {
      if (number % 2 === 0) response.destroy();
      else response.end();
    });
  };

async function taken(stream: AsyncIterable<MemoryEvent>, most: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of stream) {
    ids.push(id);
    if (ids.length === most) break;
  }
  return ids;
}

test("a stream that breaks twenty times and more is read without a gap or a change of order", async () => {
  const { url, arrived } = await scriptedServer(breaking(4));
  const client = createClient({ baseUrl: url, apiKey: "k" });
  const ids = await taken(client.events(), TOTAL);
  expect(ids).toEqual(Array.from({ length: TOTAL }, (_, at) => `evt_${at + 1}`));
  expect(arrived.length).toBe(20);
  expect(arrived[0]).toMatchObject({
    url: "/v1/events",
    headers: { accept: "text/event-stream", "x-api-key": "k" },
  });
});

test("a consumer that is killed again and again goes on where it was, and misses nothing", async () => {
  const { url } = await scriptedServer(breaking(4));
  const handled: string[] = [];
  let after: string | undefined;
  for (let life = 0; life < 20; life += 1) {
    for await (const event of createClient({ baseUrl: url }).events({ after })) {
      handled.push(event.id);
      // Killed before it has written down what it has done: that event comes again.
      if (handled.length % 4 === 0) break;
      after = event.id;
    }
  }
  const numbers = handled.map((id) => Number(id.slice(4)));
  expect(new Set(numbers).size).toBe(Math.max(...numbers));
  expect(numbers.length).toBeGreaterThan(new Set(numbers).size);
  for (const [at, number] of numbers.entries())
    expect(number - (numbers[at - 1] ?? 0)).toBeLessThanOrEqual(1);
});

test("a block that only says how far the stream is moves the position", async () => {
  const { url, arrived } = await scriptedServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const data = JSON.stringify(eventAt(9));
    response.end(positionOf(request) === 8 ? `id: evt_9\ndata: ${data}\n\n` : "retry: 1\nid: evt_8\n\n");
  });
  const positions: string[] = [];
  const stream = createClient({ baseUrl: url }).events({
    after: "evt_2",
    subject: "memory",
    projectId: "p",
    memoryId: "m",
    onPosition: (id) => positions.push(id),
  });
  expect(await taken(stream, 1)).toEqual(["evt_9"]);
  expect(positions).toEqual(["evt_8"]);
  expect(arrived.map((request) => request.url)).toEqual([
    "/v1/events?after=evt_2&subject=memory&project_id=p&memory_id=m",
    "/v1/events?after=evt_8&subject=memory&project_id=p&memory_id=m",
  ]);
});

test.each([
  [410, "events_gone"],
  [401, "invalid_token"],
  [403, "insufficient_scope"],
])("what the service refuses ends it: %d %s", async (status, code) => {
  const { url, arrived } = await scriptedServer(refuses(status, code));
  const client = createClient({ baseUrl: url });
  await expect(taken(client.events({ after: "evt_1" }), 1)).rejects.toMatchObject({ code, status });
  expect(arrived.length).toBe(1);
});

test("an answer that is no stream ends it, and so does an event that cannot be read", async () => {
  const plain = await scriptedServer(answers(200, { events: [] }));
  const code = "unexpected_answer";
  await expect(taken(createClient({ baseUrl: plain.url }).events(), 1)).rejects.toMatchObject({ code });
  const broken = await scriptedServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("id: 1\ndata: {\n\n");
  });
  await expect(taken(createClient({ baseUrl: broken.url }).events(), 1)).rejects.toMatchObject({ code });
});

test("what passes is waited out: no connection, too many requests, a service that is starting, silence", async () => {
  const troubles: readonly Step[] = [
    hangsUp,
    refuses(429, "rate_limited", { "retry-after": "0" }),
    refuses(503, "dependency_unavailable"),
    (_, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).write("retry: 1\n\n"),
  ];
  const { url, arrived } = await scriptedServer((request, response, number) =>
    (troubles[number] ?? breaking(3))(request, response, number),
  );
  expect(await taken(createClient({ baseUrl: url }).events({ idleTimeoutMs: 200 }), 2)).toEqual([
    "evt_1",
    "evt_2",
  ]);
  expect(arrived.length).toBe(5);
});

test("a consumer that takes longer than the service may be silent keeps its connection", async () => {
  const { url, arrived } = await scriptedServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const number of [1, 2, 3])
      response.write(`id: evt_${number}\ndata: ${JSON.stringify(eventAt(number))}\n\n`);
    // Later, so that it is read after the consumer has taken its time.
    setTimeout(() => response.write(`id: evt_4\ndata: ${JSON.stringify(eventAt(4))}\n\n`), 400);
  });
  const ids: string[] = [];
  for await (const { id } of createClient({ baseUrl: url }).events({ idleTimeoutMs: 300 })) {
    ids.push(id);
    if (ids.length === 4) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(ids).toEqual(["evt_1", "evt_2", "evt_3", "evt_4"]);
  expect(arrived.length).toBe(1);
});

test("no more is read than is taken: what comes next waits at the service", async () => {
  const all = 400;
  const padding = "x".repeat(100_000);
  let written = 0;
  const { url } = await scriptedServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const writeOn = () => {
      while (written < all) {
        written += 1;
        const event = JSON.stringify({ ...eventAt(written), padding });
        if (!response.write(`id: evt_${written}\ndata: ${event}\n\n`))
          return void response.once("drain", writeOn);
      }
    };
    writeOn();
  });
  const stream = createClient({ baseUrl: url }).events();
  await stream.next();
  await new Promise((resolve) => setTimeout(resolve, 500));
  // 40 MB are more than connections hold on their way.
  expect(written).toBeLessThan(all);
  expect(await taken(stream, all - 1)).toHaveLength(all - 1);
});

test("a Retry-After is waited for once, and not after each break from then on", async () => {
  const asked = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => asked.mockRestore());
  // It says nothing of how long to wait before the next connection.
  const one: Step = (request, response) => {
    const next = positionOf(request) + 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`id: evt_${next}\ndata: ${JSON.stringify(eventAt(next))}\n\n`);
  };
  const { url } = await scriptedServer(steps(refuses(429, "rate_limited", { "retry-after": "1" }), one));
  expect(await taken(createClient({ baseUrl: url }).events(), 3)).toHaveLength(3);
  expect(asked.mock.calls.filter(([, ms]) => ms === 1000)).toHaveLength(1);
});

test("an aborted signal ends it, while it listens and while it waits; what the consumer throws is the consumer's", async () => {
  const { url } = await scriptedServer(breaking(2));
  const abort = new AbortController();
  const ids: string[] = [];
  for await (const { id } of createClient({ baseUrl: url }).events({ signal: abort.signal })) {
    ids.push(id);
    if (ids.length === 3) abort.abort();
  }
  expect(ids.length).toBe(3);

  const nowhere = new AbortController();
  setTimeout(() => nowhere.abort(), 100);
  const silent = createClient({ baseUrl: "http://127.0.0.1:9" }).events({ signal: nowhere.signal });
  expect(await taken(silent, 1)).toEqual([]);

  const onPosition = () => {
    throw new Error("no room to write it down");
  };
  await expect(taken(createClient({ baseUrl: url }).events({ onPosition }), 9)).rejects.toThrow("no room");
});
