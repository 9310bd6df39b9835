import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { register } from "../agents/agents.ts";
import { expectRefusal, freshOwner, stored, unguessable } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { age, idsOf, type Maintainer, maintainerOf, recordOf } from "./maintenance.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ALL = { confirm_all_matching: true };
const NOBODY = "00000000-0000-4000-8000-000000000000";

async function staleIn(client: Client, project: string, place: Record<string, unknown> = {}) {
  const id = await stored(client, {
    content: `${unguessable("fact")} stands.`,
    provenance: { project_id: project },
    ...place,
  });
  await age(world.service.sql, client.ownerId, id, 200);
  return id;
}

/** Every operation of maintenance, with a run that there is. */
function everything(of: Maintainer, run: string) {
  return {
    settings: of.settings,
    set: () => of.set({ schedule_hours: 7 }),
    report: of.report,
    execute: () => of.execute({ actions: ["archive_stale"], ...ALL }),
    runs: of.runs,
    undo: () => of.undo(run),
  };
}

async function teamWith(role: string) {
  const team = await world.client({ team: freshOwner() });
  const client = await world.client({ owner: freshOwner() });
  await world.service.sql`
    insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${client.ownerId}, ${role})`;
  return { team, client };
}

describe.each(["viewer", "member", "admin", "owner"])("a %s of a team", (role) => {
  const mayMaintain = role === "admin" || role === "owner";
  test(`${mayMaintain ? "maintains" : "reads of the maintenance of"} its workspaces`, async () => {
    const { team, client } = await teamWith(role);
    const project = freshProject();
    const first = await staleIn(team, project);
    const { run_id } = await ok(maintainerOf(team, project).execute({ actions: ["archive_stale"], ...ALL }));
    const second = await staleIn(team, project);
    const before = await recordOf(world.service.sql, team.ownerId);
    const theirs = maintainerOf(client, project, team.ownerId);
    expect(idsOf(await ok(theirs.report()), "archive_stale")).toEqual(
      mayMaintain ? [second] : expect.any(Array),
    );
    expect(await ok(theirs.settings())).toMatchObject({ team_id: team.ownerId });
    expect((await theirs.runs()).status).toBe(200);
    const writes = [
      await theirs.set({ schedule_hours: 7 }),
      await theirs.execute({ actions: ["archive_stale"], ...ALL }),
      await theirs.undo(run_id),
    ];
    for (const answer of writes)
      if (mayMaintain) expect(answer).toMatchObject({ status: 200 });
      else expectRefusal(answer, 403, "role_forbidden");
    if (!mayMaintain) {
      expect(await recordOf(world.service.sql, team.ownerId)).toEqual(before);
      expect(await ok(theirs.settings())).toMatchObject({ schedule_hours: 24, updated_at: null });
    } else {
      expect((await client.get(`/v1/memories/${first}`)).body.status).toBe("active");
      expect((await client.get(`/v1/memories/${second}`)).body.status).toBe("archived");
    }
    await world.service.sql`delete from team_members where user_id = ${client.ownerId}`;
    for (const ask of Object.values(everything(theirs, run_id))) expectRefusal(await ask(), 404, "not_found");
  });
});

test("another owner's run, team and project are those of nobody", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const ours = await world.client({ owner });
  await staleIn(ours, project);
  const maintainer = maintainerOf(ours, project);
  const { run_id } = await ok(maintainer.execute({ actions: ["archive_stale"], ...ALL }));
  const before = await recordOf(world.service.sql, ours.ownerId);
  const stranger = await world.client({ owner: freshOwner() });
  const theirs = maintainerOf(stranger, project);
  expectRefusal(await theirs.undo(run_id), 404, "not_found");
  expect((await theirs.undo(run_id)).body).toEqual((await theirs.undo(NOBODY)).body);
  expect(await ok(theirs.runs())).toEqual([]);
  expect(await ok(theirs.report())).toMatchObject({ scanned: 0 });
  for (const ask of Object.values(everything(maintainerOf(stranger, project, ours.ownerId), run_id)))
    expectRefusal(await ask(), 404, "not_found");
  // The right run under another project's address, or another workspace's, is not there either.
  expectRefusal(await maintainerOf(ours, freshProject()).undo(run_id), 404, "not_found");
  const { team, client } = await teamWith("owner");
  expectRefusal(await maintainerOf(client, project, team.ownerId).undo(run_id), 404, "not_found");
  const confined = await world.client({ owner, space: { projects: ["another"] } });
  for (const ask of Object.values(everything(maintainerOf(confined, project), run_id)))
    expectRefusal(await ask(), 403, "insufficient_scope");
  expect(await recordOf(world.service.sql, ours.ownerId)).toEqual(before);
});

test("a team's workspace is not reached by naming what is in it from one's own", async () => {
  const { team, client } = await teamWith("owner");
  const project = freshProject();
  const theirs = await staleIn(team, project);
  const mine = await staleIn(client, project);
  const own = maintainerOf(client, project);
  expect(idsOf(await ok(own.report()), "archive_stale")).toEqual([mine]);
  const done = await ok(own.execute({ actions: ["archive_stale"], target_ids: [theirs, mine, "nobody"] }));
  expect(done.actions[0]).toMatchObject({ matched: 3, changed: 1, failed: [] });
  const reasons = new Map(
    done.actions[0].skipped.map(({ id, reason }: { id: string; reason: string }) => [id, reason]),
  );
  expect(reasons.get(theirs)).toBe(reasons.get("nobody"));
  expect((await client.get(`/v1/memories/${theirs}`)).body.status).toBe("active");
});

describe("a credential that sees a part", () => {
  const parts = [
    ["a path prefix", { pathPrefix: "in" }, { path: "out/a", bucket: "in" }],
    ["buckets", { buckets: ["in"] }, { path: "in/a", bucket: "out" }],
  ] as const;
  test.each(parts)("by %s touches nothing else, and is told of nothing else", async (_, space, outside) => {
    const owner = freshOwner();
    const project = freshProject();
    const whole = await world.client({ owner });
    const part = await world.client({ owner, space: space as never });
    const inside = { path: "in/a", bucket: "in" };
    const [mine, hidden] = [await staleIn(whole, project, inside), await staleIn(whole, project, outside)];
    const theirs = maintainerOf(part, project);
    const report = await ok(theirs.report());
    expect(report).toMatchObject({ scanned: 1, totals: { archive_stale: 1 } });
    expect(JSON.stringify(report)).not.toContain(hidden);
    // A plan of one's own part is not the plan of the whole, nor the other way round.
    const full = await ok(maintainerOf(whole, project).report());
    expectRefusal(
      await theirs.execute({ actions: ["archive_stale"], plan_hash: full.plan_hash }),
      409,
      "plan_changed",
    );
    expectRefusal(
      await maintainerOf(whole, project).execute({ actions: ["archive_stale"], plan_hash: report.plan_hash }),
      409,
      "plan_changed",
    );
    const foreign = await ok(
      maintainerOf(whole, project).execute({ actions: ["archive_stale"], target_ids: [hidden] }),
    );
    expect(foreign.actions[0]).toMatchObject({ changed: 1 });
    expectRefusal(await theirs.undo(foreign.run_id), 404, "not_found");
    expect(await ok(theirs.runs())).toEqual([]);
    const done = await ok(theirs.execute({ actions: ["archive_stale"], target_ids: [mine, hidden] }));
    expect(done.actions[0]).toMatchObject({ matched: 2, changed: 1, skipped: [{ id: hidden }] });
    expect((await ok(theirs.runs())).map(({ run_id }: { run_id: string }) => run_id)).toEqual([done.run_id]);
    expect((await whole.get(`/v1/memories/${mine}`)).body.status).toBe("archived");
    expect((await ok(maintainerOf(whole, project).runs())).length).toBe(2);
  });

  test("by projects sets what there is, elsewhere 403", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const part = await world.client({ owner, space: { projects: [project] } });
    expect(await ok(maintainerOf(part, project).set({ schedule_hours: 9 }))).toMatchObject({
      schedule_hours: 9,
    });
    expectRefusal(
      await maintainerOf(part, freshProject()).set({ schedule_hours: 9 }),
      403,
      "insufficient_scope",
    );
    expectRefusal(await maintainerOf(part, freshProject()).settings(), 403, "insufficient_scope");
  });
});

describe("scopes", () => {
  test("reading alone reports and never does", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const whole = await world.client({ owner });
    await staleIn(whole, project);
    const { run_id } = await ok(maintainerOf(whole, project).execute({ actions: ["archive_stale"], ...ALL }));
    const reader = await world.client({ owner, scopes: ["memory:read"] });
    const asks = everything(maintainerOf(reader, project), run_id);
    for (const name of ["settings", "report", "runs"] as const) expect((await asks[name]()).status).toBe(200);
    for (const name of ["set", "execute", "undo"] as const)
      expectRefusal(await asks[name](), 403, "insufficient_scope");
    const writer = maintainerOf(await world.client({ owner, scopes: ["memory:write"] }), project);
    for (const ask of [writer.settings, writer.report, writer.runs])
      expectRefusal(await ask(), 403, "insufficient_scope");
  });

  test.each<Scope>([
    "memory:update",
    "memory:delete",
    "memory:hard_delete",
    "memory:redact",
    "memory:restore",
  ])("%s alone maintains nothing", async (scope) => {
    const client = await world.client({ owner: freshOwner(), scopes: ["memory:read", scope] });
    const asks = everything(maintainerOf(client, freshProject()), NOBODY);
    for (const name of ["set", "execute", "undo"] as const)
      expectRefusal(await asks[name](), 403, "insufficient_scope");
  });

  test("without their scopes knowledge and the ledger are left as they are", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const whole = await world.client({ owner });
    const plain = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
    const hidden = [
      await staleIn(whole, project, { bucket: "knowledge" }),
      await staleIn(whole, project, { memory_type: "knowledge" }),
    ];
    const ledger = await staleIn(whole, project, { bucket: "ledger" });
    const theirs = maintainerOf(plain, project);
    const report = await ok(theirs.report());
    for (const id of hidden) expect(JSON.stringify(report)).not.toContain(id);
    const all = await ok(theirs.execute({ actions: ["archive_stale"], ...ALL }));
    expect(all.actions[0]).toMatchObject({ changed: 0, failed: [] });
    const named = await ok(theirs.execute({ actions: ["archive_stale"], target_ids: [...hidden, ledger] }));
    expect(named.actions[0]).toMatchObject({ matched: 3, changed: 0, failed: [] });
    expect(
      new Map(named.actions[0].skipped.map(({ id, reason }: Record<string, string>) => [id, reason])),
    ).toEqual(new Map([...hidden.map((id) => [id, "not_found"] as const), [ledger, "insufficient_scope"]]));
    for (const id of [...hidden, ledger])
      expect((await whole.get(`/v1/memories/${id}`)).body.status).toBe("active");
    expect(idsOf(await ok(maintainerOf(whole, project).report()), "archive_stale").sort()).toEqual(
      [...hidden, ledger].sort(),
    );
  });
});

test("a temporary agent maintains its quarantine, and nothing but", async () => {
  const project = freshProject();
  const agent = await register(world);
  const owner = await world.client({ owner: freshOwner() });
  const theirs = await staleIn(owner, project);
  const ours = maintainerOf(agent.client, project);
  for (const answer of [await ours.report(), await ours.settings(), await ours.runs()])
    expect([200, 403]).toContain(answer.status);
  const done = await ours.execute({ actions: ["archive_stale"], target_ids: [theirs] });
  if (done.status === 200) expect(done.body.actions[0]).toMatchObject({ changed: 0 });
  else expect(done.status).toBe(403);
  for (const ask of Object.values(everything(maintainerOf(agent.client, project, owner.ownerId), NOBODY)))
    expect([403, 404]).toContain((await ask()).status);
  expect((await owner.get(`/v1/memories/${theirs}`)).body.status).toBe("active");
});

test("the tools refuse what the routes refuse", async () => {
  const { team, client } = await teamWith("member");
  const project_id = freshProject();
  await staleIn(team, project_id);
  const call = (name: string, input: object) => callTool(world, client.token, name, { project_id, ...input });
  const execute = { actions: ["archive_stale"], ...ALL };
  const before = await recordOf(world.service.sql, team.ownerId);
  const refused = await call("maintenance_execute", { ...execute, team_id: team.ownerId });
  expect(refused).toMatchObject({ isError: true, structuredContent: { code: "role_forbidden" } });
  const stranger = await call("maintenance_report", { team_id: NOBODY });
  expect(stranger).toMatchObject({ isError: true, structuredContent: { code: "not_found" } });
  const none = await call("maintenance_execute", { actions: ["archive_stale"] });
  expect(none.isError ?? none.code !== undefined).toBe(true);
  expect(await recordOf(world.service.sql, team.ownerId)).toEqual(before);
  const own = await call("maintenance_execute", execute);
  expect(own.structuredContent).toMatchObject({ status: "completed", team_id: null });
});

test("who sets automatic actions lends no more than it has, and losing it suspends", async () => {
  const { team, client } = await teamWith("admin");
  const project = freshProject();
  const theirs = maintainerOf(client, project, team.ownerId);
  const set = await ok(theirs.set({ automatic_actions: ["archive_stale"], schedule_hours: 1 }));
  expect(set).toMatchObject({ automatic_actions: ["archive_stale"], suspended_reason: null });
  expect(Date.parse(set.next_run_at)).toBeGreaterThan(Date.now());
  await world.service.sql`update team_members set role = 'member' where user_id = ${client.ownerId}`;
  expect((await ok(maintainerOf(team, project).settings())).suspended_reason).toEqual(expect.any(String));
  expect(await ok(workspaceOf(team, project).todos())).toEqual([]);
});
