import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, found, listed } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { itemsOf, maintained, of } from "./maintenance.ts";
import { ok } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const PAST = "2020-01-01T00:00:00Z";
const FUTURE = "2999-01-01T00:00:00Z";

test("what has expired is archived, and an undo lets it be expired again", async () => {
  const ours = maintained(client, world);
  const [gone, kept] = [await ours.stored(), await ours.stored({ expires_at: FUTURE })];
  await ours.expire(gone);
  const report = await ok(ours.report());
  expect(itemsOf(report, "expire_overdue")).toEqual([
    { id: gone, reason: expect.stringMatching(/^expired 20/) },
  ]);
  expect(report.totals.expire_overdue).toBe(1);
  expect(await ours.status(gone)).toBe("expired");

  const run = await ok(ours.execute({ actions: ["expire_overdue"], plan_hash: report.plan_hash }));
  expect(run).toMatchObject({
    status: "completed",
    project_id: ours.project,
    team_id: null,
    truncated: false,
  });
  expect(of(run, "expire_overdue")).toMatchObject({ matched: 1, changed: 1, skipped: [], failed: [] });
  expect([await ours.status(gone), await ours.status(kept)]).toEqual(["archived", "active"]);
  const { body } = await client.get(`/v1/memories/${gone}/versions`);
  expect(body.versions[1]).toMatchObject({ status: "expired", reason: expect.stringMatching(/^expired/) });

  const undone = await ok(ours.undo(run.run_id));
  expect(undone).toMatchObject({ run_id: run.run_id, status: "undone" });
  expect(of(undone, "expire_overdue")).toEqual({
    action: "expire_overdue",
    undone: 1,
    skipped: [],
    failed: [],
  });
  expect(await ours.status(gone)).toBe("expired");
});

test("what nobody has changed or verified for long is archived", async () => {
  const ours = maintained(client, world);
  const old = await ours.stored();
  const verified = await ours.stored({ metadata: { last_verified_at: new Date().toISOString() } });
  const reviewDue = await ours.stored({ metadata: { review_after: PAST } });
  const reviewed = await ours.stored({
    metadata: { review_after: PAST, last_verified_at: new Date().toISOString() },
  });
  const toCome = await ours.stored({ memory_type: "reminder", metadata: { due_at: FUTURE } });
  const reviewLater = await ours.stored({ metadata: { review_after: FUTURE } });
  const fresh = await ours.stored();
  for (const id of [old, verified, reviewed, reviewLater, toCome]) await ours.age(id, 91);
  await ours.age(fresh, 89);
  const items = itemsOf(await ok(ours.report()), "archive_stale");
  expect(items.map(({ id }) => id)).toEqual([old, reviewDue]);
  expect(items.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^neither changed nor verified since/),
    "review due since 2020-01-01",
  ]);

  await ok(ours.set({ stale_after_days: 100 }));
  expect(await ours.due("archive_stale")).toEqual([reviewDue]);
  await ok(ours.set({ stale_after_days: null }));
  const run = await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(of(run, "archive_stale").changed).toBe(2);
  expect(await ours.status(old)).toBe("archived");
  expect(await ours.due("archive_stale")).toEqual([]);

  await ok(ours.undo(run.run_id));
  expect(await ours.status(old)).toBe("active");
  // Somebody wants it: it is as if it had been changed.
  expect(await ours.due("archive_stale")).toEqual([reviewDue]);
});

test("finished todos and superseded decisions leave lists and recall, and keep their state", async () => {
  const ours = maintained(client, world);
  const todo = await ok(ours.todo({ content: "Rotate the zebra keys." }));
  const open = await ok(ours.todo());
  await ok(ours.act(todo.todo_id, "complete", { note: "Done." }));
  const decision = await ok(ours.decision({ context: "Which zebra?" }));
  const [old, next] = await ok(
    ours.decide(decision.decision_id, "supersede", { context: "Which zebra, again?" }),
  );
  for (const id of [todo.todo_id, open.todo_id, old.decision_id]) await ours.age(id, 31);
  expect(await ours.due("archive_stale")).toEqual([todo.todo_id, old.decision_id]);

  const run = await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(of(run, "archive_stale").changed).toBe(2);
  expect((await ok(ours.todos())).map((one: { todo_id: string }) => one.todo_id)).toEqual([open.todo_id]);
  expect((await ok(ours.decisions())).map((one: { decision_id: string }) => one.decision_id)).toEqual([
    next.decision_id,
  ]);
  expect(await found(client, "zebra keys", { project_id: ours.project })).not.toContain(todo.todo_id);
  const [listedTodo] = await ok(ours.todos("?status=completed"));
  expect(listedTodo).toMatchObject({
    status: "completed",
    completion_note: "Done.",
    archived_at: listedTodo.updated_at,
  });
  expect(listedTodo.audit_trail.at(-1)).toMatchObject({
    operation: "archive",
    from: "completed",
    to: "completed",
    note: `maintenance run ${run.run_id}`,
  });
  const [listedDecision] = await ok(ours.decisions("?status=superseded"));
  expect(listedDecision).toMatchObject({ status: "superseded", superseded_by: next.decision_id });
  // A repeat of what ended it changes nothing.
  expect((await ok(ours.act(todo.todo_id, "complete"))).etag).toBe(listedTodo.etag);

  await ok(ours.undo(run.run_id));
  expect(await ok(ours.todos())).toHaveLength(2);
  expect(await ok(ours.decisions())).toHaveLength(2);
  expect(await found(client, "zebra keys", { project_id: ours.project })).toContain(todo.todo_id);
  const [back] = await ok(ours.decisions("?status=superseded"));
  expect(back.archived_at).toBeNull();
});

test("a todo says when it was archived, whatever is done with it afterwards", async () => {
  const ours = maintained(client, world);
  const { todo_id } = await ok(ours.todo());
  await ok(ours.act(todo_id, "complete"));
  await ours.age(todo_id, 31);
  await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  const { correct, remove, restore, read } = ours.item("todo");
  const { archived_at, updated_at } = await ok(read(todo_id));
  expect(archived_at).toBe(updated_at);
  expect(await ok(correct(todo_id, { metadata: { checked: true } }))).toMatchObject({ archived_at });
  await ok(remove(todo_id));
  expect(await ok(restore(todo_id))).toMatchObject({ archived_at });
});

test("duplicates go into the best of them, which keeps where all came from", async () => {
  const ours = maintained(client, world);
  const text = "The staging database of the zebra project is called db-2";
  const first = await ours.stored({ content: text, source: "ann" });
  const best = await ours.stored({ content: `${text}.`, importance: 0.9, source: "bob" });
  const third = await ours.stored({
    content: `${text}!`,
    source: "cleo",
    provenance: { agent_id: "cleo", note: "free" },
  });
  const other = await ours.stored({ content: "The staging database of the zebra project is called db-3." });
  const items = itemsOf(await ok(ours.report()), "merge_duplicates");
  expect(items).toEqual([
    { id: first, into: best, reason: expect.stringContaining("cosine") },
    { id: third, into: best, reason: expect.stringContaining("cosine") },
  ]);

  const run = await ok(ours.execute({ actions: ["merge_duplicates"], confirm_all_matching: true }));
  expect(of(run, "merge_duplicates")).toMatchObject({ matched: 2, changed: 2 });
  const { body: merged } = await client.get(`/v1/memories/${first}`);
  expect(merged).toMatchObject({ status: "superseded", superseded_by: best });
  const { body: survivor } = await client.get(`/v1/memories/${best}`);
  expect(survivor.provenance.merged_from).toEqual([
    { id: first, at: expect.any(String), agent_id: null },
    { id: third, at: expect.any(String), agent_id: "cleo" },
  ]);
  expect(await ours.status(other)).toBe("active");
  expect(await ours.due("merge_duplicates")).toEqual([]);

  await ok(ours.undo(run.run_id));
  const { body: after } = await client.get(`/v1/memories/${best}`);
  expect(after.provenance).not.toHaveProperty("merged_from");
  expect((await client.get(`/v1/memories/${third}`)).body).toMatchObject({
    status: "active",
    superseded_by: null,
  });
  expect(await ours.due("merge_duplicates")).toEqual([first, third]);
});

test("what was soft-deleted long ago is erased, with a receipt", async () => {
  const ours = maintained(client, world);
  const content = "A plain sentence about the purged heron.";
  const [old, recent] = [await ours.stored({ content }), await ours.stored()];
  for (const id of [old, recent]) await client.delete(`/v1/memories/${id}?reason=heron`);
  await ours.age(old, 31);
  expect(await ours.due("purge_deleted")).toEqual([old]);

  const run = await ok(ours.execute({ actions: ["purge_deleted"], confirm_all_matching: true }));
  const { changed, receipts } = of(run, "purge_deleted");
  expect({ changed, receipts }).toEqual({ changed: 1, receipts: [expect.any(String)] });
  const receipt = await eventually(
    () => ok(client.get(`/v1/receipts/${receipts[0]}`)),
    ({ state }) => state === "confirmed",
  );
  expect(receipt.removed).toMatchObject({ memories: 1 });
  expect((await client.post(`/v1/memories/${old}/restore`)).status).toBe(404);
  expect((await client.post(`/v1/memories/${recent}/restore`)).status).toBe(200);
  const refused = await ours.undo(run.run_id);
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: "conflict" });
  // Nor does maintenance itself remember what it was called.
  const [kept] = await world.service.sql`
    select count(*)::int as count from maintenance_items where memory_id = ${old}`;
  expect(kept?.count).toBe(0);
});

test("what has no vector is embedded, and what waits after a failure is projected again", async () => {
  const ours = maintained(client, world);
  const { sql } = world.service;
  const [bare, stuck] = [await ours.stored(), await ours.stored()];
  const rowOf = async (id: string) =>
    (await sql`select id, owner_id from memories where memory_id = ${id}`)[0];
  await eventually(
    async () => (await sql`select count(*)::int as left from outbox`)[0]?.left,
    (left) => left === 0,
  );
  await sql`delete from embeddings where memory = ${(await rowOf(bare))?.id}`;
  const doubtful = await rowOf(stuck);
  await sql`
    insert into outbox (owner_id, memory, revision, kind, attempts, available_at)
    values (${doubtful?.owner_id}, ${doubtful?.id}, 1, 'put', 3, now() + interval '1 hour')`;
  const report = await ok(ours.report());
  expect(itemsOf(report, "refresh_embeddings").map(({ id }) => id)).toEqual([bare]);
  expect(itemsOf(report, "repair_index").map(({ id }) => id)).toEqual([stuck]);
  const run = await ok(
    ours.execute({ actions: ["repair_index", "refresh_embeddings"], plan_hash: report.plan_hash }),
  );
  expect(run.actions.map((one: { action: string; changed: number }) => [one.action, one.changed])).toEqual([
    ["refresh_embeddings", 1],
    ["repair_index", 1],
  ]);
  await eventually(
    () => ours.due("refresh_embeddings"),
    (due) => due.length === 0,
  );
  expect((await ours.undo(run.run_id)).status).toBe(409);
});

test("a plain list of memories leaves out what was archived", async () => {
  const ours = maintained(client, world);
  const content = "An old fact of the quiet heron.";
  await ours.age(await ours.stored({ content }), 100);
  await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(await listed(client, { project_id: ours.project })).toEqual([]);
  expect(await listed(client, { project_id: ours.project, status: "archived" })).toEqual([content]);
});

test("overdue todos are told of, and left alone", async () => {
  const ours = maintained(client, world);
  await ok(ours.todo({ due_at: PAST }));
  await ok(ours.todo({ due_at: FUTURE }));
  const report = await ok(ours.report());
  expect(report.notes).toEqual(["1 unfinished todo is past the due date. Maintenance leaves them alone."]);
  expect(Object.values(report.totals)).toEqual([0, 0, 0, 0, 0, 0]);
});
