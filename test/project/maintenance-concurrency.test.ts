import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored, unguessable } from "../support/acting.ts";
import { createRandom, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { age, idsOf, maintainerOf } from "./maintenance.ts";
import { freshProject, ok } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.service.sql`select pg_stat_force_next_flush()`;
  const [row] = await world.service.sql`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`;
  expect(row?.count).toBe(0);
  await world.close();
});

const CLIENTS = 8;
const atOnce = <T>(what: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: CLIENTS }, (_, at) => what(at)));
const sumOf = (runs: { actions: { changed: number }[] }[]) =>
  runs.flatMap(({ actions }) => actions).reduce((sum, { changed }) => sum + changed, 0);

/** So many stale memories, some of them twice over, and some that were deleted long ago. */
async function stale(count: number) {
  const client = await world.client({ owner: freshOwner() });
  const project = freshProject();
  const provenance = { project_id: project };
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = await stored(client, { content: `${unguessable("fact")} stands.`, provenance });
    await age(world.service.sql, client.ownerId, id, 200);
    ids.push(id);
  }
  return { client, project, provenance, ids, maintainer: maintainerOf(client, project) };
}

/** How many audit lines of each operation each memory of an owner has since a line. */
async function linesSince(client: Client, line: number): Promise<Map<string, number>> {
  const rows = await world.service.sql`
    select memory::text, operation, count(*)::int as n from audit_log
    where owner_id = ${client.ownerId} and id > ${line} and memory is not null group by 1, 2`;
  return new Map(rows.map(({ memory, operation, n }) => [`${memory} ${operation}`, n as number]));
}

async function lastLine(client: Client): Promise<number> {
  const [row] = await world.service.sql`
    select coalesce(max(id), 0)::int as id from audit_log where owner_id = ${client.ownerId}`;
  return row?.id as number;
}

async function memoryOf(client: Client, id: string) {
  return (await client.get(`/v1/memories/${id}`)).body;
}

test.each(["plan_hash", "confirm_all_matching", "target_ids"])(
  "8 executions at once, selected by %s, do each thing once",
  async (selection) => {
    const { client, ids, maintainer, provenance } = await stale(30);
    const content = `${unguessable("rule")} applies to ${unguessable("case")}.`;
    const same: string[] = [];
    for (let at = 0; at < 6; at += 1) same.push(await stored(client, { content, provenance }));
    const gone: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const id = await stored(client, { content: unguessable("gone"), provenance });
      await client.delete(`/v1/memories/${id}`);
      await age(world.service.sql, client.ownerId, id, 60);
      gone.push(id);
    }
    const report = await ok(maintainer.report());
    const actions = ["archive_stale", "merge_duplicates", "purge_deleted"] as const;
    expect(actions.map((action) => idsOf(report, action).length)).toEqual([30, 5, 6]);
    const line = await lastLine(client);
    const chosen = {
      plan_hash: { plan_hash: report.plan_hash },
      confirm_all_matching: { confirm_all_matching: true },
      target_ids: { target_ids: [...ids, ...same, ...gone] },
    }[selection];
    const answers = await atOnce(() => maintainer.execute({ actions, ...chosen }));
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(["plan_changed", "conflict"]).toContain(body.code);
    }
    const runs = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    for (const { status, actions: done } of runs) {
      expect(status).toBe("completed");
      for (const { matched, changed, skipped, failed } of done) {
        expect(matched).toBe(changed + skipped.length + failed.length);
        expect(failed).toEqual([]);
      }
    }
    expect(sumOf(runs)).toBe(41);
    for (const id of ids) expect((await memoryOf(client, id)).status).toBe("archived");
    const live = await Promise.all(same.map((id) => memoryOf(client, id)));
    expect(live.filter(({ status }) => status === "active")).toHaveLength(1);
    for (const [key, n] of await linesSince(client, line)) expect({ key, n }).toEqual({ key, n: 1 });
    const listed = await ok(maintainer.runs({ limit: 100 }));
    expect(sumOf(listed)).toBe(41);
  },
  120_000,
);

test(`SEED ${SEED}: edits and deletions during executions are never lost, and nobody is told a fault`, async () => {
  const random = createRandom(SEED);
  for (let round = 0; round < runs(3); round += 1) {
    const { client, ids, maintainer } = await stale(40);
    const edited = new Map<string, { content: string; status: string }>();
    const deleted = new Set<string>();
    const { plan_hash } = await ok(maintainer.report());
    const answers = await atOnce(async (at) => {
      if (at < 3) {
        const selection = random.pick([{ plan_hash }, { confirm_all_matching: true }, { target_ids: ids }]);
        return [await maintainer.execute({ actions: ["expire_overdue", "archive_stale"], ...selection })];
      }
      const done = [];
      for (let step = 0; step < 8; step += 1) {
        const id = ids[(at - 3) * 8 + step] as string;
        const text = unguessable("edited");
        const isEdit = random.below(2) === 0;
        const answer = isEdit
          ? await client.patch(`/v1/memories/${id}`, { content: text })
          : await client.delete(`/v1/memories/${id}`);
        if (answer.status === 200 && isEdit) edited.set(id, answer.body);
        if (answer.status === 200 && isEdit) expect(answer.body.content).toBe(text);
        if (answer.status === 200 && !isEdit) deleted.add(id);
        done.push(answer);
      }
      return done;
    });
    for (const { status, body } of answers.flat())
      expect({ status, code: body.code }).not.toMatchObject({ status: expect.toSatisfy((is) => is >= 500) });
    expect(edited.size + deleted.size).toBe(40);
    // What was edited before a run came to it is not stale any more.
    for (const [id, { content, status }] of edited)
      expect(await memoryOf(client, id)).toMatchObject({ content, status });
    const bin = await ok(client.get("/v1/memories?status=soft_deleted&limit=1000"));
    expect(bin.memories.map(({ id }: { id: string }) => id).sort()).toEqual([...deleted].sort());
  }
}, 180_000);

test("8 undos at once beside edits: each thing is taken back once, and no edit is lost", async () => {
  const { client, ids, maintainer } = await stale(40);
  const done = await ok(maintainer.execute({ actions: ["archive_stale"], confirm_all_matching: true }));
  expect(done.actions).toMatchObject([{ changed: 40 }]);
  const line = await lastLine(client);
  const edited = new Map<string, string>();
  const [undos] = await Promise.all([
    atOnce(() => maintainer.undo(done.run_id)),
    ...ids.slice(0, 20).map(async (id) => {
      const content = unguessable("edited");
      expect((await client.patch(`/v1/memories/${id}`, { content })).status).toBe(200);
      edited.set(id, content);
    }),
  ]);
  for (const { status, body } of undos) {
    expect([200, 409]).toContain(status);
    if (status === 409) expect(body.code).toBe("conflict");
  }
  const last = await ok(maintainer.undo(done.run_id));
  const [{ undone, skipped, failed }] = last.actions;
  expect(undone + skipped.length).toBe(40);
  expect(failed).toEqual([]);
  expect(last.status).toBe("undone");
  for (const { id } of skipped) expect(edited.has(id)).toBe(true);
  for (const [id, content] of edited) expect((await memoryOf(client, id)).content).toBe(content);
  for (const id of ids.slice(20)) expect((await memoryOf(client, id)).status).toBe("active");
  for (const [key, n] of await linesSince(client, line)) expect({ key, n }).toEqual({ key, n: 1 });
});

test("restoring and purging the same memories at once: what was restored is there, what was purged is gone", async () => {
  const { client, ids, maintainer } = await stale(24);
  for (const id of ids) {
    await client.delete(`/v1/memories/${id}`);
    await age(world.service.sql, client.ownerId, id, 60);
  }
  const restored = new Set<string>();
  const [runs] = await Promise.all([
    atOnce(() => maintainer.execute({ actions: ["purge_deleted"], confirm_all_matching: true })),
    ...ids.map(async (id) => {
      const { status } = await client.post(`/v1/memories/${id}/restore`);
      expect([200, 404, 409]).toContain(status);
      if (status === 200) restored.add(id);
    }),
  ]);
  expect(runs.map(({ status }) => status)).toEqual(expect.not.arrayContaining([500]));
  const purged = sumOf(runs.filter(({ status }) => status === 200).map(({ body }) => body));
  expect(purged + restored.size).toBe(24);
  for (const id of ids)
    expect((await client.get(`/v1/memories/${id}`)).status).toBe(restored.has(id) ? 200 : 404);
}, 120_000);

test("8 clients set 6 settings at once: the last word on each holds, and none is lost", async () => {
  const client = await world.client({ owner: freshOwner() });
  const maintainer = maintainerOf(client, freshProject());
  const values = {
    stale_after_days: 11,
    duplicate_similarity: 0.91,
    completed_retention_days: 12,
    purge_deleted_after_days: 13,
    automatic_actions: ["repair_index"],
    schedule_hours: 14,
  };
  const names = Object.entries(values);
  for (let round = 0; round < 5; round += 1) {
    const answers = await atOnce((at) =>
      maintainer.set(Object.fromEntries([names[at % names.length] as never])),
    );
    for (const { status } of answers) expect(status).toBe(200);
    expect(await ok(maintainer.settings())).toMatchObject(values);
    await ok(maintainer.set(Object.fromEntries(names.map(([name]) => [name, null]))));
  }
});

test("the same execution with one Idempotency-Key is one run", async () => {
  const { client, project, maintainer } = await stale(5);
  const path = `/v1/projects/${project}/maintenance/execute`;
  const body = { actions: ["archive_stale"], confirm_all_matching: true };
  const answers = await atOnce(() => client.post(path, body, { "idempotency-key": "once" }));
  const runs = answers.filter(({ status }) => status === 200).map(({ body: { run_id } }) => run_id);
  expect(new Set(runs).size).toBe(1);
  expect(await ok(maintainer.runs())).toHaveLength(1);
});
