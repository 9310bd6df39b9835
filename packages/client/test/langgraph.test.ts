/**
 * The store beside LangGraph's own in-memory store, over random operations. Where they differ by design, the comparison says
 * so: a search without a question answers newest first, there by insertion; a namespace ends with its last item, which there
 * stays listed; and in-memory scores need an embedder, so that searches with a question are tested apart.
 */

import {
  InMemoryStore,
  type Item,
  type Operation,
  type OperationResults,
} from "@langchain/langgraph-checkpoint";
import { RecollectStore } from "@recollect/client/langgraph";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";

const ALL = 1000;
// Few, so that operations meet; of every kind that a path, a pattern or an id could trip over.
const label = fc
  .constantFrom("a", "ab", "A", "a%", "%", "a/b", "_", "é", "漢 字", "..", "*x", "=25")
  .filter((l) => !l.includes("."));
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const key = fc.constantFrom("k", "K", "k/%", "", "ключ");
const leaf = fc.oneof(
  fc.constantFrom("red", "blue", "", " "),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.dictionary(
  fc.constantFrom("color", "n", "x.y", "namespace", "deep"),
  fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("in", "color"), leaf, { noNullPrototype: true }),
  ),
  { noNullPrototype: true },
);
const comparison = fc.oneof(
  leaf,
  fc.record({ $gt: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ $gte: fc.integer({ min: -2, max: 2 }), $lt: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ $lte: fc.integer() }),
  fc.record({ $ne: leaf }),
  fc.record({ $eq: leaf }),
  fc.record({ $in: fc.array(leaf, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(leaf, { maxLength: 3 }) }),
);
const filter = fc.dictionary(fc.constantFrom("color", "n"), comparison, {
  maxKeys: 2,
  noNullPrototype: true,
});
const pattern = fc.array(fc.oneof(label, fc.constant("*")), { minLength: 1, maxLength: 2 });
const condition = fc.record({
  matchType: fc.constantFrom("prefix" as const, "suffix" as const),
  path: pattern,
});

const put = fc.record({
  namespace,
  key,
  value: fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: put },
  { weight: 2, arbitrary: fc.record({ namespace, key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      namespacePrefix: fc.array(label, { maxLength: 2 }),
      filter: fc.option(filter, { nil: undefined }),
      limit: fc.constant(ALL),
      offset: fc.constant(0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      matchConditions: fc.option(fc.array(condition, { maxLength: 2 }), { nil: undefined }),
      maxDepth: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      limit: fc.constant(ALL),
      offset: fc.constant(0),
    }),
  },
) as fc.Arbitrary<Operation>;

const told = ({ namespace: at, key: name, value: held }: Item) =>
  JSON.stringify([at, name, sortedMembers(held)]);
const sortedMembers = (held: unknown): unknown =>
  typeof held !== "object" || held === null || Array.isArray(held)
    ? held
    : Object.entries(held)
        .map(([name, inner]) => [name, sortedMembers(inner)])
        .sort();

/** An answer as it is compared: searches without a question by what they find, in whatever order. */
function comparable(given: Operation, answer: unknown): unknown {
  if ("namespacePrefix" in given) return (answer as Item[]).map(told).sort();
  if ("value" in given) return null;
  if ("key" in given) return answer === null ? null : told(answer as Item);
  return answer;
}

/** The in-memory store, in which a namespace ends with its last item. */
class Model extends InMemoryStore {
  override async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const answers = await super.batch(operations);
    const { data } = this as unknown as { data: Map<string, ReadonlyMap<string, Item>> };
    for (const [name, items] of data) if (items.size === 0) data.delete(name);
    return answers as OperationResults<Op>;
  }
}

test("answers as the in-memory store does, over random operations", { timeout: 300_000 }, async () => {
  const { client } = watchedClient();
  let [run, compared] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      async (batches) => {
        run += 1;
        const ours = new RecollectStore(client, { path: `random/${run}` });
        const model = new Model();
        for (const batch of batches) {
          const [expected, answers] = [await model.batch(batch), await ours.batch(batch)];
          for (const [at, given] of batch.entries()) {
            expect(comparable(given, answers[at])).toEqual(comparable(given, expected[at]));
            compared += 1;
          }
        }
      },
    ),
    {
      numRuns: Number(process.env.RECOLLECT_RUNS ?? 1) * 40,
      seed: Number(process.env.RECOLLECT_SEED ?? 20260131),
    },
  );
  expect(compared).toBeGreaterThan(200);
});

test("a page after another is the whole, newest first, and times are kept", async () => {
  const store = new RecollectStore(watchedClient().client, { path: "pages" });
  for (const at of [1, 2, 3, 4, 5]) await store.put(["pages"], `k${at}`, { at });
  const before = await store.get(["pages"], "k2");
  await store.put(["pages"], "k2", { at: 2, changed: true });
  const after = await store.get(["pages"], "k2");
  expect(after?.createdAt).toEqual(before?.createdAt);
  expect(after?.updatedAt.getTime()).toBeGreaterThanOrEqual(before?.updatedAt.getTime() ?? Number.NaN);
  const keys = async (offset: number) =>
    (await store.search(["pages"], { limit: 2, offset })).map((item) => item.key);
  expect([await keys(0), await keys(2), await keys(4), await keys(6)]).toEqual([
    ["k5", "k4"],
    ["k3", "k2"],
    ["k1"],
    [],
  ]);
  const many = await store.listNamespaces({ prefix: ["pages"], limit: 1, offset: 1 });
  expect(many).toEqual([]);
});

test("a search by meaning finds what its fields say, with scores, below its prefix alone", async () => {
  const store = new RecollectStore(watchedClient().client, {
    path: "meaning",
    fields: ["text", "notes[*].said"],
  });
  await store.put(["users", "ada"], "food", { text: "Ada cannot eat walnuts.", colour: "violet" });
  await store.put(["users", "ada"], "work", { notes: [{ said: "Ada repairs harpsichords." }, { said: 7 }] });
  await store.put(["users", "adam"], "food", { text: "Adam cannot eat walnuts." });
  await store.put(["users", "ada"], "hidden", { text: "Ada also hides walnuts." }, false);
  const found = await store.search(["users", "ada"], { query: "Who cannot eat walnuts?" });
  expect(found[0]).toMatchObject({ key: "food", namespace: ["users", "ada"], value: { colour: "violet" } });
  expect(found[0]?.score).toBeGreaterThan(0);
  expect(found.map((item) => item.namespace.at(-1))).not.toContain("adam");
  expect(found.map((item) => item.key)).not.toContain("hidden");
  const [first] = await store.search(["users"], { query: "harpsichords" });
  expect(first).toMatchObject({
    key: "work",
    value: { notes: [{ said: "Ada repairs harpsichords." }, { said: 7 }] },
  });
  const filtered = await store.search(["users"], { query: "walnuts", filter: { colour: { $ne: "violet" } } });
  expect(filtered[0]).toMatchObject({ namespace: ["users", "adam"], key: "food" });
  expect(filtered.map((item) => item.value.colour)).not.toContain("violet");
});

test("long namespaces and large values are kept whole; what is too large is refused, and no secret is kept", async () => {
  const { client } = watchedClient();
  const store = new RecollectStore(client, { path: "large" });
  const long = Array.from({ length: 12 }, (_, at) => `${"ü".repeat(60)}${at}`);
  await store.put(long, "k", { n: 1 });
  expect(await store.get(long, "k")).toMatchObject({ namespace: long, value: { n: 1 } });
  expect(await store.search(long.slice(0, 11))).toHaveLength(1);
  expect(await store.listNamespaces({ prefix: long.slice(0, 10), maxDepth: 11 })).toEqual([
    long.slice(0, 11),
  ]);
  const text = "word ".repeat(8_000);
  await store.put(["large"], "text", { text });
  expect((await store.get(["large"], "text"))?.value).toEqual({ text });
  await expect(store.put(["large"], "huge", { text: text.repeat(20) })).rejects.toMatchObject({
    name: "RecollectError",
  });
  const secret = { token: `ghp_${"Ab3dE6gH9j".repeat(4).slice(0, 36)}` };
  await store.put(["large"], "secret", secret);
  expect(JSON.stringify(await store.get(["large"], "secret"))).toMatch(/\[secret:/);
  expect(JSON.stringify(await store.search(["large"]))).not.toContain(secret.token);
});

test("what is no namespace is refused before anything is sent, and a service that is not there rejects", async () => {
  const { client, requests } = watchedClient();
  const store = new RecollectStore(client);
  const name = "InvalidNamespaceError";
  await expect(store.put([], "k", {})).rejects.toMatchObject({ name });
  await expect(store.put(["langgraph"], "k", {})).rejects.toMatchObject({ name });
  await expect(
    store.batch([
      { namespace: ["a"], key: "k", value: {} },
      { namespace: ["a.b"], key: "k" },
    ]),
  ).rejects.toMatchObject({ name });
  expect(requests).toEqual([]);
  await expect(new RecollectStore(lostClient()).get(["a"], "k")).rejects.toMatchObject({
    code: "connection_failed",
  });
});

test("an item that a person took away is not there, and is put again once they are done with it", async () => {
  const { client } = watchedClient();
  const store = new RecollectStore(client, { path: "taken" });
  await store.put(["taken"], "k", { n: 1 });
  const [memory] = (await client.listMemories({ path: "taken%" })).memories;
  const memory_id = String(memory?.id);
  await client.deleteMemory({ memory_id, mode: "soft_delete" });
  expect(await store.get(["taken"], "k")).toBeNull();
  expect(await store.search(["taken"])).toEqual([]);
  await expect(store.put(["taken"], "k", { n: 2 })).rejects.toMatchObject({ code: "memory_id_conflict" });
  await client.restoreMemory({ memory_id });
  await store.put(["taken"], "k", { n: 2 });
  await store.delete(["taken"], "k");
  await store.delete(["taken"], "k");
  await store.put(["taken"], "k", { n: 3 });
  expect((await store.get(["taken"], "k"))?.value).toEqual({ n: 3 });
});

test("another owner's memory with the id of an item is neither read nor changed nor deleted", async () => {
  const { client, requests } = watchedClient();
  const store = new RecollectStore(client, { path: "mine" });
  const [namespace, key] = [["mine"], "k"] as const;
  expect(await store.get([...namespace], key)).toBeNull();
  const memory_id = requests.at(-1)?.split("/").at(-1) as string;
  const { team: team_id } = inject("server");
  const theirs = { content: "Not an item of yours.", metadata: { namespace, key, value: { n: 0 } } };
  await client.storeMemory({ memory_id, path: "mine", scope: "team", team_id, ...theirs });
  expect(await store.get([...namespace], key)).toBeNull();
  await store.delete([...namespace], key);
  for (const n of [1, 2]) await store.put([...namespace], key, { n });
  expect((await store.get([...namespace], key))?.value).toEqual({ n: 2 });
  await store.delete([...namespace], key);
  expect(await store.get([...namespace], key)).toBeNull();
  // Other suites store in the same team.
  const ofTeam = await client.listMemories({ scope: "team", team_id, path: "mine%" });
  expect(ofTeam.memories.map(({ id, content }) => [id, content])).toEqual([[memory_id, theirs.content]]);
  const ofTheTeam = new RecollectStore(client, { path: "mine", teamId: team_id });
  await ofTheTeam.put([...namespace], key, { n: 2 });
  expect((await ofTheTeam.get([...namespace], key))?.value).toEqual({ n: 2 });
  await ofTheTeam.delete([...namespace], key);
  expect(await ofTheTeam.get([...namespace], key)).toBeNull();
});
