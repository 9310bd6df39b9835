import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces } from "../support/acting.ts";
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

/** Memories that nobody has touched for a year. */
async function stale(ours: Maintained, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const id = await ours.stored();
    await ours.age(id, 365);
    ids.push(id);
  }
  return ids;
}

const ARCHIVE = { actions: ["archive_stale"] };

test.each([
  ["none", {}],
  ["an empty list of ids", { target_ids: [] }],
  ["two", { target_ids: ["a"], confirm_all_matching: true }],
  ["two others", { confirm_all_matching: true, plan_hash: "1000" }],
  ["a plan and ids", { target_ids: ["a"], plan_hash: "1000" }],
  ["all three", { target_ids: ["a"], confirm_all_matching: true, plan_hash: "1000" }],
])("a selection must be one: %s is refused", async (_, selection) => {
  const ours = maintained(client, world);
  expect(faultyPlaces(await ours.execute({ ...ARCHIVE, ...selection }))).toEqual(["body"]);
  expect(await ok(ours.runs())).toEqual([]);
});

test("an empty list of ids beside another selection is as if it were not given", async () => {
  const ours = maintained(client, world);
  await ok(ours.execute({ ...ARCHIVE, target_ids: [], confirm_all_matching: true }));
});

test.each([
  [[]],
  [["archive_stale", "archive_stale"]],
  [["archive"]],
  [["expire_overdue", "archive_stale", "merge_duplicates", "refresh_embeddings", "repair_index"]],
  ["archive_stale"],
  [null],
])("the actions %j are refused", async (actions) => {
  const ours = maintained(client, world);
  const answer = await ours.execute({ actions, confirm_all_matching: true });
  expect(faultyPlaces(answer)[0]).toMatch(/^body\.actions/);
});

test("more than 500 ids, and ids that are none, are refused", async () => {
  const ours = maintained(client, world);
  const many = Array.from({ length: 501 }, (_, at) => `m${at}`);
  expect(faultyPlaces(await ours.execute({ ...ARCHIVE, target_ids: many }))).toEqual(["body.target_ids"]);
  expect(faultyPlaces(await ours.execute({ ...ARCHIVE, target_ids: ["no id"] }))).toEqual([
    "body.target_ids.0",
  ]);
});

test("of named ids those that are due are done, and the others are skipped with the reason", async () => {
  const ours = maintained(client, world);
  const [named, unnamed] = await stale(ours, 2);
  const fresh = await ours.stored();
  const elsewhere = await maintained(client, world).stored();
  const run = await ok(ours.execute({ ...ARCHIVE, target_ids: [fresh, named, elsewhere, "nobody", named] }));
  expect(of(run, "archive_stale")).toEqual({
    action: "archive_stale",
    matched: 4,
    changed: 1,
    skipped: [
      { id: fresh, reason: "not_due" },
      { id: elsewhere, reason: "not_found" },
      { id: "nobody", reason: "not_found" },
    ],
    failed: [],
  });
  expect(await ours.due("archive_stale")).toEqual([unnamed]);
});

test("a duplicate that is named is merged into the survivor that the report names", async () => {
  const ours = maintained(client, world);
  const content = "The quiet heron stands in the shallow water";
  const [a, b] = [await ours.stored({ content }), await ours.stored({ content: `${content}.` })];
  const [duplicate] = await ours.due("merge_duplicates");
  const survivor = duplicate === a ? b : a;
  const kept = await ok(ours.execute({ actions: ["merge_duplicates"], target_ids: [survivor] }));
  expect(of(kept, "merge_duplicates")).toMatchObject({
    changed: 0,
    skipped: [{ id: survivor, reason: "not_due" }],
  });
  const merged = await ok(ours.execute({ actions: ["merge_duplicates"], target_ids: [duplicate] }));
  expect(of(merged, "merge_duplicates")).toMatchObject({ changed: 1, skipped: [] });
  expect(await ours.due("merge_duplicates")).toEqual([]);
});

test("whichever duplicates of a report are named, each of them is merged into the survivor that it names", async () => {
  const named = fc.subarray([0, 1, 2, 3], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(named, async (places) => {
      const ours = maintained(client, world);
      const content = "The quiet heron stands in the shallow water";
      for (const end of ["", ".", "!", " .", " !"]) await ours.stored({ content: content + end });
      const due = await ours.due("merge_duplicates");
      const target_ids = places.map((place) => due[place] as string);
      const run = await ok(ours.execute({ actions: ["merge_duplicates"], target_ids }));
      expect(of(run, "merge_duplicates")).toMatchObject({ changed: target_ids.length, skipped: [] });
      expect(await ours.due("merge_duplicates")).toEqual(due.filter((id) => !target_ids.includes(id)));
    }),
    { numRuns: 8 },
  );
});

test("whoever names a memory has it projected again", async () => {
  const ours = maintained(client, world);
  const id = await ours.stored();
  const run = await ok(ours.execute({ actions: ["repair_index"], target_ids: [id] }));
  expect(of(run, "repair_index").changed).toBe(1);
});

test("a report changes nothing and is the same again", async () => {
  const ours = maintained(client, world);
  const ids = await stale(ours, 3);
  const [first, second] = [await ok(ours.report()), await ok(ours.report())];
  expect({ ...second, generated_at: null }).toEqual({ ...first, generated_at: null });
  expect(itemsOf(first, "archive_stale").map(({ id }) => id)).toEqual(ids);
  expect(first).toMatchObject({ scanned: 3, truncated: false, scan_limit: 1000, notes: [] });
});

test("a scan limit bounds what is looked at, and what is due comes first", async () => {
  const ours = maintained(client, world);
  for (let at = 0; at < 3; at++) await ours.stored();
  const [old, older] = await stale(ours, 2);
  await ours.age(older as string, 400);
  const report = await ok(ours.report({ scan_limit: 1 }));
  expect(report).toMatchObject({ scanned: 1, truncated: true, scan_limit: 1 });
  expect(itemsOf(report, "archive_stale").map(({ id }) => id)).toEqual([older]);
  const run = await ok(ours.execute({ ...ARCHIVE, plan_hash: report.plan_hash }));
  expect(run).toMatchObject({ truncated: true, actions: [{ matched: 1, changed: 1 }] });
  expect(await ours.due("archive_stale")).toEqual([old]);
  for (const scan_limit of [0, 5001, "x"])
    expect(faultyPlaces(await ours.report({ scan_limit }))).toEqual(["query.scan_limit"]);
});

test("a plan that has changed is refused and nothing is done", async () => {
  const ours = maintained(client, world);
  const [first, second] = await stale(ours, 2);
  const { plan_hash } = await ok(ours.report());
  await ok(client.patch(`/v1/memories/${first}`, { importance: 0.9 }));
  expectRefusal(await ours.execute({ ...ARCHIVE, plan_hash }), 409, "plan_changed");
  expect(await ours.status(second as string)).toBe("active");
  // What the run would not touch has no say.
  await ok(ours.execute({ actions: ["expire_overdue"], plan_hash }));
  expectRefusal(await ours.execute({ ...ARCHIVE, plan_hash: "no plan" }), 409, "plan_changed");
  expectRefusal(
    await ours.execute({ ...ARCHIVE, plan_hash: `9999${plan_hash.slice(4)}` }),
    409,
    "plan_changed",
  );
  expect((await ok(ours.runs())).length).toBe(1);
});

test("a plan holds for its own workspace and its own settings", async () => {
  const ours = maintained(client, world);
  await stale(ours, 1);
  const { plan_hash } = await ok(ours.report());
  const other = maintained(client, world);
  expectRefusal(await other.execute({ ...ARCHIVE, plan_hash }), 409, "plan_changed");
  await ok(ours.set({ stale_after_days: 91 }));
  expectRefusal(await ours.execute({ ...ARCHIVE, plan_hash }), 409, "plan_changed");
  await ok(ours.set({ stale_after_days: 90 }));
  await ok(ours.execute({ ...ARCHIVE, plan_hash }));
});

test("a memory that one action has is left to it by the next of the same run", async () => {
  const ours = maintained(client, world);
  const content = "The quiet heron stands in the shallow water";
  const duplicate = await ours.stored({ content });
  await ours.stored({ content: `${content}.`, importance: 1 });
  await ours.age(duplicate, 365);
  const run = await ok(
    ours.execute({ actions: ["merge_duplicates", "archive_stale"], confirm_all_matching: true }),
  );
  expect(run.actions).toMatchObject([
    { action: "archive_stale", matched: 1, changed: 1, skipped: [] },
    { action: "merge_duplicates", matched: 1, changed: 0, skipped: [{ id: duplicate, reason: "taken" }] },
  ]);
});

test("the same request under an Idempotency-Key is one run, another one under it a conflict", async () => {
  const ours = maintained(client, world);
  await stale(ours, 1);
  const key = { "idempotency-key": `key-${ours.project}` };
  const all = { ...ARCHIVE, confirm_all_matching: true };
  const first = await ok(ours.execute(all, key));
  await stale(ours, 1);
  expect(await ok(ours.execute(all, key))).toEqual(first);
  expect(await ok(ours.runs())).toHaveLength(1);
  expectRefusal(await ours.execute({ ...all, actions: ["expire_overdue"] }, key), 409, "conflict");
  const other = await ok(ours.execute(all, { "idempotency-key": `other-${ours.project}` }));
  expect(other.run_id).not.toBe(first.run_id);
});

test("a run without anything to do is a run", async () => {
  const ours = maintained(client, world);
  const run = await ok(
    ours.execute({ actions: ["repair_index", "expire_overdue"], confirm_all_matching: true }),
  );
  expect(run).toMatchObject({ status: "completed", finished_at: expect.any(String) });
  expect(run.actions.map(({ action }: { action: string }) => action)).toEqual([
    "expire_overdue",
    "repair_index",
  ]);
  const [listed] = await ok(ours.runs());
  expect(listed).toMatchObject({
    run_id: run.run_id,
    trigger: "request",
    started_by: client.tokenId,
    undone_at: null,
  });
});

test("runs are listed newest first and bounded", async () => {
  const ours = maintained(client, world);
  const ids: string[] = [];
  for (let at = 0; at < 3; at++)
    ids.unshift((await ok(ours.execute({ ...ARCHIVE, confirm_all_matching: true }))).run_id);
  const idsOf = async (members = {}) =>
    (await ok(ours.runs(members))).map((run: { run_id: string }) => run.run_id);
  expect(await idsOf()).toEqual(ids);
  expect(await idsOf({ limit: 2 })).toEqual(ids.slice(0, 2));
  for (const limit of [0, 101]) expect(faultyPlaces(await ours.runs({ limit }))).toEqual(["query.limit"]);
});
