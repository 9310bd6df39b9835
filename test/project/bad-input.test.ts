import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces, freshOwner, memory, stored } from "../support/acting.ts";
import { fingerprint } from "../support/stored-text.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";
import { maintainerOf } from "./maintenance.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
const project = freshProject();
const base = `/v1/projects/${project}`;

beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
  await ok(workspaceOf(client, project).todo());
  await stored(client, { provenance: { project_id: project } });
});
afterAll(() => world.close());

/** Everything that the refused requests of this file could have changed. */
async function state() {
  const ours = maintainerOf(client, project);
  return [await fingerprint(world.service.sql), await ok(ours.settings()), await ok(ours.runs())];
}

/** Sends it, expects 422 at these places, and that nothing has changed. */
async function expectFault(send: () => Promise<Answer>, places: readonly string[]): Promise<void> {
  const before = await state();
  expect(faultyPlaces(await send())).toEqual(places);
  expect(await state()).toEqual(before);
}

const whole = (name: string, min: number, max: number) =>
  [min - 1, max + 1, 1.5, 1e308, -1, "7", "", true, [], {}, [min]].map((value) => [name, value] as const);
const NUL = "a\u0000b";
const HALF = "a\ud800b";

describe("settings", () => {
  const cases: (readonly [string, unknown])[] = [
    ...whole("stale_after_days", 1, 3650),
    ...whole("completed_retention_days", 0, 3650),
    ...whole("purge_deleted_after_days", 0, 3650),
    ...whole("schedule_hours", 1, 8760),
    ...[0.799, 1.001, "0.9", true, [], {}, 1e308].map((value) => ["duplicate_similarity", value] as const),
    ...["archive_stale", 1, {}, true].map((value) => ["automatic_actions", value] as const),
    ["automatic_actions", ["archive_stale", "archive_stale"]],
    ["team_id", "not-a-uuid"],
    ["team_id", 5],
  ];
  test.each(cases.map(([name, value]) => [name, JSON.stringify(value), value] as const))(
    "%s: %s",
    (name, _, value) =>
      expectFault(() => maintainerOf(client, project).set({ [name]: value }), [`body.${name}`]),
  );

  test("an action that there is not, and an array without end, are named by their place", async () => {
    const { set } = maintainerOf(client, project);
    await expectFault(() => set({ automatic_actions: ["delete_everything"] }), ["body.automatic_actions.0"]);
    await expectFault(
      () => set({ automatic_actions: ["archive_stale", null] }),
      ["body.automatic_actions.1"],
    );
    const answer = await set({ automatic_actions: Array(20_000).fill("archive_stale") });
    expect([...faultyPlaces(answer)]).toEqual(["body.automatic_actions"]);
  });

  test("one bad member keeps the good ones from being set", async () => {
    const { set } = maintainerOf(client, project);
    await expectFault(() => set({ stale_after_days: 5, schedule_hours: 0 }), ["body.schedule_hours"]);
  });

  test("the bounds themselves are good, and null brings the default back", async () => {
    const ours = maintainerOf(client, freshProject());
    const untouched = await ok(ours.settings());
    const least = { stale_after_days: 1, duplicate_similarity: 0.8, completed_retention_days: 0 };
    const most = { stale_after_days: 3650, duplicate_similarity: 1, completed_retention_days: 3650 };
    expect(await ok(ours.set({ ...least, purge_deleted_after_days: 0, schedule_hours: 1 }))).toMatchObject(
      least,
    );
    expect(
      await ok(ours.set({ ...most, purge_deleted_after_days: 3650, schedule_hours: 8760 })),
    ).toMatchObject(most);
    const names = [...Object.keys(most), "purge_deleted_after_days", "schedule_hours", "automatic_actions"];
    const back = await ok(ours.set(Object.fromEntries(names.map((name) => [name, null]))));
    for (const name of names) expect(back[name]).toEqual(untouched[name]);
  });

  test("what is not known is ignored, and a body without a setting changes nothing", async () => {
    const before = await state();
    const ours = maintainerOf(client, project);
    for (const body of [{}, { colour: "red" }, { ["__proto__"]: 1, project_id: project }])
      expect(await ok(ours.set(body))).toEqual(await ok(ours.settings()));
    expect(await state()).toEqual(before);
  });

  test("a project in the body that is not the path's is refused, and nothing changes", async () => {
    const before = await state();
    const { status, body } = await maintainerOf(client, project).set({
      project_id: "another",
      stale_after_days: 7,
    });
    expect([status, body.code, body.detail[0].loc]).toEqual([
      422,
      "validation_failed",
      ["body", "project_id"],
    ]);
    expect(await state()).toEqual(before);
  });
});

describe("execution", () => {
  const all = { confirm_all_matching: true };
  const good = { actions: ["archive_stale"] };
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`);
  const cases: (readonly [string, object, readonly string[]])[] = [
    ["no actions", all, ["body.actions"]],
    ["an empty list", { ...all, actions: [] }, ["body.actions"]],
    [
      "five actions",
      {
        ...all,
        actions: [
          "expire_overdue",
          "archive_stale",
          "merge_duplicates",
          "purge_deleted",
          "refresh_embeddings",
        ],
      },
      ["body.actions"],
    ],
    ["an action twice", { ...all, actions: ["archive_stale", "archive_stale"] }, ["body.actions"]],
    ["an unknown action", { ...all, actions: ["ARCHIVE_STALE"] }, ["body.actions.0"]],
    ["null among the actions", { ...all, actions: [null] }, ["body.actions.0"]],
    ["actions as text", { ...all, actions: "archive_stale" }, ["body.actions"]],
    ["501 ids", { ...good, target_ids: ids(501) }, ["body.target_ids"]],
    ["an id of spaces", { ...good, target_ids: ["a", "b c"] }, ["body.target_ids.1"]],
    ["an id with U+0000", { ...good, target_ids: [NUL] }, ["body.target_ids.0"]],
    ["half a pair", { ...good, target_ids: [HALF] }, ["body.target_ids.0"]],
    ["an id too long", { ...good, target_ids: ["x".repeat(129)] }, ["body.target_ids.0"]],
    ["a number as id", { ...good, target_ids: [7] }, ["body.target_ids.0"]],
    ["confirm as text", { ...good, confirm_all_matching: "true" }, ["body.confirm_all_matching"]],
    ["confirm as number", { ...good, confirm_all_matching: 1 }, ["body.confirm_all_matching"]],
    ["an empty hash", { ...good, plan_hash: "" }, ["body.plan_hash"]],
    ["a hash too long", { ...good, plan_hash: "x".repeat(513) }, ["body.plan_hash"]],
    ["a hash with U+0000", { ...good, plan_hash: NUL }, ["body.plan_hash"]],
    ["a number as hash", { ...good, plan_hash: 5 }, ["body.plan_hash"]],
    ["a scan limit of 0", { ...good, ...all, scan_limit: 0 }, ["body.scan_limit"]],
    ["a scan limit of 5001", { ...good, ...all, scan_limit: 5001 }, ["body.scan_limit"]],
    ["a scan limit as text", { ...good, ...all, scan_limit: "10" }, ["body.scan_limit"]],
    ["a team that is no id", { ...good, ...all, team_id: "x" }, ["body.team_id"]],
  ];
  test.each(cases)("%s", (_, body, places) =>
    expectFault(() => client.post(`${base}/maintenance/execute`, body), places),
  );

  const selections = { target_ids: ["a"], confirm_all_matching: true, plan_hash: "x" };
  const subsets = [
    [],
    ["target_ids", "confirm_all_matching"],
    ["target_ids", "plan_hash"],
    ["confirm_all_matching", "plan_hash"],
    ["target_ids", "confirm_all_matching", "plan_hash"],
  ] as const;
  test.each(subsets.map((names) => [names.join(" and ") || "none", names] as const))(
    "selected by %s",
    async (_, names) => {
      const chosen = Object.fromEntries(names.map((name) => [name, selections[name]]));
      const before = await state();
      const answer = await client.post(`${base}/maintenance/execute`, { ...good, ...chosen });
      expect(faultyPlaces(answer).length).toBeGreaterThan(0);
      expect(await state()).toEqual(before);
    },
  );

  test("nothing selected, said in other words", async () => {
    const before = await state();
    for (const nothing of [
      { target_ids: [] },
      { target_ids: null, plan_hash: null },
      { confirm_all_matching: false },
      { target_ids: [], confirm_all_matching: false, plan_hash: null },
    ])
      expectRefusal(
        await client.post(`${base}/maintenance/execute`, { ...good, ...nothing }),
        422,
        "validation_failed",
      );
    expect(await state()).toEqual(before);
  });

  test.each([
    "x",
    "v1.1000.zzzz",
    "💥",
    "../../etc/passwd",
    "' or 1=1 --",
    "a".repeat(512),
    "eyJhIjoxfQ==",
    "[]",
    "{}",
    "1",
    "-1",
    "999999999999999999999",
  ])("a plan_hash that nobody was given, %j, is refused without a fault", async (plan_hash) => {
    const before = await state();
    const answer = await client.post(`${base}/maintenance/execute`, { ...good, plan_hash });
    expect([409, 422]).toContain(answer.status);
    if (answer.status === 409) expect(answer.body.code).toBe("plan_changed");
    else expect(faultyPlaces(answer)).toEqual(["body.plan_hash"]);
    expect(await state()).toEqual(before);
  });
});

describe("reports and runs", () => {
  test.each([
    ["scan_limit", "0"],
    ["scan_limit", "5001"],
    ["scan_limit", "-1"],
    ["scan_limit", "1.5"],
    ["scan_limit", "ten"],
    ["scan_limit", ""],
    ["scan_limit", "1e999"],
    ["team_id", "x"],
  ])("a report with %s=%j", (name, value) =>
    expectFault(() => client.get(`${base}/maintenance?${name}=${value}`), [`query.${name}`]),
  );

  test.each(["0", "101", "1.5", "x"])("runs with limit=%j", (value) =>
    expectFault(() => client.get(`${base}/maintenance/runs?limit=${value}`), ["query.limit"]),
  );

  test("a run that is no id, or nobody's", async () => {
    for (const run of ["unknown", "00000000-0000-4000-8000-000000000000", "a".repeat(128)])
      expectRefusal(await client.post(`${base}/maintenance/runs/${run}/undo`, {}), 404, "not_found");
    for (const run of ["a%20b", "a%00b", "x".repeat(129)])
      expect(faultyPlaces(await client.post(`${base}/maintenance/runs/${run}/undo`, {}))).toEqual([
        "path.run_id",
      ]);
  });

  test.each(["a%20b", "%00", "x".repeat(129), "%F0%9F%92%A5"])("a project named %j", async (name) => {
    const there = `/v1/projects/${name}`;
    for (const answer of [
      await client.get(`${there}/maintenance`),
      await client.get(`${there}/maintenance/settings`),
      await client.get(`${there}/maintenance/runs`),
      await client.patch(`${there}/maintenance/settings`, { schedule_hours: 5 }),
      await client.post(`${there}/maintenance/execute`, {
        actions: ["repair_index"],
        confirm_all_matching: true,
      }),
      await client.post(`${there}/context`, {}),
    ])
      expect(faultyPlaces(answer)).toEqual(["path.project_id"]);
  });
});

describe("context", () => {
  const cases: (readonly [string, unknown])[] = [
    ...whole("max_items", 1, 1000),
    ...whole("max_tokens", 1, 50_000),
    ...whole("recent_hours", 1, 8760),
    ...["true", 1, null, []].map((value) => ["include_durable_context", value] as const),
    ...["false", 0, null, {}].map((value) => ["include_other_sessions", value] as const),
    ...["", NUL, HALF, "x".repeat(129), 5, null, []].map((value) => ["bucket", value] as const),
    ...["", NUL, HALF, "x".repeat(65_537), 5, []].map((value) => ["durable_query", value] as const),
    ...["x", "", 5, {}].map((value) => ["team_id", value] as const),
  ];
  test.each(cases.map(([name, value]) => [name, JSON.stringify(value).slice(0, 40), value] as const))(
    "%s: %s",
    (name, _, value) =>
      expectFault(() => client.post(`${base}/context`, { [name]: value }), [`body.${name}`]),
  );
});

describe("bodies that are none", () => {
  const routes = [
    ["patch", `${base}/maintenance/settings`],
    ["post", `${base}/maintenance/execute`],
    ["post", `${base}/maintenance/runs/00000000-0000-4000-8000-000000000000/undo`],
    ["post", `${base}/context`],
  ] as const;
  test.each(routes)("%s %s", async (method, path) => {
    const before = await state();
    const send = client[method] as Client["post"];
    for (const body of [
      "{",
      "[]",
      "null",
      '"x"',
      "5",
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      '{"a":1e999}x',
    ]) {
      const answer = await send(path, body);
      expect({ body: body.slice(0, 20), status: answer.status }).toEqual({
        body: body.slice(0, 20),
        status: 422,
      });
      expect(answer.body.detail[0].loc[0]).toBe("body");
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      expectRefusal(await send(path, "a=1", { "content-type": type }), 415, "unsupported_media_type");
    const large = JSON.stringify({ actions: "x".repeat(1_100_000) });
    expectRefusal(await send(path, large), 413, "payload_too_large");
    expect(await state()).toEqual(before);
  });
});

test("a recurrence of the wrong type or size is named, and the memory is not stored", async () => {
  for (const recurrence of [5, true, [], {}, "", NUL, "x".repeat(10_240)]) {
    const before = await state();
    const reminder = { memory_type: "reminder", metadata: { due_at: "2030-01-01T09:00:00Z", recurrence } };
    const answer = await client.post("/v1/memories", memory(reminder));
    expect({ recurrence, status: answer.status }).toEqual({ recurrence, status: 422 });
    expect(faultyPlaces(answer)[0]).toMatch(/^body\.metadata/);
    expect(await state()).toEqual(before);
  }
});
