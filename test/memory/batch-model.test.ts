import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner } from "../support/acting.ts";
import { runs } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Item = Readonly<Record<string, unknown>>;

/** Of few values each, so that many items have to do with each other and with what is there before. */
const item: fc.Arbitrary<Item> = fc
  .record({
    content: fc.constantFrom(
      ...[
        "The gate is green.",
        "The gate is GREEN.",
        "By the way, the gate is green",
        "The  gate is green! ",
      ],
      ...["Ann keeps bees.", "Ann keeps bees", "ok", "…", "The key is AKIAIOSFODNN7EXAMPLE."],
    ),
    path: fc.constantFrom("notes", "notes", "people"),
    memory_id: fc.constantFrom(null, null, null, "one", "two"),
    semantic_key: fc.constantFrom(null, null, null, "gate", "bees"),
    superseded_by: fc.constantFrom(null, null, null, null, "one"),
    dedupe: fc.constantFrom(null, true, true, false),
    importance: fc.constantFrom(null, 0.2, 0.9, 7),
    expires_at: fc.constantFrom(null, null, "2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"),
    metadata: fc.constantFrom(null, { color: "green" }, { count: 3 }),
  })
  .map((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)));

/** What an item is answered, whichever way it was sent. */
function answerOf(body: Item & { code?: string; error?: { code: string } }): Item {
  const code = body.code ?? body.error?.code;
  return code ? { code } : body;
}

async function oneByOne(client: Client, items: readonly Item[]): Promise<Item[]> {
  const answers: Item[] = [];
  for (const given of items) {
    const { body } = await client.post("dedupe" in given ? "/v1/remember" : "/v1/memories", given);
    answers.push(answerOf(body));
  }
  return answers;
}

async function inBatch(client: Client, items: readonly Item[]): Promise<Item[]> {
  const { status, body } = await client.post("/v1/memories/batch", { items });
  expect(status).toBe(200);
  return body.results.map(answerOf);
}

/** What is there in the end, newest first: all but instants. */
async function left(client: Client): Promise<Item[]> {
  const { body } = await client.get("/v1/memories?status=%25&limit=100");
  return body.memories.map((memory: Item) =>
    Object.fromEntries(
      Object.entries(memory).filter(
        ([name]) => !/(_at|_by|^etag|owner.*|author.*|provenance)$/.test(name) || name === "superseded_by",
      ),
    ),
  );
}

/** The same with ids by the order in which they are first named. */
function withNamedIds(value: unknown): unknown {
  const names = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const text = JSON.stringify(value).replaceAll(uuid, (id) => {
    if (!names.has(id)) names.set(id, `id ${names.size}`);
    return names.get(id) as string;
  });
  return JSON.parse(text);
}

/** The events of an owner, in their order. */
async function told(client: Client): Promise<unknown> {
  const { body } = await client.get("/v1/events?limit=500");
  return body.events.map(({ type, memory_id, revision }: Item) => ({ type, memory_id, revision }));
}

test("a batch does what its items do one by one, and answers the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 4 }),
      fc.array(item, { minLength: 1, maxLength: 12 }),
      async (before, items) => {
        const [single, batched] = await Promise.all([
          world.client({ owner: freshOwner() }),
          world.client({ owner: freshOwner() }),
        ]);
        const [first, second] = [[await oneByOne(single, before)], [await oneByOne(batched, before)]];
        first.push(await oneByOne(single, items));
        second.push(await inBatch(batched, items));
        const [expected, actual] = [
          { answers: first, left: await left(single), told: await told(single) },
          { answers: second, left: await left(batched), told: await told(batched) },
        ];
        expect(withNamedIds(actual)).toEqual(withNamedIds(expected));
      },
    ),
    { numRuns: runs(60) },
  );
});
