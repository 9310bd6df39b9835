import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, faultyPlaces } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { maintained } from "./maintenance.ts";
import { ok } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const DEFAULTS = {
  stale_after_days: 90,
  duplicate_similarity: 0.95,
  completed_retention_days: 30,
  purge_deleted_after_days: 30,
  automatic_actions: [],
  schedule_hours: 24,
};
const NOBODYS = { updated_at: null, updated_by: null, next_run_at: null, suspended_reason: null };

test("a workspace that nobody has set anything for has the defaults, and nothing runs by itself", async () => {
  const ours = maintained(client, world);
  expect(await ok(ours.settings())).toEqual({
    project_id: ours.project,
    team_id: null,
    ...DEFAULTS,
    ...NOBODYS,
  });
});

test("a change sets what it names, null brings a default back, and a body without a setting changes nothing", async () => {
  const ours = maintained(client, world);
  expect(await ok(ours.set({}))).toMatchObject(NOBODYS);
  const first = await ok(ours.set({ stale_after_days: 10, schedule_hours: 2 }));
  expect(first).toMatchObject({ ...DEFAULTS, stale_after_days: 10, schedule_hours: 2, next_run_at: null });
  expect(first).toMatchObject({ updated_at: expect.any(String), updated_by: client.tokenId });
  expect(await ok(ours.settings())).toEqual(first);
  expect(await ok(ours.set({ team_id: null }))).toEqual(first);
  const second = await ok(ours.set({ stale_after_days: null, purge_deleted_after_days: 0 }));
  expect(second).toMatchObject({ ...DEFAULTS, schedule_hours: 2, purge_deleted_after_days: 0 });
});

test("automatic actions set when the next run is due; another change does not put it off", async () => {
  const ours = maintained(client, world);
  const before = Date.now();
  const on = await ok(
    ours.set({ automatic_actions: ["archive_stale", "purge_deleted"], schedule_hours: 48 }),
  );
  const dueIn = Date.parse(on.next_run_at) - before;
  expect(Math.round(dueIn / 3_600_000)).toBe(48);
  expect((await ok(ours.set({ stale_after_days: 5 }))).next_run_at).toBe(on.next_run_at);
  const sooner = await ok(ours.set({ schedule_hours: 1 }));
  expect(Date.parse(sooner.next_run_at)).toBeLessThan(Date.parse(on.next_run_at));
  expect((await ok(ours.set({ automatic_actions: [] }))).next_run_at).toBeNull();
});

test.each([
  { stale_after_days: 0 },
  { stale_after_days: 3651 },
  { stale_after_days: 1.5 },
  { duplicate_similarity: 0.79 },
  { duplicate_similarity: 1.01 },
  { completed_retention_days: -1 },
  { purge_deleted_after_days: "7" },
  { schedule_hours: 0 },
  { schedule_hours: 8761 },
  { automatic_actions: ["sweep_everything"] },
  { automatic_actions: ["archive_stale", "archive_stale"] },
])("%o is refused and changes nothing", async (wrong) => {
  const ours = maintained(client, world);
  const [name] = Object.keys(wrong) as [string];
  expect((await ours.set(wrong)).body.detail[0].loc[1]).toBe(name);
  expect(await ok(ours.settings())).toMatchObject(NOBODYS);
});

test("a project's settings are its own, and not those of the same name elsewhere", async () => {
  const ours = maintained(client, world);
  await ok(ours.set({ stale_after_days: 7 }));
  const other = maintained(await world.client({ owner: "bob" }), world, ours.project);
  expect((await ok(other.settings())).stale_after_days).toBe(90);
  const elsewhere = maintained(client, world);
  expect((await ok(elsewhere.settings())).stale_after_days).toBe(90);
});

test("the agent that sets them is named", async () => {
  const ours = maintained(client, world);
  const answer = await client.patch(
    `/v1/projects/${ours.project}/maintenance/settings`,
    { stale_after_days: 9 },
    { "x-agent-id": "janitor" },
  );
  expect(answer.body.updated_by).toBe("janitor");
});

test("a credential that reaches a part of the workspace only does not set it", async () => {
  for (const space of [{ pathPrefix: "notes" }, { buckets: ["public"] }]) {
    const ours = maintained(await world.client({ space }), world);
    expectRefusal(await ours.set({ stale_after_days: 7 }), 403, "insufficient_scope");
    await ok(ours.settings());
  }
  const project = "only-this";
  const confined = await world.client({ space: { projects: [project] } });
  await ok(maintained(confined, world, project).set({ stale_after_days: 7 }));
  for (const answer of [
    await maintained(confined, world).set({ stale_after_days: 7 }),
    await maintained(confined, world).settings(),
  ])
    expectRefusal(answer, 403, "insufficient_scope");
});

test("a team that is none is not found, whatever is asked of it", async () => {
  const ours = maintained(client, world, undefined, "00000000-0000-4000-8000-000000000000");
  const selection = { actions: ["archive_stale"], confirm_all_matching: true };
  for (const answer of [
    await ours.settings(),
    await ours.set({ stale_after_days: 7 }),
    await ours.report(),
    await ours.execute(selection),
    await ours.runs(),
    await ours.undo("00000000-0000-4000-8000-000000000000"),
  ])
    expectRefusal(answer, 404, "not_found");
});

test("a team_id that is no id is told so", async () => {
  const ours = maintained(client, world, undefined, "nobody");
  expect(faultyPlaces(await ours.settings())).toEqual(["query.team_id"]);
  expect(faultyPlaces(await ours.set({}))).toEqual(["body.team_id"]);
});
