import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clearLog } from "../../src/adapters/postgres/events/advance.ts";
import { erase } from "../erasure/stage.ts";
import { expectRefusal, freshOwner, memory, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string; readonly revision: number };
}

async function events(client: Pick<Client, "get">, query = ""): Promise<Event[]> {
  const { status, body } = await client.get(`/v1/events?${query}`);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.events;
}

const types = (list: readonly Event[]) => list.map(({ type }) => type);

describe("what happens to a memory", () => {
  test("is told in its order, by ids and kinds, without a word of it", async () => {
    const client = await someone();
    const id = await stored(client, { content: "Lighthouse keepers." });
    await client.patch(`/v1/memories/${id}`, { content: "Lighthouse keepers, retired." });
    await client.delete(`/v1/memories/${id}`);
    await client.post(`/v1/memories/${id}/restore`);
    await client.delete(`/v1/memories/${id}?mode=redact`);
    const told = await events(client);
    const kinds = ["created", "updated", "deleted", "restored", "redacted"];
    expect(types(told)).toEqual(kinds.map((kind) => `memory.${kind}`));
    expect(told.map(({ data }) => data.revision)).toEqual([1, 2, 3, 4, 5]);
    expect(told[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: "memory.created",
      timestamp: expect.stringMatching(/Z$/),
      data: { subject: "memory", id, project_id: null, team_id: null, revision: 1 },
    });
    expect(JSON.stringify(told)).not.toContain("Lighthouse");
  });

  test("for good leaves its erasure alone", async () => {
    const client = await someone();
    const id = await stored(client);
    await client.delete(`/v1/memories/${id}?mode=hard_delete`);
    const told = await events(client);
    expect(told.map(({ type, data }) => [type, data.id, data.revision])).toEqual([
      ["memory.hard_deleted", id, 2],
    ]);
  });

  test("by the clock is told too: it expires, and what it had superseded is live again", async () => {
    const client = await someone();
    const lasting = await stored(client, { semantic_key: "city", content: "Lives in Bern." });
    const { body: start } = await client.get("/v1/events");
    const soon = new Date(Date.now() + 1500).toISOString();
    const holiday = await stored(client, { semantic_key: "city", content: "In Rome.", expires_at: soon });
    const told: Event[] = [];
    for (let next = start.next; told.length < 4; ) {
      const { body } = await client.get(`/v1/events?after=${next}`);
      told.push(...body.events);
      next = body.next;
    }
    const of = (id: string) => types(told.filter(({ data }) => data.id === id));
    expect(of(holiday)).toEqual(["memory.created", "memory.expired"]);
    expect(of(lasting)).toEqual(["memory.superseded", "memory.revived"]);
  });

  test("by the clock comes before the change that follows it, though nobody asked in between", async () => {
    const client = await someone();
    const soon = new Date(Date.now() + 300).toISOString();
    const id = await stored(client, { expires_at: soon });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await client.patch(`/v1/memories/${id}`, { expires_at: "2999-01-01T00:00:00Z" });
    expect(types(await events(client))).toEqual(["memory.created", "memory.expired", "memory.updated"]);
  });
});

test("todos and decisions are told of by the states they come to", async () => {
  const client = await someone();
  const { body: todo } = await client.post("/v1/projects/apollo/todos", { content: "Paint the door." });
  const at = `/v1/projects/apollo/todos/${todo.todo_id}`;
  for (const step of ["accept", "complete"]) await client.post(`${at}/${step}`, {});
  const { body: decision } = await client.post("/v1/projects/apollo/decisions", { context: "Which colour?" });
  await client.post(`/v1/projects/apollo/decisions/${decision.decision_id}/resolve`, {
    resolution: "Green.",
  });
  const told = await events(client, "project_id=apollo");
  expect(types(told)).toEqual([
    "todo.created",
    "todo.accepted",
    "todo.completed",
    "decision.created",
    "decision.resolved",
  ]);
  expect(types(await events(client, "subject=decision"))).toEqual(types(told).slice(3));
  expect(types(await events(client, `memory_id=${todo.todo_id}`))).toEqual(types(told).slice(0, 3));
});

describe("reading on", () => {
  test("page by page nothing is missed and nothing comes twice, while others write", async () => {
    const [client, other] = [await someone(), await someone()];
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, at) => stored(at % 2 ? client : other, { content: `Number ${at}.` })),
    );
    const told: Event[] = [];
    let isWritten = false;
    void writing.then(() => (isWritten = true));
    for (let next: string | undefined, isLast = false; !isLast; ) {
      isLast = isWritten;
      const { body } = await client.get(`/v1/events?limit=3${next ? `&after=${next}` : ""}`);
      told.push(...body.events);
      next = body.next;
      isLast &&= !body.has_more;
    }
    const written = (await writing).filter((_, at) => at % 2);
    expect(told.map(({ data }) => data.id).sort()).toEqual(written.sort());
  });

  test("after an event that a transaction still running will be told behind, nothing is missed", async () => {
    const client = await someone();
    const first = await stored(client);
    const { sql } = world.service;
    const told: Event[] = [];
    let next = "";
    const read = async () => {
      const { body } = await client.get(`/v1/events?${next && `after=${next}`}`);
      told.push(...body.events);
      next = body.next;
    };
    await sql.begin(async (slow) => {
      await slow`update memories set revision = revision + 1 where memory_id = ${first} and owner_id = ${client.ownerId}`;
      await stored(client, { content: "Written meanwhile." });
      await read();
      expect(told).toHaveLength(2);
    });
    await read();
    expect(types(told)).toEqual(["memory.created", "memory.created", "memory.updated"]);
  });

  test("Last-Event-ID says where, and wins over after", async () => {
    const client = await someone();
    for (const content of ["One.", "Two.", "Three."]) await stored(client, { content });
    const all = await events(client);
    const { body } = await client.get(`/v1/events?after=${all[0]?.id}`, {
      "last-event-id": all[1]?.id ?? "",
    });
    expect(body.events).toEqual(all.slice(2));
  });

  test("from what is no id is refused, and from what is no longer kept as well", async () => {
    const client = await someone();
    for (const after of ["yesterday", "evt_AAAAAAAAAAAAAAAAAAAAAA"])
      expectRefusal(await client.get(`/v1/events?after=${after}`), 422, "validation_failed");
    const id = await stored(client, { content: "Old." });
    const [old] = await events(client);
    await stored(client, { content: "New." });
    const { body } = await client.get("/v1/events");
    await clearLog(world.service.sql, 0);
    expect(await events(client, `after=${body.next}`)).toEqual([]);
    expectRefusal(await client.get(`/v1/events?after=${old?.id}`), 410, "events_gone");
    await client.patch(`/v1/memories/${id}`, { content: "Newer." });
    expect(types(await events(client))).toEqual(["memory.updated"]);
  });

  test("from where another's events ended is no place that is gone, once that other is erased", async () => {
    const client = await someone();
    const name = freshOwner();
    await stored(await world.client({ owner: name }), { content: "The last of all." });
    const { body } = await client.get("/v1/events?after=now");
    await erase(world, "user", name);
    expect(await events(client, `after=${body.next}`)).toEqual([]);
    await stored(client, { content: "After it." });
    expect(types(await events(client, `after=${body.next}`))).toEqual(["memory.created"]);
  });
});

describe("who may not see it", () => {
  test("is told nothing of a memory that moved out of its sight, nor of another owner's", async () => {
    const owner = freshOwner();
    const all = await world.client({ owner });
    const some = await world.client({ owner, space: { pathPrefix: "open" } });
    const id = await stored(all, { path: "open/here" });
    await stored(all, { path: "closed/there" });
    expect((await events(some)).map(({ data }) => data.id)).toEqual([id]);
    await all.patch(`/v1/memories/${id}`, { path: "closed/now" });
    expect(await events(some)).toEqual([]);
    expect(await events(await someone())).toEqual([]);
    expect(await events(all)).toHaveLength(3);
  });

  test("is told of an erasure where it saw the memory, and not elsewhere", async () => {
    const owner = freshOwner();
    const all = await world.client({ owner });
    const [there, elsewhere] = await Promise.all(
      ["open", "closed"].map((pathPrefix) => world.client({ owner, space: { pathPrefix } })),
    );
    const id = await stored(all, { path: "open/here" });
    await all.delete(`/v1/memories/${id}?mode=hard_delete`);
    expect(types(await events(there as Client))).toEqual(["memory.hard_deleted"]);
    expect(await events(elsewhere as Client)).toEqual([]);
  });

  test("needs memory:read", async () => {
    const client = await world.client({ owner: freshOwner(), scopes: ["memory:write"] });
    expectRefusal(await client.get("/v1/events"), 403, "insufficient_scope");
  });
});

test("a batch is told of in full", async () => {
  const client = await someone();
  const items = Array.from({ length: 30 }, (_, at) => memory({ content: `Item ${at}.` }));
  await client.post("/v1/memories/batch", { items });
  expect(await events(client)).toHaveLength(30);
});

test("places say nothing of what others do: two are never alike, whether the log has grown or not", async () => {
  const [client, other] = [await someone(), await someone()];
  await stored(client);
  const next = async () => (await client.get("/v1/events")).body.next as string;
  const now = async () => (await client.get("/v1/events?after=now")).body.next as string;
  const places = [await next(), await next(), await now(), await now()];
  await stored(other);
  places.push(await next(), await now());
  expect(new Set(places).size).toBe(places.length);
  for (const place of places) expect(await events(client, `after=${place}`)).toEqual([]);
  const id = await stored(client, { content: "Afterwards." });
  for (const place of places)
    expect((await events(client, `after=${place}`)).map((event) => event.data.id)).toEqual([id]);
});

test("an event has the same id for everybody and each time, and can be read on from", async () => {
  const client = await someone();
  await stored(client);
  const [first] = await events(client);
  expect(await events(client)).toEqual([first]);
  expect(await events(client, `after=${first?.id}`)).toEqual([]);
});
