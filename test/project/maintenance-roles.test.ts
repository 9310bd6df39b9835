import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, unguessable } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type Maintained, maintained, of } from "./maintenance.ts";
import { freshProject, ok } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ARCHIVE = { actions: ["archive_stale"], confirm_all_matching: true };

/** A team with a member of that role, and how that member sees one of its projects. */
async function member(role: string): Promise<{ ours: Maintained; client: Client; team: string }> {
  const team = await world.service.credentials.ensureOwner("team", unguessable("team-"));
  const client = await world.client({ owner: unguessable("user-") });
  await setRole(team.id, client.ownerId, role);
  return { ours: maintained(client, world, freshProject(), team.id), client, team: team.id };
}

async function setRole(teamId: string, userId: string, role: string): Promise<void> {
  await world.service.sql`
    insert into team_members (team_id, user_id, role) values (${teamId}, ${userId}, ${role})
    on conflict (team_id, user_id) do update set role = excluded.role`;
}

test.each(["owner", "admin"])("an %s of a team maintains its projects", async (role) => {
  const { ours, team } = await member(role);
  const old = await ours.stored();
  await ours.age(old, 365);
  expect(await ok(ours.set({ stale_after_days: 80 }))).toMatchObject({ team_id: team });
  expect(await ours.due("archive_stale")).toEqual([old]);
  const run = await ok(ours.execute(ARCHIVE));
  expect(run).toMatchObject({ team_id: team, actions: [{ changed: 1 }] });
  await ok(ours.undo(run.run_id));
});

test.each(["member", "viewer"])(
  "a %s of a team reads how its projects are maintained, and changes nothing",
  async (role) => {
    const { ours, client, team } = await member("owner");
    const old = await ours.stored();
    await ours.age(old, 365);
    const run = await ok(ours.execute({ ...ARCHIVE, actions: ["expire_overdue"] }));
    await setRole(team, client.ownerId, role);
    await ok(ours.settings());
    expect(await ours.due("archive_stale")).toEqual([old]);
    expect(await ok(ours.runs())).toHaveLength(1);
    for (const answer of [
      await ours.set({ stale_after_days: 7 }),
      await ours.execute(ARCHIVE),
      await ours.execute({ actions: ["archive_stale"], target_ids: [old] }),
      await ours.undo(run.run_id),
    ])
      expectRefusal(answer, 403, "role_forbidden");
    expect(await ours.status(old)).toBe("active");
  },
);

test("a team's workspace and its member's own of the same name are two", async () => {
  const { ours, client } = await member("admin");
  const own = maintained(client, world, ours.project);
  const [theirs, mine] = [await ours.stored(), await own.stored()];
  await ours.age(theirs, 365);
  await own.age(mine, 365);
  expect(await ours.due("archive_stale")).toEqual([theirs]);
  expect(await own.due("archive_stale")).toEqual([mine]);
});

test("a credential of one team means its team where it names none", async () => {
  const { ours, client, team } = await member("admin");
  const [row] = await world.service.sql`select name from owners where id = ${client.ownerId}`;
  const confined = await world.client({ owner: row?.name, space: { teamId: team } });
  const old = await ours.stored();
  await ours.age(old, 365);
  const part = maintained(confined, world, ours.project);
  expect(await part.due("archive_stale")).toEqual([old]);
  const run = await ok(part.execute(ARCHIVE));
  expect(of(run, "archive_stale").changed).toBe(1);
  expect(run.team_id).toBe(team);
});

test("scopes: reading needs memory:read, and doing memory:write", async () => {
  const reader = maintained(await world.client({ scopes: ["memory:read"] }), world);
  const writer = maintained(await world.client({ scopes: ["memory:write"] }), world, reader.project);
  const narrow = maintained(
    await world.client({ scopes: ["memory:update", "memory:hard_delete"] }),
    world,
    reader.project,
  );
  for (const answer of [await reader.settings(), await reader.report(), await reader.runs()])
    expect(answer.status).toBe(200);
  const run = await ok(writer.execute(ARCHIVE));
  for (const answer of [
    await writer.settings(),
    await writer.report(),
    await writer.runs(),
    await reader.set({ stale_after_days: 7 }),
    await reader.execute(ARCHIVE),
    await reader.undo(run.run_id),
    await narrow.execute({ ...ARCHIVE, actions: ["purge_deleted"] }),
  ])
    expectRefusal(answer, 403, "insufficient_scope");
  expect(await ok(writer.set({ stale_after_days: 7 }))).toMatchObject({ stale_after_days: 7 });
});

test("knowledge is left by who may not read it", async () => {
  const all = maintained(await world.client(), world);
  const id = await all.stored({ memory_type: "knowledge" });
  await all.age(id, 365);
  const part = maintained(
    await world.client({ scopes: ["memory:read", "memory:write"] }),
    world,
    all.project,
  );
  expect(await part.due("archive_stale")).toEqual([]);
  const run = await ok(part.execute({ actions: ["archive_stale"], target_ids: [id] }));
  expect(of(run, "archive_stale").skipped).toEqual([{ id, reason: "not_found" }]);
});
