import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { contradictingPairs } from "../../bench/recall/suites/contradictions/pairs.ts";
import { findDuplicates } from "../../src/core/maintenance/duplicates.ts";
import type { ScannedMemory } from "../../src/core/maintenance/scanned-memory.ts";
import { encodeVector } from "../../src/recall/index/vector-bytes.ts";
import { UNPACED } from "../../src/recall/work.ts";
import { runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { itemsOf, type Maintained, maintained, of } from "./maintenance.ts";
import { ok } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

type Body = Record<string, unknown>;
const TEXT = "The quiet heron stands in the shallow water of the northern lake";
const MERGE = { actions: ["merge_duplicates"], confirm_all_matching: true };

/** What would be merged of memories that differ so from one another. */
async function mergedOf(...members: Body[]) {
  const ours = maintained(client, world);
  const ids: string[] = [];
  for (const [at, given] of members.entries())
    ids.push(await ours.stored({ content: TEXT + ".".repeat(at), ...given }));
  const items = itemsOf(await ok(ours.report()), "merge_duplicates");
  return items.map(({ id, into }) => [ids.indexOf(id), ids.indexOf(into as string)]);
}

test.each<[string, Body, Body]>([
  ["buckets", {}, { bucket: "other" }],
  ["types", {}, { memory_type: "episodic" }],
  ["statuses", {}, { status: "started" }],
  ["keys", { semantic_key: "a" }, { semantic_key: "b" }],
  ["a key and none", { semantic_key: "a" }, {}],
  [
    "due dates",
    { metadata: { due_at: "2030-01-01T00:00:00Z" } },
    { metadata: { due_at: "2031-01-01T00:00:00Z" } },
  ],
  ["times of the event", {}, { metadata: { occurred_at: "2020-01-01T00:00:00Z" } }],
  [
    "sessions of working memory",
    { memory_type: "working", provenance: { session_id: "a" } },
    { memory_type: "working", provenance: { session_id: "b" } },
  ],
])("memories with different %s are no duplicates", async (_, a, b) => {
  expect(await mergedOf(a, b)).toEqual([]);
});

test.each([
  ["other numbers", "Ticket 12 is about the heron in the lake", "Ticket 13 is about the heron in the lake"],
  [
    "numbers in another order",
    "Of the 2 herons at the 12 lakes of the wide northern plain one has come",
    "Of the 12 herons at the 2 lakes of the wide northern plain one has come",
  ],
  [
    "a number that is there already",
    "Step 3 of the plan of 4 is for the heron: 3",
    "Step 3 of the plan of 4 is for the heron: 4",
  ],
  ["other days", "The heron of the lake comes on Monday", "The heron of the lake comes on Tuesday"],
  ["a denial", "The heron of the lake does eat the frogs", "The heron of the lake does not eat the frogs"],
  [
    "another name",
    "Ann has seen the heron of the lake with the frogs",
    "Bob has seen the heron of the lake with the frogs",
  ],
  ["another order", "Ann follows Bob", "Bob follows Ann"],
  ["the other side", "The heron gate of the lake is open", "The heron gate of the lake is closed"],
  ["another sign", "The lake of the heron is at -1 degrees", "The lake of the heron is at 1 degrees"],
  ["another operator", "The heron comes when x < 5", "The heron comes when x > 5"],
  ["another symbol", "The heron of the lake is here: ✅", "The heron of the lake is here: ❌"],
  ["another currency", "The heron of the lake cost $5", "The heron of the lake cost €5"],
  ["other capitals", "The heron calls getUser at the lake", "The heron calls getuser at the lake"],
  ["one word more", TEXT, `${TEXT}, alone`],
])("texts with %s are no duplicates", async (_, a, b) => {
  expect(await mergedOf({ content: a }, { content: b })).toEqual([]);
});

test("a memory goes only into one that says all that it says", async () => {
  const more = `${TEXT}. Once more: ${TEXT}.`;
  expect(await mergedOf({ content: more }, { content: TEXT })).toEqual([[1, 0]]);
  expect(await mergedOf({ content: more }, { content: TEXT, importance: 1 })).toEqual([]);
});

test("a memory goes only into one that lives at least as long", async () => {
  const soon = { expires_at: "2990-01-01T00:00:00Z" };
  const late = { expires_at: "2999-01-01T00:00:00Z" };
  expect(await mergedOf({ ...soon, importance: 1 }, {})).toEqual([]);
  expect(await mergedOf({ ...soon, importance: 1 }, late)).toEqual([]);
  expect(await mergedOf({ importance: 1 }, soon)).toEqual([[1, 0]]);
  expect(await mergedOf({ ...late, importance: 1 }, soon)).toEqual([[1, 0]]);
});

describe("the best stays", () => {
  const older = { metadata: { last_verified_at: "2020-01-01T00:00:00Z" } };
  const newer = { metadata: { last_verified_at: "2021-01-01T00:00:00Z" } };
  const inferred = { metadata: { authority: "inference" } };
  test.each<[string, Body, Body]>([
    ["by authority", {}, { ...inferred, importance: 1 }],
    ["by the last verification", { ...newer, importance: 0.1 }, { ...older, importance: 1 }],
    ["by importance", { importance: 0.6 }, { importance: 0.5 }],
    ["by confidence", { confidence: 0.6 }, { confidence: 0.5 }],
  ])("%s", async (_, best, other) => {
    expect(await mergedOf(best, other)).toEqual([[1, 0]]);
    expect(await mergedOf(other, best)).toEqual([[0, 1]]);
  });

  test("and of equals the newest", async () => {
    expect(await mergedOf({}, {}, {})).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });
});

test("a threshold of 1 takes equal texts alone, and a lower one more", async () => {
  const ours = maintained(client, world);
  const first = await ours.stored({ content: TEXT });
  const second = await ours.stored({ content: `${TEXT}  ` });
  const third = await ours.stored({
    content: `${TEXT} here and there, with one leg in the reeds and eyes closed`,
  });
  await ok(ours.set({ duplicate_similarity: 1 }));
  expect(await ours.due("merge_duplicates")).toEqual([first]);
  expect([second, third]).not.toContain(first);
});

test("memories of other owners and other projects are no duplicates, nor are todos", async () => {
  const ours = maintained(client, world);
  await ours.stored({ content: TEXT });
  await maintained(client, world).stored({ content: TEXT });
  await maintained(await world.client({ owner: "bob" }), world, ours.project).stored({ content: TEXT });
  for (let at = 0; at < 2; at++) await ok(ours.todo({ content: TEXT }));
  expect(await ours.due("merge_duplicates")).toEqual([]);
});

test("reminders stay, however alike", async () => {
  expect(await mergedOf({ memory_type: "reminder" }, { memory_type: "reminder" })).toEqual([]);
});

test("what was merged before is kept in what it goes into at last", async () => {
  const ours = maintained(client, world);
  const first = await ours.stored({ content: TEXT });
  const second = await ours.stored({ content: `${TEXT}.` });
  const merged = await ok(ours.execute(MERGE));
  const third = await ours.stored({ content: `${TEXT}!` });
  await ok(ours.execute(MERGE));
  const provenance = async (id: string) => (await ok(client.get(`/v1/memories/${id}`))).provenance;
  const idsIn = async (id: string) =>
    ((await provenance(id)).merged_from ?? []).map((entry: { id: string }) => entry.id);
  expect(await idsIn(third)).toEqual([first, second]);
  // The first run's survivor is gone itself: what went into it comes back all the same.
  const undone = await ok(ours.undo(merged.run_id));
  expect(of(undone, "merge_duplicates")).toMatchObject({ undone: 1, skipped: [] });
  expect(await ours.status(first)).toBe("active");
  expect(await idsIn(second)).toEqual([]);
});

test("provenance cannot be forged as merged", async () => {
  const ours = maintained(client, world);
  const id = await ours.stored({ provenance: { merged_from: [{ id: "forged" }] } });
  await client.patch(`/v1/memories/${id}`, { provenance: { merged_from: [{ id: "forged" }] } });
  expect((await ok(client.get(`/v1/memories/${id}`))).provenance).not.toHaveProperty("merged_from");
});

test("hundreds of duplicates become one, with where the latest hundred came from", async () => {
  const ours = maintained(client, world);
  const items = Array.from({ length: 230 }, (_, at) => ({
    content: TEXT + " ".repeat(at),
    path: "notes",
    provenance: { project_id: ours.project },
    ...(at === 100 ? { importance: 1 } : {}),
  }));
  const { body } = await client.post("/v1/memories/batch", { items });
  const best = body.results[100].id;
  const run = await ok(ours.execute(MERGE));
  expect(of(run, "merge_duplicates")).toMatchObject({ matched: 229, changed: 229, skipped: [], failed: [] });
  expect((await ok(client.get(`/v1/memories/${best}`))).provenance.merged_from).toHaveLength(100);
  const undone = await ok(ours.undo(run.run_id));
  expect(of(undone, "merge_duplicates")).toMatchObject({ undone: 229, skipped: [] });
  expect((await ok(client.get(`/v1/memories/${best}`))).provenance).not.toHaveProperty("merged_from");
}, 120_000);

/** Texts near one another in every way that decides. */
const arbitraryMemory = fc.record({
  content: fc.constantFrom(
    TEXT,
    `${TEXT}.`,
    `${TEXT} 12`,
    `${TEXT} 13`,
    `${TEXT}, alone`,
    `It is not so: ${TEXT}`,
  ),
  importance: fc.constantFrom(0.1, 0.5, 0.9),
  bucket: fc.constantFrom("public", "work"),
  expires_at: fc.constantFrom(null, "2990-01-01T00:00:00Z", "2999-01-01T00:00:00Z"),
  metadata: fc.constantFrom({}, { authority: "inference" }, { occurred_at: "2020-01-01T00:00:00Z" }),
});

async function statusesOf(ours: Maintained) {
  return world.service.sql`
    select memory_id, status, superseded_by from memories where project_id = ${ours.project} order by seq`;
}

test(`whatever there is: nothing is left to merge, every chain is one step long, and an undo restores all (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryMemory, { minLength: 2, maxLength: 12 }), async (memories) => {
      const ours = maintained(client, world);
      for (const memory of memories) await ours.stored(memory);
      const before = await statusesOf(ours);
      const run = await ok(ours.execute(MERGE));
      const after = await statusesOf(ours);
      const live = new Set(after.filter(({ status }) => status === "active").map((row) => row.memory_id));
      const gone = after.filter(({ status }) => status === "superseded");
      expect(live.size + gone.length).toBe(memories.length);
      for (const { superseded_by } of gone) expect(live).toContain(superseded_by);
      expect(of(run, "merge_duplicates")).toMatchObject({ changed: gone.length, skipped: [], failed: [] });
      // Each text, number and denial is still said by somebody.
      const said = new Set(memories.map(({ content }) => content.replace(/\W/g, "")));
      const stillSaid = await world.service
        .sql`select content from memories where memory_id = any(${[...live]})`;
      const left = new Set(stillSaid.map(({ content }) => content.replace(/\W/g, "")));
      for (const text of said) expect([...left].some((other) => other.includes(text))).toBe(true);
      expect(await ours.due("merge_duplicates")).toEqual([]);
      if (gone.length > 0) await ok(ours.undo(run.run_id));
      expect(await statusesOf(ours)).toEqual(before);
    }),
    { numRuns: runs(12), seed: SEED },
  );
}, 240_000);

test("of two that differ in one step none goes into the other, however near their vectors are", async () => {
  const vector = encodeVector(Float32Array.of(1, 0));
  const where = { path: "p", bucket: "b", scope: "private", memoryType: "semantic", status: "active" };
  for (const { sides } of contradictingPairs(runs(10_000), 47)) {
    const memories = sides.map((content, seq) => {
      const compared = { content, vector };
      return { ...where, seq, workspaceItem: null, semanticKey: null, expiresAt: null, compared };
    }) as unknown as ScannedMemory[];
    expect(await findDuplicates(memories, { similarityMin: 0.8, now: 0, pace: UNPACED })).toEqual([]);
  }
}, 600_000);

test("looking for duplicates makes way for others before each text, and between those it is compared with", async () => {
  const vector = encodeVector(Float32Array.of(1, 0));
  const memories = Array.from({ length: 4 }, (_, seq) => {
    const where = { path: "p", bucket: "b", scope: "private", memoryType: "semantic", status: "active" };
    const compared = { content: `${TEXT} ${seq + 5}`, vector };
    return { ...where, seq, workspaceItem: null, semanticKey: null, expiresAt: null, compared };
  }) as unknown as ScannedMemory[];
  const pace = { pause: vi.fn(() => undefined) };
  expect(await findDuplicates(memories, { similarityMin: 0.9, now: 0, pace })).toEqual([]);
  expect(pace.pause).toHaveBeenCalledTimes(4 + 4 + (1 + 2 + 3));
});
