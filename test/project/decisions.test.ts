import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, faultyPlaces } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, NEEDS, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const STEPS = { proposed: [], resolved: ["resolve"], superseded: ["supersede"] } as const;
const ALLOWED = { proposed: "resolve, supersede", resolved: "supersede, reopen", superseded: null } as const;

test.each([
  ["proposed", "resolve", "resolved"],
  ["proposed", "supersede", "superseded"],
  ["proposed", "reopen", "409"],
  ["resolved", "resolve", "409"],
  ["resolved", "supersede", "superseded"],
  ["resolved", "reopen", "proposed"],
  ["superseded", "resolve", "409"],
  ["superseded", "supersede", "409"],
  ["superseded", "reopen", "409"],
] as const)("%s, %s: %s", async (from, operation, expected) => {
  const ours = workspaceOf(client, freshProject(), "a");
  const { decision_id } = await ok(ours.decision());
  for (const step of STEPS[from]) await ok(ours.decide(decision_id, step, NEEDS[step]));
  const find = async () =>
    (await ok(ours.decisions())).find((one: { decision_id: string }) => one.decision_id === decision_id);
  const before = await find();
  expect(before.status).toBe(from);
  const answer = await ours.decide(decision_id, operation, NEEDS[operation]);
  const after = await find();
  if (expected === "409") {
    expectRefusal(answer, 409, "invalid_transition");
    expect(answer.body.detail).toContain(ALLOWED[from] ?? "Nothing is allowed");
    expect(after).toEqual(before);
    return;
  }
  expect(answer.status).toBe(200);
  expect(operation === "supersede" ? answer.body[0] : answer.body).toEqual(after);
  expect(after.status).toBe(expected);
  expect(after.audit_trail.at(-1)).toMatchObject({ operation, from, to: expected, actor: { agent_id: "a" } });
});

test.each(["soft_delete", "hard_delete"])(
  "a superseded decision whose successor is gone (%s) is opened again",
  async (mode) => {
    const ours = workspaceOf(client, freshProject(), "a");
    const { decision_id } = await ok(ours.decision());
    const [, successor] = await ok(ours.decide(decision_id, "supersede", NEEDS.supersede));
    const path = `/v1/projects/${successor.project_id}/decisions/${successor.decision_id}`;
    expectRefusal(await ours.decide(decision_id, "reopen"), 409, "invalid_transition");
    expect((await client.delete(`${path}?mode=${mode}`)).status).toBe(200);
    const reopened = await ok(ours.decide(decision_id, "reopen"));
    expect(reopened).toMatchObject({ status: "proposed", superseded_by: null });
    expect(await ok(client.get(`/v1/memories/${decision_id}`))).toMatchObject({
      superseded_by: null,
      status: "active",
    });
    // It can be superseded anew, and what was deleted comes back as a decision of its own.
    const [again, other] = await ok(ours.decide(decision_id, "supersede", NEEDS.supersede));
    expect(again).toMatchObject({ status: "superseded", superseded_by: other.decision_id });
    if (mode === "soft_delete")
      expect(await ok(client.post(`${path}/restore`))).toMatchObject({ supersedes: null });
  },
);

test("a new decision has every member of the contract", async () => {
  const project = freshProject();
  const ours = workspaceOf(client, project, "a");
  const answer = await ours.decision({
    context: "Which database do we build on?\nIt must search text.",
    options: ["Postgres", "SQLite"],
    impact_level: "high",
    proposed_by_agent_id: "planner",
    due_at: "2030-01-01T00:00:00Z",
    metadata: { rationale: "One thing to run." },
  });
  expect(answer.headers.get("etag")).toBe(answer.body.etag);
  expect(await ok(Promise.resolve(answer))).toMatchObject({
    project_id: project,
    content: "Which database do we build on?\nIt must search text.",
    decision_context: "Which database do we build on?\nIt must search text.",
    title: "Which database do we build on?",
    decision: null,
    rationale: "One thing to run.",
    status: "proposed",
    proposed_by_agent_id: "planner",
    resolved_by_agent_id: null,
    impact_level: "high",
    supersedes: null,
    superseded_by: null,
    options: ["Postgres", "SQLite"],
    resolution: null,
    resolved_at: null,
    due_at: "2030-01-01T00:00:00.000Z",
    bucket: "work",
    path: `projects/${project}/decisions`,
    extra_metadata: { rationale: "One thing to run." },
  });
});

test("resolving says what was decided, by whom and when; reopening takes it back and the trail keeps it", async () => {
  const ours = workspaceOf(client, freshProject(), "a");
  const { decision_id } = await ok(ours.decision());
  const resolved = await ok(ours.decide(decision_id, "resolve", { resolution: "Postgres." }));
  expect(resolved).toMatchObject({
    decision: "Postgres.",
    resolution: "Postgres.",
    resolved_by_agent_id: "a",
    resolved_at: resolved.updated_at,
  });
  const reopened = await ok(ours.decide(decision_id, "reopen"));
  expect(reopened).toMatchObject({ status: "proposed", decision: null, resolution: null, resolved_at: null });
  expect(reopened.audit_trail.map((line: { note: string }) => line.note)).toEqual([null, "Postgres.", null]);
});

describe("superseding", () => {
  test("answers the old one and the new one, which refer to each other", async () => {
    const ours = workspaceOf(client, freshProject());
    const { decision_id } = await ok(ours.decision({ impact_level: "critical", path: "plans", bucket: "b" }));
    await ok(ours.decide(decision_id, "resolve", NEEDS.resolve));
    const [old, proposed] = await ok(ours.decide(decision_id, "supersede", { context: "And at ten times?" }));
    expect(old).toMatchObject({ decision_id, status: "superseded", superseded_by: proposed.decision_id });
    expect(old.resolution).toBe("Postgres.");
    expect(proposed).toMatchObject({ status: "proposed", supersedes: decision_id, superseded_by: null });
    expect(proposed).toMatchObject({ impact_level: "critical", path: "plans", bucket: "b", options: [] });
    const [, resolved] = await ok(
      ours.decide(proposed.decision_id, "supersede", {
        context: "Now?",
        resolution_note: "Both.",
        options: ["x"],
      }),
    );
    expect(resolved).toMatchObject({
      status: "resolved",
      resolution: "Both.",
      decision: "Both.",
      options: ["x"],
    });
    expect(await ok(ours.decisions("?status=superseded"))).toHaveLength(2);
  });

  test("by a new decision that says so", async () => {
    const ours = workspaceOf(client, freshProject());
    const { decision_id } = await ok(ours.decision());
    const next = await ok(ours.decision({ supersedes: decision_id }));
    expect(next).toMatchObject({ status: "proposed", supersedes: decision_id });
    expectRefusal(await ours.decision({ supersedes: decision_id }), 409, "invalid_transition");
    expect(faultyPlaces(await ours.decision({ supersedes: "nowhere" }))).toEqual(["body.supersedes"]);
    const { todo_id } = await ok(ours.todo());
    expect(faultyPlaces(await ours.decision({ supersedes: todo_id }))).toEqual(["body.supersedes"]);
    expect(await ok(ours.decisions())).toHaveLength(2);
  });

  test("by many at once succeeds once", async () => {
    const ours = workspaceOf(client, freshProject());
    const { decision_id } = await ok(ours.decision());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => ours.decide(decision_id, "supersede", NEEDS.supersede)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
    expect(await ok(ours.decisions())).toHaveLength(2);
  });
});

test("decisions come proposed first by impact, then the latest resolved, superseded last, and are filtered", async () => {
  const ours = workspaceOf(client, freshProject());
  const add = async (context: string, body = {}) =>
    (await ok(ours.decision({ context, ...body }))).decision_id;
  const resolve = async (id: string) => ok(ours.decide(id, "resolve", NEEDS.resolve));
  const gone = await add("superseded");
  await ok(ours.decide(gone, "supersede", { context: "ordinary" }));
  await resolve(await add("resolved first"));
  await resolve(await add("resolved last", { impact_level: "low" }));
  await add("little", { impact_level: "low" });
  await add("great", { impact_level: "critical" });
  const contexts = async (query: string) =>
    (await ok(ours.decisions(query))).map((one: { content: string }) => one.content);
  expect(await contexts("")).toEqual([
    "great",
    "ordinary",
    "little",
    "resolved last",
    "resolved first",
    "superseded",
  ]);
  expect(await contexts("?status=resolved")).toEqual(["resolved last", "resolved first"]);
  expect(await contexts("?impact_level=low")).toEqual(["little", "resolved last"]);
});

test.each([
  ["no context", { context: "" }, ["body.context"]],
  ["an unknown impact", { impact_level: "huge" }, ["body.impact_level"]],
  ["options that are no list", { options: "a" }, ["body.options"]],
  ["an empty option", { options: [""] }, ["body.options.0"]],
])("a decision refuses %s", async (_, body, places) => {
  const ours = workspaceOf(client, freshProject());
  expect(faultyPlaces(await ours.decision(body))).toEqual(places);
  expect(await ok(ours.decisions())).toEqual([]);
});

test("steps without what they need are refused", async () => {
  const ours = workspaceOf(client, freshProject());
  const { decision_id, etag } = await ok(ours.decision());
  expect(faultyPlaces(await ours.decide(decision_id, "resolve", {}))).toEqual(["body.resolution"]);
  expect(faultyPlaces(await ours.decide(decision_id, "supersede", {}))).toEqual(["body.context"]);
  await ok(ours.decide(decision_id, "resolve", NEEDS.resolve, { "if-match": etag }));
  const late = await ours.decide(decision_id, "reopen", undefined, { "if-match": etag });
  expectRefusal(late, 412, "precondition_failed");
  expectRefusal(await ours.decide("nowhere", "reopen"), 404, "not_found");
});
