import { afterAll, beforeAll, expect, test } from "vitest";
import { maintainOnSchedule } from "../../src/core/maintenance/run.ts";
import { eventually, unguessable } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type Maintained, maintained } from "./maintenance.ts";
import { freshProject, ok } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const AUTOMATIC = { automatic_actions: ["archive_stale"], schedule_hours: 1 };
const WITHIN_MS = 40_000;

/** Lets the time of the next automatic run come. */
async function comeDue({ project }: Maintained): Promise<void> {
  await world.service.sql`
    update maintenance_settings set next_run_at = now() - interval '1 minute' where project_id = ${project}`;
}

/** Until the schedule has been looked at: the next run is in the future again. */
async function lookedAt(ours: Maintained) {
  return eventually(
    () => ok(ours.settings()),
    ({ next_run_at }) => Date.parse(next_run_at) > Date.now(),
    WITHIN_MS,
  );
}

/** Until the schedule has archived it. */
async function archived(ours: Maintained, id: string) {
  await eventually(
    () => ours.status(id),
    (status) => status === "archived",
    WITHIN_MS,
  );
}

async function stale(ours: Maintained): Promise<string> {
  const id = await ours.stored();
  await ours.age(id, 365);
  return id;
}

test("what is due is done by itself, once, and can be undone", async () => {
  const ours = maintained(client, world);
  const old = await stale(ours);
  await ok(ours.set(AUTOMATIC));
  await comeDue(ours);
  const settings = await lookedAt(ours);
  expect(settings.suspended_reason).toBeNull();
  await archived(ours, old);
  const runs = await eventually(
    () => ok(ours.runs()),
    ([run]) => run?.status === "completed",
    WITHIN_MS,
  );
  expect(runs).toMatchObject([
    { trigger: "schedule", started_by: client.tokenId, actions: [{ changed: 1 }] },
  ]);
  await ok(ours.undo(runs[0].run_id));
  expect(await ours.status(old)).toBe("active");
}, 90_000);

test("nothing to do makes no run, and nothing runs before its time", async () => {
  const [idle, early] = [maintained(client, world), maintained(client, world)];
  for (const ours of [idle, early]) await ok(ours.set(AUTOMATIC));
  await stale(early);
  await comeDue(idle);
  await lookedAt(idle);
  expect(await ok(idle.runs())).toEqual([]);
  expect(await ok(early.runs())).toEqual([]);
}, 90_000);

test("a lost role suspends the schedule, which says so; with the role it goes on", async () => {
  const team = await world.service.credentials.ensureOwner("team", unguessable("team-"));
  const admin = await world.client({ owner: unguessable("user-") });
  const setRole = (role: string) => world.service.sql`
    insert into team_members (team_id, user_id, role) values (${team.id}, ${admin.ownerId}, ${role})
    on conflict (team_id, user_id) do update set role = excluded.role`;
  await setRole("admin");
  const ours = maintained(admin, world, freshProject(), team.id);
  const old = await stale(ours);
  await ok(ours.set(AUTOMATIC));
  await setRole("member");
  expect((await ok(ours.settings())).suspended_reason).toMatch(/owners and admins/);
  await comeDue(ours);
  await lookedAt(ours);
  expect(await ours.status(old)).toBe("active");
  expect(await ok(ours.runs())).toEqual([]);
  await setRole("owner");
  expect((await ok(ours.settings())).suspended_reason).toBeNull();
  await comeDue(ours);
  await archived(ours, old);
}, 120_000);

test("a revoked credential acts no more", async () => {
  const ours = maintained(client, world);
  const other = maintained(await world.client(), world, ours.project);
  const old = await stale(ours);
  const { tokenId } = await world.client();
  const setter = maintained(await world.client(), world, ours.project);
  const set = await ok(setter.set(AUTOMATIC));
  expect(set.updated_by).not.toBe(tokenId);
  await world.service.credentials.revoke(set.updated_by);
  expect((await ok(other.settings())).suspended_reason).toMatch(/credential/);
  await comeDue(ours);
  await lookedAt(ours);
  expect(await ours.status(old)).toBe("active");
  // Whoever sets it anew is who it acts for.
  expect((await ok(other.set({ schedule_hours: 2 }))).suspended_reason).toBeNull();
  await comeDue(ours);
  await archived(ours, old);
}, 120_000);

test("automatic runs see no more than who set them, and do no more than it could then", async () => {
  const project = freshProject();
  const all = maintained(client, world, project);
  const knowledge = await all.stored({ memory_type: "knowledge" });
  const plain = await all.stored();
  for (const id of [knowledge, plain]) await all.age(id, 365);
  const part = maintained(await world.client({ scopes: ["memory:read", "memory:write"] }), world, project);
  await ok(part.set(AUTOMATIC));
  await comeDue(part);
  await archived(all, plain);
  expect(await all.status(knowledge)).toBe("active");
}, 90_000);

test("several servers that look at once begin one run", async () => {
  const ours = maintained(client, world);
  for (let at = 0; at < 3; at++) await stale(ours);
  await ok(ours.set(AUTOMATIC));
  await comeDue(ours);
  await Promise.all(
    Array.from({ length: 4 }, () => maintainOnSchedule(world.service.ports, { isStopping: () => false })),
  );
  const runs = await eventually(
    () => ok(ours.runs()),
    ([run]) => run?.status === "completed",
    WITHIN_MS,
  );
  expect(runs).toMatchObject([{ actions: [{ matched: 3, changed: 3 }] }]);
}, 90_000);
