import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANSWER_BYTES, itemsThatFit, jsonBytes } from "../../src/core/limits/answer-bytes.ts";
import { freshOwner, query, stored } from "../support/acting.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ JUNK_POLICY: "allow", SECRET_POLICY: "allow" });
});
afterAll(() => world.close());

/** As long as a memory may be, and six times that as JSON. */
const CONTENT = `a fact about the harbour ${"\u0001".repeat(65_000)}`;
/** As much as metadata may be. */
const METADATA = { notes: "x".repeat(60_000) };
/** An answer's own members, beside its items. */
const FRAME_BYTES = 64 * 1024;

function bounded(answer: Answer): Answer {
  expect(answer.status).toBe(200);
  expect(jsonBytes(answer.body)).toBeLessThan(ANSWER_BYTES + FRAME_BYTES);
  return answer;
}

interface PageOf {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

/** Every item, page by page, each of which is bounded. */
async function everyPage(
  client: Client,
  path: string,
  read: (answer: Answer) => PageOf,
): Promise<{ items: unknown[]; pages: number }> {
  const items: unknown[] = [];
  let pages = 0;
  for (let cursor: string | null = null; ; ) {
    const more: string =
      cursor === null ? "" : `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const page: PageOf = read(bounded(await client.get(`${path}${more}`)));
    items.push(...page.items);
    pages += 1;
    if (page.next === null || pages > 100) return { items, pages };
    cursor = page.next;
  }
}

const idsIn = (member: string) => (answer: Answer) => ({
  items: answer.body[member].map((item: { id: string }) => item.id),
  next: answer.body.next_cursor ?? null,
});

test("as many items fit as an answer holds, in their order, and one always", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ stringUnit: "binary" })), fc.nat(1000), (items, max) => {
      const fitting = itemsThatFit(items, max);
      expect(fitting).toEqual(items.slice(0, fitting.length));
      const bytes = (of: readonly unknown[]) => of.reduce<number>((sum, item) => sum + jsonBytes(item), 0);
      if (items.length > 0) expect(fitting.length).toBeGreaterThan(0);
      if (fitting.length > 1) expect(bytes(fitting)).toBeLessThanOrEqual(max);
      if (fitting.length < items.length)
        expect(bytes(items.slice(0, fitting.length + 1))).toBeGreaterThan(max);
    }),
  );
});

test("versions come in pages of an answer's size, each once, with the times between them", async () => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { content: CONTENT, metadata: METADATA });
  const changes = 7;
  for (let n = 1; n <= changes; n += 1) await client.patch(`/v1/memories/${id}`, { metadata: { n } });
  const path = `/v1/memories/${id}/versions`;
  interface Version {
    readonly metadata: { readonly n?: number };
    readonly valid_from: string;
    readonly valid_to: string | null;
  }
  const read = (answer: Answer) => ({ items: answer.body.versions, next: answer.body.next_cursor });
  const { items, pages } = await everyPage(client, path, read);
  const versions = items as Version[];
  expect(pages).toBeGreaterThan(2);
  expect(versions.map(({ metadata }) => metadata.n ?? 0)).toEqual(
    Array.from({ length: changes + 1 }, (_, n) => changes - n),
  );
  for (const [at, { valid_to }] of versions.entries())
    expect(valid_to).toBe(at === 0 ? null : versions[at - 1]?.valid_from);
  const small = await everyPage(client, `${path}?limit=1`, read);
  expect(small).toEqual({ items, pages: changes + 1 });
  expect((await client.get(`${path}?cursor=x`)).status).toBe(422);
});

test("lists and searches of the largest memories come in pages, each memory once", async () => {
  const client = await world.client({ owner: freshOwner() });
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1)
    ids.push(
      await stored(client, {
        content: `${n} ${CONTENT.slice(0, 60_000)}`,
        metadata: METADATA,
        path: `p/${n % 2}`,
      }),
    );
  const list = await everyPage(client, "/v1/memories?limit=1000", idsIn("memories"));
  expect(list.items).toEqual(ids.toReversed());
  expect(list.pages).toBeGreaterThan(2);
  const narrowed = await everyPage(client, "/v1/memories?path=p/1", idsIn("memories"));
  expect(narrowed.items).toEqual(ids.filter((_, n) => n % 2 === 1).toReversed());
  const offset = bounded(await client.get("/v1/memories?limit=1000&offset=3"));
  expect(offset.body.memories[0].id).toBe(ids.at(-4));
  expect(offset.body.next_cursor).not.toBeNull();

  const search = `/v1/memories/search${query({ query: "harbour", limit: 100 })}`;
  const found = await everyPage(client, search, idsIn("results"));
  expect(new Set(found.items)).toEqual(new Set(ids));
  expect(found.items).toHaveLength(ids.length);
});

test("a context has every item of its text, and what the text shows of those that are too large", async () => {
  const client = await world.client({ owner: freshOwner() });
  for (let n = 0; n < 40; n += 1)
    await stored(client, { content: `The harbour has berth ${n}.`, metadata: METADATA });
  const ask = { query: "harbour berth", max_items: 40, max_tokens: 4000 };
  for (const full of [false, true]) {
    const { body } = bounded(await client.post("/v1/recall/context", { ...ask, full }));
    expect(body.items).toHaveLength(body.budget.used_items);
    expect(body.items.length).toBeGreaterThan(20);
    expect(body.items[0]).toMatchObject({ metadata: METADATA });
    expect(body.items[0].reduced).toBeUndefined();
    expect(body.items.at(-1)).toMatchObject({ metadata: {}, provenance: {}, reduced: true });
  }
});

test("todos and decisions come in parts, whatever they are and whatever happened to them, each once", async () => {
  const client = await world.client({ owner: freshOwner() });
  const kinds = [
    { path: "/v1/projects/p/todos", create: "content", id: "todo_id" },
    { path: "/v1/projects/p/decisions", create: "context", id: "decision_id" },
  ] as const;
  for (const { path, create, id } of kinds) {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const answer = await client.post(path, {
        [create]: `${n} ${CONTENT.slice(0, 60_000)}`,
        metadata: METADATA,
      });
      expect(answer.status).toBe(200);
      made.push(answer.body[id]);
    }
    const read = (answer: Answer) => ({
      items: answer.body.map((item: Record<string, string>) => item[id]),
      next: answer.headers.get("x-recollect-next-cursor"),
    });
    const list = await everyPage(client, path, read);
    expect(list.pages).toBeGreaterThan(2);
    expect([...list.items].sort()).toEqual(made.toSorted());
    expect(await everyPage(client, `${path}?limit=1`, read)).toEqual({ items: list.items, pages: 5 });
    expect((await client.get(`${path}?cursor=none-of-it`)).status).toBe(422);
  }
});

test("a part goes on after an item that the filter no longer matches", async () => {
  const client = await world.client({ owner: freshOwner() });
  const path = "/v1/projects/p/todos";
  for (let n = 0; n < 3; n += 1) await client.post(path, { content: `Do ${n}.` });
  const all = (await client.get(`${path}?status=open`)).body.map(
    ({ todo_id }: { todo_id: string }) => todo_id,
  );
  const first = await client.get(`${path}?status=open&limit=1`);
  const cursor = first.headers.get("x-recollect-next-cursor");
  expect(cursor).toBe(all[0]);
  const body = (await client.get(`${path}?status=open&cursor=${cursor}`)).body;
  expect(body.map(({ todo_id }: { todo_id: string }) => todo_id)).toEqual(all.slice(1));
});

test("a todo with thousands of steps behind it shows the newest, and how many it leaves out", async () => {
  const client = await world.client({ owner: freshOwner() });
  const { todo_id } = (await client.post("/v1/projects/p/todos", { content: "Paint the berth." })).body;
  const reason = "\u0001".repeat(1000);
  for (let n = 0; n < 70; n += 1) {
    await client.post(`/v1/projects/p/todos/${todo_id}/block`, { reason });
    await client.post(`/v1/projects/p/todos/${todo_id}/unblock`);
  }
  for (const path of [`/v1/projects/p/todos/${todo_id}`, "/v1/projects/p/todos"]) {
    const { body } = bounded(await client.get(path));
    const todo = Array.isArray(body) ? body[0] : body;
    expect(todo.audit_trail.at(-1)).toMatchObject({ operation: "unblock" });
    expect(todo.audit_trail.length + todo.audit_trail_omitted).toBe(141);
    expect(jsonBytes(todo.audit_trail)).toBeLessThan(ANSWER_BYTES / 2);
  }
});
