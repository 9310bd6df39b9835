import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerOf } from "../../src/core/caller.ts";
import { createOpenStreams } from "../../src/core/limits/streams.ts";
import { createEventStreams } from "../../src/surfaces/http/event-stream.ts";
import { register } from "../agents/agents.ts";
import { eventually, expectRefusal, freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({
    EVENT_STREAMS_PER_CREDENTIAL: "2",
    EVENT_STREAMS_PER_OWNER: "3",
    EVENT_STREAMS: "5",
  });
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

interface Block {
  readonly id: string;
  readonly data: { readonly type: string; readonly data: { readonly id: string } } | null;
}

/** A stream as a consumer reads it. */
function reader(response: Response) {
  const taken = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const waiting: Block[] = [];
  return {
    /** The next block; null at the end. */
    async next(): Promise<Block | null> {
      while (waiting.length === 0) {
        const { value, done } = await taken.read();
        if (done) return null;
        const blocks = new TextDecoder().decode(value).split("\n\n").slice(0, -1);
        waiting.push(...blocks.map(blockOf));
      }
      return waiting.shift() ?? null;
    },
    end: () => taken.cancel(),
  };
}

function blockOf(text: string): Block {
  const members = Object.fromEntries(text.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { id: members.id, data: members.data === undefined ? null : JSON.parse(members.data) };
}

function open(
  client: Pick<Client, "token">,
  path = "/v1/events",
  headers = {},
  address?: string,
): Promise<Response> {
  const request = new Request(`http://localhost${path}`, {
    headers: { "x-api-key": client.token, accept: "text/event-stream", ...headers },
  });
  if (address !== undefined) Object.defineProperty(request, "ip", { value: address });
  return world.handle(request);
}

test("a stream begins with where it is, and tells what happens from then on", async () => {
  const client = await someone();
  await stored(client, { content: "Before." });
  const response = await open(client);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toContain("no-store");
  const stream = reader(response);
  expect(await stream.next()).toEqual({ id: expect.stringMatching(/^evt_/), data: null });
  const id = await stored(client, { content: "Meanwhile." });
  const block = await stream.next();
  expect(block?.data).toMatchObject({ id: block?.id, type: "memory.created", data: { id } });
  await stream.end();
});

test("whoever comes back with Last-Event-ID goes on after it", async () => {
  const client = await someone();
  const first = reader(await open(client));
  const start = await first.next();
  await first.end();
  const ids = [await stored(client, { content: "One." }), await stored(client, { content: "Two." })];
  const told = reader(await open(client, "/v1/events?after=now", { "last-event-id": start?.id }));
  for (const id of ids) expect((await told.next())?.data?.data.id).toBe(id);
  await told.end();
});

test("what cannot be streamed is refused like any request", async () => {
  const client = await someone();
  const refused = async (path: string, headers = {}) => {
    const response = await open(client, path, headers);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  expectRefusal(await refused("/v1/events?after=evt_AAAAAAAAAAAAAAAAAAAAAA"), 422, "validation_failed");
  expectRefusal(await refused("/v1/events", { "x-api-key": "no key" }), 401, "invalid_token");
  const head = await world.handle(
    new Request("http://localhost/v1/events", {
      method: "HEAD",
      headers: { "x-api-key": client.token, accept: "text/event-stream" },
    }),
  );
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"]);
});

test("it ends when its credential is revoked", async () => {
  const client = await someone();
  const stream = reader(await open(client));
  await stream.next();
  await world.service.credentials.revoke(client.tokenId);
  await stored(await someone(), { content: "Somebody else's, so that the log grows." });
  expect(await stream.next()).toBeNull();
});

test("one credential keeps so many open, all together so many, and each that ends makes room", async () => {
  const [one, ...others] = [await someone(), await someone(), await someone()];
  const refused = async (client: Client) => {
    const response = await open(client);
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expectRefusal(answer, 503, "overloaded");
    expect(answer.headers.get("retry-after")).toBe("15");
  };
  const streams = [await open(one as Client), await open(one as Client)].map(reader);
  await refused(one as Client);
  for (const client of others) streams.push(reader(await open(client)));
  streams.push(reader(await open(others[0] as Client)));
  await refused(others[1] as Client);
  await streams[0]?.end();
  await eventually(
    () => open(others[1] as Client),
    ({ status }) => status === 200,
  ).then((response) => reader(response).end());
  for (const stream of streams) await stream.end();
});

describe("streams are shared by parties", () => {
  /** Opens a stream of each client in turn; answers those that opened, and how many were refused. */
  async function openAll(clients: readonly Pick<Client, "token">[], address?: string) {
    const streams: ReturnType<typeof reader>[] = [];
    let refused = 0;
    for (const client of clients) {
      const response = await open(client, "/v1/events", {}, address);
      if (response.status === 200) streams.push(reader(response));
      else refused += 1;
    }
    return { streams, refused };
  }
  const endAll = (streams: readonly ReturnType<typeof reader>[]) =>
    Promise.all(streams.map((stream) => stream.end()));
  const agents = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => register(world)))).map(({ client }) => client);

  test("a user has so many with all its keys, and so has a team with all its members'", async () => {
    for (const owner of [{ owner: freshOwner() }, { team: freshOwner() }]) {
      const keys = await Promise.all(Array.from({ length: 5 }, () => world.client(owner)));
      const { streams, refused } = await openAll(keys);
      expect({ open: streams.length, refused }).toEqual({ open: 3, refused: 2 });
      await endAll(streams);
    }
  });

  test("agents that nobody has bound have so many from one network, however many they are", async () => {
    const { streams, refused } = await openAll(await agents(5), "198.51.100.7");
    expect({ open: streams.length, refused }).toEqual({ open: 3, refused: 2 });
    await endAll(streams);
  });

  test("networks that take every place make way for a user, whose stream goes on", async () => {
    const opened = await Promise.all(
      (await agents(5)).map((agent, at) => openAll([agent], `198.51.100.${at + 1}`)),
    );
    const strangers = opened.flatMap(({ streams }) => streams);
    expect(strangers).toHaveLength(5);
    const client = await someone();
    const mine = reader(await open(client));
    await mine.next();
    const id = await stored(client, { content: "Meanwhile." });
    expect((await mine.next())?.data?.data.id).toBe(id);
    const late = await openAll(await agents(1), "198.51.100.9");
    expect(late).toEqual({ streams: [], refused: 1 });
    await endAll([mine, ...strangers]);
  });

  test("where there are no more, the party with the most loses its oldest to one that has fewer", async () => {
    const keys = (owner: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => world.client({ owner })));
    const [many, few] = [
      await openAll(await keys(freshOwner(), 3)),
      await openAll(await keys(freshOwner(), 2)),
    ];
    const client = await someone();
    const mine = reader(await open(client));
    expect(await mine.next()).not.toBeNull();
    const [oldest, ...rest] = many.streams;
    await oldest?.next();
    expect(await oldest?.next()).toBeNull();
    expect((await open(client)).status).toBe(503);
    await endAll([mine, ...rest, ...few.streams]);
  });
});

describe("at a quick heartbeat", () => {
  async function quick(client: Client, stopping = new AbortController().signal) {
    const { application, credentials, pulse, ports } = world.service;
    const credential = await credentials.authenticate(client.token);
    if (!credential || !pulse) throw new Error("there is no such world");
    const claims = { agentId: null, agentName: null, agentInstance: null, sessionId: null, taskId: null };
    const caller = callerOf(credential, { ...claims, projectId: null }, { requestId: "r", hash: ports.hash });
    const streams = createEventStreams({
      open: createOpenStreams({ total: 1, perParty: 1, perCredential: 1 }),
      heartbeatMs: 50,
      follow: pulse.follow,
      stopping,
    });
    const read = (after: string) => application.call("listEvents", caller, { after });
    const first = await read("now");
    const request = new Request("http://localhost/v1/events");
    const requester = { credential: client.tokenId, party: client.ownerId };
    return () => streams({ request, requester }, first, read);
  }

  test("says where it is while nothing happens", async () => {
    const openOne = await quick(await someone());
    const stream = reader(openOne());
    const told = [await stream.next(), await stream.next(), await stream.next()];
    expect(told.map((block) => block?.data)).toEqual([null, null, null]);
    await stream.end();
  });

  test("drops a consumer that takes nothing, which makes room for another", async () => {
    const client = await someone();
    const openOne = await quick(client);
    const stalled = openOne();
    expect(() => openOne()).toThrow("as many streams open");
    for (let at = 0; at < 20; at++) await stored(client, { content: `Number ${at}.` });
    const next = await eventually(
      async () => {
        try {
          return openOne();
        } catch {
          return null;
        }
      },
      (response) => response !== null,
    );
    await expect(reader(stalled).next()).rejects.toThrow("takes nothing");
    await reader(next as Response).end();
  });

  test("ends when the server stops", async () => {
    const stopping = new AbortController();
    const openOne = await quick(await someone(), stopping.signal);
    const stream = reader(openOne());
    await stream.next();
    stopping.abort();
    expect(await stream.next()).toBeNull();
  });
});
