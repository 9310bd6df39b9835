/** What a client sees of how the service is shared by those who ask at the same time. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBody, problemBody } from "../../src/contract/error.ts";
import type { PlaceBounds, Requester } from "../../src/core/limits/places.ts";
import { newPerson } from "../browser/support/people.ts";
import { createVisitor, type Visitor } from "../browser/support/visitor.ts";
import { testShare } from "../support/share.ts";
import { openWorld, type World } from "../support/world.ts";
import { contextAnswer } from "../surfaces/mcp/answers.ts";
import { world as mcpWorld } from "../surfaces/mcp/world.ts";
import { KEY, world as restWorld } from "../surfaces/rest/world.ts";

/** A promise that is settled from outside. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const settled = async () => {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A service whose every call waits until it is let go. */
function held(bounds: Partial<PlaceBounds>) {
  const share = testShare({ perCredential: 2, perParty: 2, waitingPerParty: 1, ...bounds });
  const { open, opened } = gate();
  const service = restWorld({ answer: () => opened.then(() => ({ memories: [] })), deps: { share } });
  return { ...service, share, open };
}

const list = ({ send }: Pick<ReturnType<typeof held>, "send">, headers: Record<string, string> = {}) =>
  send("GET", "/v1/memories", { headers });

/** A share that notes whose turns were taken. */
function noted() {
  const taken: string[] = [];
  const share = testShare();
  const turn = async (who: Requester) => {
    taken.push(who.party);
    await share.turn(who);
  };
  return { taken, share: { ...share, turn } };
}

const LARGE = "a".repeat(20_000);

test("a large body is parsed in its sender's turn, so that others are heard between two of them", async () => {
  const { taken, share } = noted();
  const { send } = restWorld({ deps: { share } });
  await send("POST", "/v1/recall/context", { body: { query: "a" } });
  expect(taken).toEqual([]);
  await send("POST", "/v1/recall/context", { body: { query: LARGE } });
  await send("POST", "/v1/agents/register", { body: { client_name: LARGE }, key: null });
  await send("POST", "/v1/memories/m/restore", { body: { mood: LARGE } });
  expect(taken).toHaveLength(3);
  expect(taken[0]).toBe(taken[2]);
  expect(taken[1]).not.toBe(taken[0]);
});

test("so it is over MCP", async () => {
  const { taken, share } = noted();
  const client = await mcpWorld(undefined, { share }).connect("key-reader");
  const ask = (query: string) => client.callTool({ name: "recall_context", arguments: { query } });
  await ask("a");
  expect(taken).toEqual([]);
  await ask(LARGE);
  expect(taken).toHaveLength(1);
});

describe("over REST", () => {
  test("what finds no place and a full queue is 503 overloaded, says when to come back, and does nothing", async () => {
    const service = held({});
    const running = [list(service), list(service), list(service)];
    await settled();
    const refused = await list(service);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    const body = await refused.json();
    expect(errorBody.parse(body)).toEqual(body);
    expect(body.code).toBe("overloaded");
    const problem = await list(service, { accept: "application/problem+json" });
    expect(problemBody.parse(await problem.json())).toMatchObject({ code: "overloaded", status: 503 });
    expect(service.calls.length).toBe(2);
    expect(service.lines.map(({ code, fault }) => [code, fault])).toEqual([
      ["overloaded", undefined],
      ["overloaded", undefined],
    ]);
    expect(service.share.figures()).toMatchObject({ running: 2, waiting: 1, refused: 2 });
    service.open();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(service.share.figures()).toMatchObject({ running: 0, waiting: 0 });
  });

  test("what waits for too long is 503 overloaded", async () => {
    const service = held({ waitMs: 1 });
    const running = [list(service), list(service)];
    await settled();
    expect((await list(service)).status).toBe(503);
    service.open();
    await Promise.all(running);
  });

  test("probes are answered while every place is taken and every queue is full", async () => {
    const service = held({ total: 2, waitingTotal: 1 });
    const running = [list(service), list(service), list(service)];
    await settled();
    for (const path of ["/healthz", "/readyz"])
      expect((await service.send("GET", path, { key: null })).status).toBe(200);
    service.open();
    await Promise.all(running);
  });

  test("a request that fails gives its place back", async () => {
    const share = testShare({ perCredential: 1, perParty: 1, waitingPerParty: 0 });
    const service = restWorld({ answer: () => Promise.reject(new Error("broken")), deps: { share } });
    for (let at = 0; at < 3; at += 1) expect((await list(service)).status).toBe(500);
    expect(share.figures()).toMatchObject({ running: 0, waiting: 0, refused: 0 });
  });

  test("a client that goes away leaves the queue", async () => {
    const service = held({});
    const running = [list(service), list(service)];
    await settled();
    const client = new AbortController();
    const gone = service.fetch(
      new Request("http://localhost/v1/memories", { headers: { "x-api-key": KEY }, signal: client.signal }),
    );
    await settled();
    expect(service.share.figures()).toMatchObject({ running: 2, waiting: 1 });
    client.abort();
    await gone;
    expect(service.share.figures()).toMatchObject({ running: 2, waiting: 0 });
    service.open();
    await Promise.all(running);
    expect(service.calls.length).toBe(2);
  });

  test("what a client that went away had asked to read is given up, and its place is free", async () => {
    const share = testShare({ perCredential: 1, perParty: 1, waitingPerParty: 0 });
    const client = new AbortController();
    let stretches = 0;
    const service = restWorld({
      answer: async ({ invocation }) => {
        // Without an end: only going away ends it.
        for (;;) {
          await invocation?.pace?.pause();
          stretches += 1;
          await settled();
          if (stretches === 3) client.abort();
        }
      },
      deps: { share },
    });
    await service.fetch(
      new Request("http://localhost/v1/memories", { headers: { "x-api-key": KEY }, signal: client.signal }),
    );
    expect(stretches).toBe(3);
    expect(share.figures()).toMatchObject({ running: 0, waiting: 0, refused: 0 });
  });

  test("what changes something is carried out once it has begun, whether or not the client stays", async () => {
    const share = testShare();
    const client = new AbortController();
    let isDone = false;
    const service = restWorld({
      answer: async ({ invocation }) => {
        client.abort();
        await invocation?.pace?.pause();
        await settled();
        await invocation?.pace?.pause();
        isDone = true;
        return {};
      },
      deps: { share },
    });
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    await service.fetch(
      new Request("http://localhost/v1/memories/m/restore", {
        method: "POST",
        headers,
        signal: client.signal,
      }),
    );
    expect(isDone).toBe(true);
    expect(share.figures()).toMatchObject({ running: 0, waiting: 0 });
  });

  test("a client that is slow with its body holds no place", async () => {
    const share = testShare({ perCredential: 1, perParty: 1, waitingPerParty: 0 });
    const service = restWorld({ answer: () => ({ id: "mem-1", status: "stored" }), deps: { share } });
    const rest = gate();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('{"content": "slow'));
        await rest.opened;
        controller.enqueue(new TextEncoder().encode(' and steady", "path": "notes"}'));
        controller.close();
      },
    });
    const slow = service.send("POST", "/v1/memories", {
      body,
      headers: { "content-type": "application/json" },
    });
    await settled();
    expect(share.figures().running).toBe(0);
    expect(
      (await service.send("POST", "/v1/memories", { body: { content: "quick", path: "notes" } })).status,
    ).toBe(201);
    rest.open();
    expect((await slow).status).toBe(201);
  });
});

test("over MCP a tool that finds no place says that it is overloaded, and when to call again", async () => {
  const share = testShare({ perCredential: 1, perParty: 1, waitingPerParty: 0 });
  const { open, opened } = gate();
  const service = mcpWorld(() => opened.then(() => contextAnswer("ada")), { share });
  const client = await service.connect("key-reader");
  const call = () => client.callTool({ name: "recall_context", arguments: { query: "tea" } });
  const first = call();
  while (share.figures().running === 0) await settled();
  const refused = await call();
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent).toMatchObject({ code: "overloaded" });
  expect(JSON.stringify(refused.content)).toContain("Wait 5 seconds");
  open();
  expect((await first).isError ?? false).toBe(false);
  expect(share.figures()).toMatchObject({ running: 0, waiting: 0, refused: 1 });
});

describe("on the whole service", () => {
  let here: World;
  beforeAll(async () => {
    here = await openWorld();
  });
  afterAll(() => here.close());

  /** Words that none of the others has, so that no cache knows what they are near to. */
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `word${from + at} ${(from + at) * 7919}`).join(" ");

  test("one key's request is answered while forty of another's wait", async () => {
    const [busy, other] = [await here.client({ owner: "busy" }), await here.client({ owner: "other" })];
    for (const client of [busy, other]) {
      const items = Array.from({ length: 50 }, (_, at) => ({
        content: `Note ${at}: ${words(at, 20)}`,
        path: "notes",
      }));
      expect((await client.post("/v1/memories/batch", { items })).body.failed).toBe(0);
    }
    await other.post("/v1/recall/context", { query: "note 7" });
    const order: string[] = [];
    const asked = Array.from({ length: 40 }, (_, at) =>
      busy
        .post("/v1/recall/context", { query: words(at * 1000, 700), max_items: 1000, max_tokens: 20_000 })
        .then(({ status }) => order.push(`busy ${status}`)),
    );
    for (let at = 0; at < 3; at += 1) {
      const { status } = await other.post("/v1/recall/context", { query: "note 7" });
      order.push(`other ${status}`);
    }
    await Promise.all(asked);
    expect(order.filter((name) => name === "other 200").length).toBe(3);
    // Of what runs beside it some may be through first; most of what waits is not.
    expect(order.lastIndexOf("other 200")).toBeLessThan(20);
    expect(here.service.share.figures()).toMatchObject({ running: 0, waiting: 0, waitingForTurn: 0 });
  });

  test("on the pages a person who is signed in has the user's share, and a stranger the network's", async () => {
    const [person, stranger] = [1, 2].map(() => createVisitor("http://localhost", here.handle)) as [
      Visitor,
      Visitor,
    ];
    const { owner } = await newPerson(here, person);
    const { share } = here.service;
    const { open, opened } = gate();
    const fill = (party: string) =>
      Array.from({ length: 6 + 64 }, () => share.run({ credential: null, party }, () => opened));
    const strangers = fill("from nowhere");
    await settled();
    const refused = await stranger.get("/sign-in");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await person.get("/account")).status).toBe(200);
    const own = fill(owner.id);
    await settled();
    expect((await person.get("/account")).status).toBe(503);
    open();
    await Promise.all([...strangers, ...own]);
    expect((await person.get("/account")).status).toBe(200);
    expect(share.figures()).toMatchObject({ running: 0, waiting: 0 });
  });
});
