/** kill -9 of a server amid runs of maintenance. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { eventually } from "../support/processes.ts";
import { createRandom, runs, SEED, tell } from "../support/random.ts";
import { type Home, home, KEY, type ServerProcess, startServer } from "../support/server.ts";
import { freshProject, ok } from "./workspace.ts";

const KILLS = runs(3);
const STALE = 100;
const GROUPS = 20;
const COPIES = 5;
const DELETED = 100;
const ACTIONS = { archive_stale: STALE, merge_duplicates: GROUPS * COPIES, purge_deleted: DELETED };
const UNDOABLE = STALE + GROUPS * COPIES;

test(`after ${KILLS} times kill -9 every run is finished, nothing is done twice and no audit line is missing (seed ${SEED})`, {
  timeout: 180_000 + KILLS * 120_000,
}, async () => {
  const at = await home();
  const random = createRandom(SEED);
  let running = await startServer(at, "bun");
  // The first one is slower than those that follow.
  let took = 0;
  for (const name of ["first", "second"]) {
    const trial = await prepare(httpClient(running.url, KEY));
    took = await timed(() => execute(httpClient(running.url, KEY), trial, name));
  }
  const struck: Record<string, number> = {};
  for (let kills = 0; kills < KILLS; kills += 1) {
    const client = httpClient(running.url, KEY);
    const project = await prepare(client);
    const isUndo = kills % 4 === 3;
    if (isUndo) await execute(client, project, `run-${project}`);
    const request = isUndo
      ? client.post(`/v1/projects/${project}/maintenance/runs/${await onlyRun(client, project)}/undo`, {})
      : execute(client, project, `run-${project}`);
    await strike(running.server, request, random.next() * took);
    running = await startServer(at, "bun");
    const again = httpClient(running.url, KEY);
    const sql = await databaseOf(at);
    const left = await itemsLeft(sql, project, isUndo);
    struck[left] = (struck[left] ?? 0) + 1;
    // Every other time nobody asks again.
    const hasBegun = left !== "not begun";
    if (kills % 2 === 0 || !hasBegun) {
      if (isUndo) await undoAll(again, project);
      else await execute(again, project, `run-${project}`);
    }
    await eventually("the run to end", async () => {
      const [run] = await ok(again.get(`/v1/projects/${project}/maintenance/runs`));
      return run?.status === (isUndo ? "undone" : "completed") || undefined;
    });
    expect({ kills, ...(await faults(sql, project)) }).toEqual({ kills, ...NO_FAULTS(isUndo) });
    await sql.end();
  }
  tell(`${JSON.stringify({ seed: SEED, took, struck })}`);
  expect(await running.server.stop()).toEqual({ code: 0, signal: null });
});

/** A project in which a run has 300 things to do. */
async function prepare(client: HttpClient): Promise<string> {
  const project = freshProject();
  const item = (content: string, more: object = {}) => ({
    content,
    path: "notes",
    provenance: { project_id: project },
    ...more,
  });
  const stale = Array.from({ length: STALE }, (_, at) =>
    item(`Stale ${project} ${at}`, { metadata: { review_after: "2020-01-01T00:00:00Z" } }),
  );
  // Labels of their own keep the groups apart.
  const copies = Array.from({ length: GROUPS * (COPIES + 1) }, (_, at) =>
    item(`The same ${project}${" ".repeat(Math.floor(at / GROUPS))}`, { bucket: `group-${at % GROUPS}` }),
  );
  const deleted = Array.from({ length: DELETED }, (_, at) =>
    item(`Deleted ${project} ${at}`, { path: `gone/${project}` }),
  );
  for (const items of [stale, copies, deleted])
    expect((await ok(client.post("/v1/memories/batch", { items }))).failed).toBe(0);
  const filter = { path: `gone/${project}` };
  const { plan_hash } = await ok(client.post("/v1/memories/delete", { filter }));
  await ok(client.post("/v1/memories/delete", { filter, dry_run: false, plan_hash }));
  await ok(client.patch(`/v1/projects/${project}/maintenance/settings`, { purge_deleted_after_days: 0 }));
  return project;
}

async function execute(client: HttpClient, project: string, key: string) {
  const run = await ok(
    client.post(
      `/v1/projects/${project}/maintenance/execute`,
      { actions: Object.keys(ACTIONS), confirm_all_matching: true },
      { "idempotency-key": key },
    ),
  );
  expect(run.status).toBe("completed");
  for (const { action, matched, changed, skipped, failed } of run.actions)
    expect([action, matched, changed, skipped, failed]).toEqual([
      action,
      ACTIONS[action as keyof typeof ACTIONS],
      ACTIONS[action as keyof typeof ACTIONS],
      [],
      [],
    ]);
  return run;
}

async function onlyRun(client: HttpClient, project: string): Promise<string> {
  const runs = await ok(client.get(`/v1/projects/${project}/maintenance/runs`));
  expect(runs).toHaveLength(1);
  return runs[0].run_id;
}

async function undoAll(client: HttpClient, project: string): Promise<void> {
  const run = await onlyRun(client, project);
  const undone = await ok(client.post(`/v1/projects/${project}/maintenance/runs/${run}/undo`, {}));
  expect(undone.status).toBe("undone");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Kills the server so long after the request was sent, which then may or may not have an answer. */
async function strike(server: ServerProcess, request: Promise<unknown>, afterMs: number): Promise<void> {
  const answered = request.catch(() => {});
  await sleep(afterMs);
  await server.kill();
  await answered;
}

async function databaseOf(at: Home): Promise<Sql> {
  if (at.url !== null) return connect({ url: at.url }, 1);
  const { connection } = await openEmbeddedPostgres({ dataDir: at.dataDir, role: "tool", log: () => {} });
  return connect(connection, 1);
}

/** Where the kill struck: how much was left to do, in words. */
async function itemsLeft(sql: Sql, project: string, isUndo: boolean): Promise<string> {
  const [row] = await sql`
    select count(*)::int as items, count(*) filter (where state = 'pending')::int as pending,
      count(*) filter (where undo_state is not null)::int as marked,
      count(*) filter (where undo_state = 'pending')::int as undoing
    from maintenance_items i join maintenance_runs r on r.id = i.run where r.project_id = ${project}`;
  if (row?.items === 0 || (isUndo && row?.marked === 0)) return "not begun";
  const left = isUndo ? row?.undoing : row?.pending;
  return left === 0 ? "all done" : left === (isUndo ? row?.marked : row?.items) ? "none done" : "amid";
}

/** What the record and the audit log say of a project's one run. */
async function faults(sql: Sql, project: string) {
  const rows = await sql`
    select m.status, m.content, m.bucket, m.revision::int as revision, m.provenance,
      (select count(*)::int from memory_versions v where v.memory = m.id) as versions
    from memories m where m.project_id = ${project}`;
  const lines = await sql`
    select a.operation, a.memory from audit_log a join maintenance_runs r on a.detail ->> 'run' = r.id::text
    where r.project_id = ${project}`;
  const count = (operation: string) => lines.filter((line) => line.operation === operation).length;
  const ofItems = lines.filter(({ memory }) => memory !== null);
  const stale = rows.filter(({ content }) => content.startsWith("Stale"));
  const copies = rows.filter(({ content }) => content.startsWith("The same"));
  const survivors = copies.filter(({ provenance }) => "merged_from" in provenance);
  return {
    archived: stale.filter(({ status }) => status === "archived").length,
    superseded: copies.filter(({ status }) => status === "superseded").length,
    left: rows.filter(({ content }) => content.startsWith("Deleted")).length,
    // Each change of a memory kept the state before it, and was made once.
    changes: [...new Set(stale.map(({ revision, versions }) => `${revision - 1} ${versions}`))],
    mergedFrom: survivors.map(
      ({ provenance }) => new Set(provenance.merged_from.map(({ id }: { id: string }) => id)).size,
    ),
    repeatedIn: survivors.filter(({ provenance }) => provenance.merged_from.length !== COPIES).length,
    runs: [count("maintenance_start"), count("maintenance_finish"), count("maintenance_undo")],
    lines: Object.fromEntries(
      ["archive_stale", "merge_duplicates", "hard_delete", "maintenance_restore"].map((name) => [
        name,
        count(name),
      ]),
    ),
    doubled: ofItems.length - new Set(ofItems.map(({ operation, memory }) => `${operation} ${memory}`)).size,
  };
}

const NO_FAULTS = (isUndo: boolean) => ({
  archived: isUndo ? 0 : STALE,
  superseded: isUndo ? 0 : GROUPS * COPIES,
  left: 0,
  changes: [isUndo ? "2 2" : "1 1"],
  mergedFrom: isUndo ? [] : Array.from({ length: GROUPS }, () => COPIES),
  repeatedIn: 0,
  runs: [1, 1, isUndo ? 1 : 0],
  lines: {
    archive_stale: STALE,
    merge_duplicates: GROUPS * COPIES,
    hard_delete: DELETED,
    maintenance_restore: isUndo ? UNDOABLE : 0,
  },
  doubled: 0,
});
