import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type Maintained, maintained, of } from "./maintenance.ts";
import { ok } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

type Body = Record<string, unknown>;

/** Memories that a run has archived, and that run. */
async function archived(ours: Maintained, ...given: Body[]) {
  const ids: string[] = [];
  for (const one of given) {
    const id = await ours.stored(one);
    await ours.age(id, 365);
    ids.push(id);
  }
  const run = await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(of(run, "archive_stale").changed).toBe(given.length);
  return { ids: ids as [string, ...string[]], runId: run.run_id as string };
}

test("every live status comes back", async () => {
  const ours = maintained(client, world);
  const statuses = ["active", "started", "completed"];
  const { ids, runId } = await archived(ours, ...statuses.map((status) => ({ status })));
  await ok(ours.undo(runId));
  expect(await Promise.all(ids.map(ours.status))).toEqual(statuses);
});

test("what was changed, deleted or erased since is left, and the others come back", async () => {
  const ours = maintained(client, world);
  const { ids, runId } = await archived(ours, {}, {}, {}, {});
  const [changed, deleted, erased, kept] = ids as [string, string, string, string];
  await ok(client.patch(`/v1/memories/${changed}`, { importance: 1 }));
  await client.delete(`/v1/memories/${deleted}`);
  await client.delete(`/v1/memories/${erased}?mode=hard_delete`);
  const undone = await ok(ours.undo(runId));
  expect(undone).toMatchObject({ status: "undone", undone_at: expect.any(String) });
  const { undone: count, skipped } = of(undone, "archive_stale");
  expect(count).toBe(1);
  expect(new Set(skipped.map((item: unknown) => JSON.stringify(item)))).toEqual(
    new Set(
      [
        { id: changed, reason: "changed" },
        { id: deleted, reason: "changed" },
        { id: null, reason: "not_found" },
      ].map((item) => JSON.stringify(item)),
    ),
  );
  expect(await ours.status(changed)).toBe("archived");
  expect(await ours.status(kept)).toBe("active");
});

test("a second undo answers the same and changes nothing", async () => {
  const ours = maintained(client, world);
  const { ids, runId } = await archived(ours, {}, {});
  await ok(client.patch(`/v1/memories/${ids[0]}`, { importance: 1 }));
  const first = await ok(ours.undo(runId));
  const record = () => world.service.sql`
    select m.memory_id, m.revision, (select count(*) from audit_log) as lines from memories m
    where m.project_id = ${ours.project} order by m.seq`;
  const before = await record();
  expect(await ok(ours.undo(runId))).toEqual(first);
  expect(await ok(ours.undo(runId, { "idempotency-key": `again-${runId}` }))).toEqual(first);
  expect(await record()).toEqual(before);
  const [listed] = await ok(ours.runs());
  expect(listed).toMatchObject({ status: "undone", actions: [{ changed: 2, undone: 1 }] });
});

test("a fact that another memory states by now does not come back beside it", async () => {
  const ours = maintained(client, world);
  const { ids, runId } = await archived(ours, { semantic_key: "heron.colour" });
  await ours.stored({ semantic_key: "heron.colour" });
  const undone = await ok(ours.undo(runId));
  expect(of(undone, "archive_stale")).toMatchObject({
    undone: 0,
    skipped: [{ id: ids[0], reason: "fact_taken" }],
  });
});

test("what cannot be undone is a conflict, and what is no run of the workspace is not found", async () => {
  const ours = maintained(client, world);
  const run = await ok(ours.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expectRefusal(await ours.undo(run.run_id), 409, "conflict");
  const { runId } = await archived(ours, {});
  const elsewhere = [
    maintained(client, world),
    maintained(await world.client({ owner: "bob" }), world, ours.project),
  ];
  for (const other of elsewhere) expectRefusal(await other.undo(runId), 404, "not_found");
  expectRefusal(await ours.undo("no-run"), 404, "not_found");
  await ok(ours.undo(runId));
});

test("a credential that sees a part undoes and lists its own runs alone", async () => {
  const ours = maintained(client, world);
  const { runId } = await archived(ours, {});
  const part = maintained(await world.client({ space: { pathPrefix: "notes" } }), world, ours.project);
  expect(await ok(part.runs())).toEqual([]);
  expectRefusal(await part.undo(runId), 404, "not_found");
  const own = await archived(part, {});
  expect((await ok(part.runs())).map(({ run_id }: { run_id: string }) => run_id)).toEqual([own.runId]);
  await ok(part.undo(own.runId));
  expect(await ok(ours.runs())).toHaveLength(2);
});

test("a run touches only what its credential sees", async () => {
  const ours = maintained(client, world);
  const [here, there] = [await ours.stored({ path: "here" }), await ours.stored({ path: "there" })];
  for (const id of [here, there]) await ours.age(id, 365);
  const part = maintained(await world.client({ space: { pathPrefix: "here" } }), world, ours.project);
  expect(await part.due("archive_stale")).toEqual([here]);
  const run = await ok(part.execute({ actions: ["archive_stale"], target_ids: [here, there] }));
  expect(of(run, "archive_stale")).toMatchObject({
    changed: 1,
    skipped: [{ id: there, reason: "not_found" }],
  });
  expect(await ours.status(there)).toBe("active");
});

test("the bucket ledger is left by who may not write it", async () => {
  const ours = maintained(client, world);
  const id = await ours.stored({ bucket: "ledger" });
  await ours.age(id, 365);
  const part = maintained(
    await world.client({ scopes: ["memory:read", "memory:write"] }),
    world,
    ours.project,
  );
  const run = await ok(part.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(of(run, "archive_stale")).toMatchObject({
    changed: 0,
    skipped: [{ id, reason: "insufficient_scope" }],
  });
});

test("the audit log has a line for each item, for the run's start and end, and for its undoing", async () => {
  const ours = maintained(client, world);
  const { sql } = world.service;
  const content = "The quiet heron stands in the shallow water";
  const merged = [await ours.stored({ content }), await ours.stored({ content: `${content}.` })];
  const old = await ours.stored();
  await ours.age(old, 365);
  const gone = await ours.stored();
  await client.delete(`/v1/memories/${gone}`);
  await ours.age(gone, 365);
  const run = await ok(
    ours.execute({
      actions: ["archive_stale", "merge_duplicates", "purge_deleted"],
      confirm_all_matching: true,
    }),
  );
  const lines = async () =>
    (await sql`select operation from audit_log where detail ->> 'run' = ${run.run_id} order by id`).map(
      ({ operation }) => operation,
    );
  const first = [
    "maintenance_start",
    "archive_stale",
    "merge_duplicates",
    "hard_delete",
    "maintenance_finish",
  ];
  expect(await lines()).toEqual(first);
  await ok(ours.undo(run.run_id));
  expect(await lines()).toEqual([...first, "maintenance_undo", "maintenance_restore", "maintenance_restore"]);
  expect(await ours.status(merged[0] as string)).toBe("active");
});
