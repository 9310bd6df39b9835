import { afterAll, beforeAll, expect, test } from "vitest";
import { type MaintenanceAction, maintenanceActions } from "../../src/contract/maintenance.ts";
import {
  eventually,
  expectRefusal,
  found,
  freshOwner,
  listed,
  memory,
  stored,
  unguessable,
} from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { age, idsOf, maintainerOf } from "./maintenance.ts";
import { packOf, WIDE } from "./pack.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function workspace() {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const project = freshProject();
  const maintainer = maintainerOf(client, project);
  return {
    owner,
    client,
    project,
    maintainer,
    ours: workspaceOf(client, project),
    provenance: { project_id: project },
    run: (...actions: MaintenanceAction[]) => ok(maintainer.execute({ actions, confirm_all_matching: true })),
    old: (id: string, days = 200) => age(world.service.sql, client.ownerId, id, days),
    memory: async (id: string) => (await client.get(`/v1/memories/${id}`)).body,
  };
}

async function twice(client: Client, more: object, first: object = {}, second: object = {}) {
  const content = `${unguessable("rule")} applies to every ${unguessable("case")}.`;
  return [
    await stored(client, { content, ...more, ...first }),
    await stored(client, { content, ...more, ...second }),
  ];
}

test("a merged memory that is then erased leaves nothing of itself in the one that stayed", async () => {
  for (const mode of ["hard_delete", "redact"]) {
    const { client, project, run, maintainer } = await workspace();
    const word = unguessable("word");
    const said = {
      importance: 0.1,
      source: `source-${word}`,
      provenance: { project_id: project, note: word },
    };
    const [kept, gone] = await twice(
      client,
      {},
      { importance: 1, provenance: { project_id: project } },
      said,
    );
    expect(idsOf(await ok(maintainer.report()), "merge_duplicates")).toEqual([gone]);
    await run("merge_duplicates");
    expect((await client.delete(`/v1/memories/${gone}?mode=${mode}`)).status).toBe(200);
    expect((await client.get(`/v1/memories/${kept}`)).status).toBe(200);
    expect({ mode, columns: await columnsHolding(world.service.sql, word) }).toEqual({ mode, columns: [] });
  }
});

test("a merge tells nobody of what lies outside the part that it sees, and takes nothing from who sees another", async () => {
  const { owner, client, provenance, run } = await workspace();
  const word = unguessable("word");
  const hidden = { path: "a/x", importance: 0.1, source: word, provenance: { ...provenance, note: word } };
  const [mine, theirs] = await twice(client, { provenance }, { path: "b/x", importance: 1 }, hidden);
  await run("merge_duplicates");
  const [partA, partB] = [
    await world.client({ owner, space: { pathPrefix: "a" } }),
    await world.client({ owner, space: { pathPrefix: "b" } }),
  ];
  expect(JSON.stringify((await partB.get(`/v1/memories/${mine}`)).body)).not.toContain(word);
  expect(await listed(partB)).toHaveLength(1);
  expect(await listed(partA)).toHaveLength(1);
  expect((await partA.get(`/v1/memories/${theirs}`)).body.status).toBe("active");
});

test("what is merged or archived is out of recall, lists and the pack, and an undo brings it back into all of them", async () => {
  const { client, project, provenance, run, maintainer, old } = await workspace();
  const word = unguessable("word");
  const id = await stored(client, { content: `The ${word} stands.`, provenance });
  await old(id);
  const where = async () => ({
    search: (await found(client, word)).includes(id),
    list: (await listed(client)).some((content) => content.includes(word)),
    pack: JSON.stringify(
      await packOf(client, project, { ...WIDE, durable_query: `Where is the ${word}?` }),
    ).includes(word),
  });
  expect(await where()).toEqual({ search: true, list: true, pack: true });
  const { run_id } = await run("archive_stale");
  expect(await where()).toEqual({ search: false, list: false, pack: false });
  await ok(maintainer.undo(run_id));
  expect(await where()).toMatchObject({ search: true, list: true });
});

test("an undo does not bring back a fact that is stated anew, and says which", async () => {
  const { client, provenance, run, maintainer, old, memory: read } = await workspace();
  const semantic_key = unguessable("key");
  const id = await stored(client, { content: "The port is 80.", semantic_key, provenance });
  const other = await stored(client, { content: `${unguessable("other")} stands.`, provenance });
  await old(id);
  await old(other);
  const { run_id } = await run("archive_stale");
  await stored(client, { content: "The port is 81.", semantic_key, provenance });
  const undone = await ok(maintainer.undo(run_id));
  expect(undone).toMatchObject({ status: "undone", actions: [{ undone: 1, skipped: [{ id }], failed: [] }] });
  expect([(await read(id)).status, (await read(other)).status]).toEqual(["archived", "active"]);
});

test("an undo leaves what was changed since as it was left", async () => {
  const { client, provenance, run, maintainer, old, memory: read } = await workspace();
  const ids: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    ids.push(await stored(client, { content: `${unguessable("fact")} stands.`, provenance }));
    await old(ids[at] as string);
  }
  const { run_id } = await run("archive_stale");
  const [edited, deleted, revived, kept] = ids as [string, string, string, string];
  await client.patch(`/v1/memories/${edited}`, { content: "Other words." });
  await client.delete(`/v1/memories/${deleted}`);
  await client.patch(`/v1/memories/${revived}`, { status: "completed" });
  const [{ undone, skipped }] = (await ok(maintainer.undo(run_id))).actions;
  expect(undone).toBe(1);
  expect(skipped.map(({ id }: { id: string }) => id).sort()).toEqual([edited, deleted, revived].sort());
  expect(await read(edited)).toMatchObject({ status: "archived", content: "Other words." });
  expect((await client.get(`/v1/memories/${deleted}`)).status).toBe(404);
  expect([(await read(revived)).status, (await read(kept)).status]).toEqual(["completed", "active"]);
});

test("an undo after the memory that stayed is gone gives back those that went into it", async () => {
  for (const mode of ["soft_delete", "hard_delete", "redact"]) {
    const { client, provenance, run, maintainer, memory: read } = await workspace();
    const [kept, gone] = await twice(client, { provenance }, { importance: 1 }, { importance: 0.1 });
    const { run_id } = await run("merge_duplicates");
    await client.delete(`/v1/memories/${kept}?mode=${mode}`);
    const undone = await maintainer.undo(run_id);
    expect(undone.status).toBe(200);
    const { status, superseded_by } = await read(gone as string);
    expect({ mode, status, superseded_by }).toEqual({ mode, status: "active", superseded_by: null });
  }
});

test("an archived todo keeps its state, its links and its rules", async () => {
  const { ours, run, maintainer, old, client } = await workspace();
  const first = await ok(ours.todo({ content: "first" }));
  const second = await ok(ours.todo({ content: "second", depends_on: [first.todo_id] }));
  await ok(ours.act(first.todo_id, "complete"));
  await old(first.todo_id);
  const { run_id } = await run("archive_stale");
  expect((await ok(ours.todos())).map(({ todo_id }: { todo_id: string }) => todo_id)).toEqual([
    second.todo_id,
  ]);
  expect(await ok(ours.todos("?status=completed"))).toMatchObject([
    { todo_id: first.todo_id, status: "completed" },
  ]);
  expect(await ok(ours.act(first.todo_id, "complete"))).toMatchObject({ status: "completed" });
  expectRefusal(await ours.act(first.todo_id, "accept"), 409, "invalid_transition");
  await ok(ours.todo({ content: "third", depends_on: [first.todo_id] }));
  await ok(ours.act(second.todo_id, "complete"));
  expectRefusal(await client.patch(`/v1/memories/${first.todo_id}`, { status: "active" }), 409, "conflict");
  expectRefusal(await client.delete(`/v1/memories/${first.todo_id}`), 409, "conflict");
  await ok(maintainer.undo(run_id));
  expect(await ok(ours.todos())).toHaveLength(3);
});

test("a superseded decision that is archived stays in the chain of the one that replaced it", async () => {
  const { ours, run, old } = await workspace();
  const { decision_id } = await ok(ours.decision());
  const [, next] = await ok(ours.decide(decision_id, "supersede", { context: "Again?" }));
  await old(decision_id);
  expect((await run("archive_stale")).actions).toMatchObject([{ changed: 1 }]);
  const decisions = await ok(ours.decisions());
  expect(decisions[0]).toMatchObject({ decision_id: next.decision_id, supersedes: decision_id });
  expectRefusal(await ours.decide(decision_id, "reopen"), 409, "invalid_transition");
  expectRefusal(await ours.decide(decision_id, "supersede", { context: "x" }), 409, "invalid_transition");
  await ok(ours.decide(next.decision_id, "supersede", { context: "Once more?" }));
});

test("purging erases a whole chain's end, kept answers included, and what stays goes on", async () => {
  const { client, provenance, run, old, memory: read } = await workspace();
  const word = unguessable("word");
  const semantic_key = unguessable("key");
  const given = memory({ content: `The ${word} is one.`, semantic_key, provenance });
  const first = await client.post("/v1/memories", given, { "idempotency-key": unguessable("k") });
  const next = await stored(client, { content: "The thing is two.", semantic_key, provenance });
  await client.patch(`/v1/memories/${first.body.id}`, { metadata: { note: word } });
  await client.delete(`/v1/memories/${first.body.id}?reason=${word}`);
  await old(first.body.id, 40);
  expect((await run("purge_deleted")).actions).toMatchObject([{ matched: 1, changed: 1 }]);
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  expect(await read(next)).toMatchObject({ status: "active", content: "The thing is two." });
  expect((await client.get(`/v1/memories/${first.body.id}`)).status).toBe(404);
});

test("what can only be queued is done by the outbox, and named memories are queued whatever their state", async () => {
  const { client, provenance, maintainer } = await workspace();
  const id = await stored(client, { content: `${unguessable("fact")} stands.`, provenance });
  const mine = world.service.sql`(select id from memories where memory_id = ${id})`;
  const due = async () => idsOf(await ok(maintainer.report()), "refresh_embeddings");
  // What is queued is being seen to already.
  await eventually(
    async () => (await world.service.sql`select 1 from outbox where memory in ${mine}`).length,
    (queued) => queued === 0,
  );
  await world.service.sql`delete from embeddings where memory in ${mine}`;
  expect(await due()).toEqual([id]);
  const actions: MaintenanceAction[] = ["refresh_embeddings", "repair_index"];
  const done = await ok(maintainer.execute({ actions, target_ids: [id, "unknown"] }));
  for (const one of done.actions)
    expect(one).toMatchObject({ matched: 2, skipped: [{ id: "unknown", reason: "not_found" }], failed: [] });
  expectRefusal(await maintainer.undo(done.run_id), 409, "conflict");
  await eventually(due, (ids) => ids.length === 0);
});

test("runs are listed newest first, with the counts that their answers had, and no content", async () => {
  const { client, provenance, run, maintainer, old } = await workspace();
  const word = unguessable("word");
  const answers = [];
  for (let at = 0; at < 3; at += 1) {
    await old(await stored(client, { content: `${word} ${at}`, provenance }));
    answers.unshift(await run("archive_stale", "expire_overdue"));
  }
  const runs = await ok(maintainer.runs());
  expect(JSON.stringify(runs)).not.toContain(word);
  expect(runs.map(({ run_id }: { run_id: string }) => run_id)).toEqual(answers.map(({ run_id }) => run_id));
  for (const [at, { actions }] of answers.entries())
    expect(runs[at].actions).toEqual(
      actions.map(({ action, matched, changed, skipped, failed }: Record<string, unknown[]>) => ({
        action,
        matched,
        changed,
        skipped: skipped?.length,
        failed: failed?.length,
        undone: 0,
      })),
    );
  expect(await ok(maintainer.runs({ limit: 1 }))).toEqual(runs.slice(0, 1));
  const empty = await workspace();
  const report = await ok(empty.maintainer.report());
  expect(report.totals).toEqual(Object.fromEntries(maintenanceActions.map((action) => [action, 0])));
  const [, audited] = await world.service.sql`
    select detail::text as detail from audit_log where owner_id = ${client.ownerId} order by id`;
  expect(audited?.detail).not.toContain(word);
});
