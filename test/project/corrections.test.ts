import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { expectRefusal, faultyPlaces, freshOwner, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, NEEDS, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());

const workspace = (agent: string | null = "a") => workspaceOf(client, freshProject(), agent);

test("a todo is read by its id, with its ETag", async () => {
  const ours = workspace();
  const todo = await ok(ours.todo());
  const answer = await ours.item("todo").read(todo.todo_id);
  expect(answer).toMatchObject({ status: 200, body: todo });
  expect(answer.headers.get("etag")).toBe(todo.etag);
  const decision = await ok(ours.decision());
  expect(await ok(ours.item("decision").read(decision.decision_id))).toEqual(decision);
  expectRefusal(await ours.item("decision").read(todo.todo_id), 404, "not_found");
  expectRefusal(await workspace().item("todo").read(todo.todo_id), 404, "not_found");
});

test("a completed todo takes no unfinished dependency, only finished ones", async () => {
  const ours = workspace();
  const [todo, open, done] = [await ok(ours.todo()), await ok(ours.todo()), await ok(ours.todo())];
  await ok(ours.act(todo.todo_id, "complete"));
  await ok(ours.act(done.todo_id, "complete"));
  const correct = (depends_on: string[]) => ours.item("todo").correct(todo.todo_id, { depends_on });
  expectRefusal(await correct([done.todo_id, open.todo_id]), 409, "dependency_incomplete");
  expect(await ok(ours.item("todo").read(todo.todo_id))).toMatchObject({
    status: "completed",
    depends_on: [],
  });
  expect(await ok(correct([done.todo_id]))).toMatchObject({ depends_on: [done.todo_id] });
});

describe("a todo that is completed while what it depends on is deleted", () => {
  const dependent = async (isFinished: boolean) => {
    const ours = workspace();
    const { todo_id: needed } = await ok(ours.todo());
    const { todo_id } = await ok(ours.todo({ depends_on: [needed] }));
    const { todo_id: waiting } = await ok(ours.todo({ depends_on: [needed] }));
    if (isFinished) await ok(ours.act(needed, "complete"));
    await ok(ours.item("todo").remove(needed));
    return {
      ours,
      needed,
      todo_id,
      waiting,
      dependsOn: async (id: string) => (await ok(ours.item("todo").read(id))).depends_on,
    };
  };

  test("does not depend on it once it is restored open; what is unfinished still does", async () => {
    const { ours, needed, todo_id, waiting, dependsOn } = await dependent(false);
    await ok(ours.act(todo_id, "complete"));
    expect(await ok(ours.item("todo").restore(needed))).toMatchObject({ status: "open" });
    expect(await dependsOn(todo_id)).toEqual([]);
    expect(await dependsOn(waiting)).toEqual([needed]);
    expectRefusal(await ours.act(waiting, "complete"), 409, "dependency_incomplete");
  });

  test("is like that also if it is deleted itself meanwhile", async () => {
    const { ours, needed, todo_id, dependsOn } = await dependent(false);
    await ok(ours.act(todo_id, "complete"));
    await ok(ours.item("todo").remove(todo_id));
    await ok(ours.item("todo").restore(needed));
    await ok(ours.item("todo").restore(todo_id));
    expect(await dependsOn(todo_id)).toEqual([]);
  });

  test("keeps the dependency if that was finished", async () => {
    const { ours, needed, todo_id, dependsOn } = await dependent(true);
    await ok(ours.act(todo_id, "complete"));
    await ok(ours.item("todo").restore(needed));
    expect(await dependsOn(todo_id)).toEqual([needed]);
  });

  test("at the moment that it is restored, either does not depend on it or is not completed", async () => {
    for (let round = 0; round < 8; round++) {
      const { ours, needed, todo_id, dependsOn } = await dependent(false);
      const [completed, restored] = await Promise.all([
        ours.act(todo_id, "complete"),
        ours.item("todo").restore(needed),
      ]);
      expect(restored.status).toBe(200);
      if (completed.status === 200) expect(await dependsOn(todo_id)).toEqual([]);
      else expectRefusal(completed, 409, "dependency_incomplete");
    }
  });
});

test("every member of a todo that is no state can be corrected, with a line that names what changed", async () => {
  const ours = workspace();
  const needed = await ok(ours.todo());
  const todo = await ok(ours.todo({ metadata: { ticket: "OPS-7", kept: 1 } }));
  await ok(ours.act(todo.todo_id, "accept"));
  const corrected = await ok(
    ours.item("todo").correct(todo.todo_id, {
      content: "Rotate the other keys.",
      priority: "urgent",
      due_at: "2030-01-31T10:00:00+01:00",
      depends_on: [needed.todo_id],
      bucket: "ops",
      path: "/ops//keys",
      source_memory_id: "nowhere",
      metadata: { ticket: null, added: { by: "hand" } },
    }),
  );
  expect(corrected).toMatchObject({
    todo_id: todo.todo_id,
    content: "Rotate the other keys.",
    status: "accepted",
    accepted_by_agent_id: "a",
    priority: "urgent",
    due_at: "2030-01-31T09:00:00.000Z",
    depends_on: [needed.todo_id],
    bucket: "ops",
    path: "ops/keys",
    source_memory_id: "nowhere",
    source_memory_status: "missing",
    extra_metadata: { kept: 1, added: { by: "hand" } },
  });
  expect(corrected.extra_metadata).not.toHaveProperty("ticket");
  expect(corrected.audit_trail.at(-1)).toMatchObject({
    operation: "update",
    from: "accepted",
    to: "accepted",
    actor: { agent_id: "a" },
    note: "content, priority, due_at, source_memory_id, metadata, bucket, path, depends_on",
  });
  expect(await ok(ours.item("todo").read(todo.todo_id))).toEqual(corrected);
  const recalled = await client.get(`/v1/memories/${todo.todo_id}`);
  expect(recalled.headers.get("etag")).toBe(corrected.etag);
  expect(recalled.body).toMatchObject({
    bucket: "ops",
    path: "ops/keys",
    metadata: { todo_status: "accepted", todo_priority: "urgent", added: { by: "hand" } },
  });
  expect(recalled.body.content).toContain("Rotate the other keys.");
  const { versions } = (await client.get(`/v1/memories/${todo.todo_id}/versions`)).body;
  expect(versions[1].content).toContain("Rotate the keys.");
});

test("null clears what may be empty, and metadata is replaced where it is not to be merged", async () => {
  const ours = workspace();
  const { todo_id: needed } = await ok(ours.todo());
  const { todo_id } = await ok(
    ours.todo({ due_at: "2030-01-31T10:00:00Z", depends_on: [needed], metadata: { a: 1, b: 2 } }),
  );
  const correct = (body: Record<string, unknown>) => ours.item("todo").correct(todo_id, body);
  expect(await ok(correct({ due_at: null, depends_on: null, source_memory_id: null }))).toMatchObject({
    due_at: null,
    depends_on: [],
    extra_metadata: { a: 1, b: 2 },
  });
  expect(await ok(correct({ metadata: { c: 3 }, merge_metadata: false }))).toMatchObject({
    extra_metadata: { c: 3 },
  });
  expect(await ok(correct({ metadata: null }))).toMatchObject({ extra_metadata: {} });
  for (const member of ["content", "priority", "bucket", "path"])
    expect(faultyPlaces(await correct({ [member]: null }))).toEqual([`body.${member}`]);
});

describe.each(["todo", "decision"] as const)("of a %s", (item) => {
  const create = async (agent: string | null = "a", given: Record<string, unknown> = {}) => {
    const ours = workspace(agent);
    const made = await ok(ours[item](given));
    return { ours, made, id: made[`${item}_id`] as string, items: ours.item(item) };
  };
  const words = item === "todo" ? "content" : "context";

  test("a correction that changes nothing writes nothing", async () => {
    const { made, id, items } = await create("a", { metadata: { a: { b: [1] } } });
    const same = { [words]: made.content, metadata: { a: { b: [1] } }, due_at: null, bucket: "work" };
    expect(await ok(items.correct(id, same))).toEqual(made);
    expect(await ok(items.correct(id, {}))).toEqual(made);
    expect((await client.get(`/v1/memories/${id}/versions`)).body.versions).toHaveLength(1);
  });

  test("a correction is conditional on the ETag, and what is not valid changes nothing", async () => {
    const { made, id, items } = await create();
    const stale = await items.correct(id, { [words]: "Other." }, { "if-match": '"other-1"' });
    expectRefusal(stale, 412, "precondition_failed");
    expect(stale.body.detail).toContain(`The ${item} has changed`);
    for (const body of [
      { [words]: "" },
      { due_at: "soon" },
      { metadata: "x" },
      { path: "/" },
      { metadata: { due_at: 5 } },
    ])
      expect(faultyPlaces(await items.correct(id, body))).toHaveLength(1);
    const full = { metadata: { big: "x".repeat(60_000) } };
    await ok(items.correct(id, full));
    expect(faultyPlaces(await items.correct(id, { metadata: { more: "x".repeat(10_000) } }))).toEqual([
      "body.metadata",
    ]);
    const now = await ok(items.read(id));
    const answer = await items.correct(id, { [words]: "Other." }, { "if-match": now.etag });
    expect(answer).toMatchObject({ status: 200, body: { content: "Other." } });
    expect(answer.headers.get("etag")).toBe(answer.body.etag);
    expect(answer.body.etag).not.toBe(made.etag);
  });

  test("what is corrected stays within the credential's reach, and secrets are masked", async () => {
    const owner = freshOwner();
    const part = await world.client({ owner, space: { pathPrefix: "in", buckets: ["in", "ledger"] } });
    const ours = workspaceOf(part, freshProject());
    const made = await ok(ours[item]({ bucket: "in" }));
    const id = made[`${item}_id`];
    for (const outside of [{ path: "out" }, { bucket: "out" }])
      expectRefusal(await ours.item(item).correct(id, outside), 403, "insufficient_scope");
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const answer = await ok(ours.item(item).correct(id, { [words]: `The key is ${secret}.` }));
    expect(answer.content).not.toContain(secret);
    expect(answer.masked).toHaveLength(1);
    expect(await columnsHolding(world.service.sql, secret)).toEqual([]);
  });

  test("a correction needs memory:update, and shows nothing to who may not read", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const word = unguessable();
    const ours = workspaceOf(await world.client({ owner }), project);
    const made = await ok(ours[item]({ [words]: `The word is ${word}.` }));
    const id = made[`${item}_id`];
    const as = async (...scopes: Scope[]) =>
      workspaceOf(await world.client({ owner, scopes }), project).item(item);
    expectRefusal(await (await as("memory:read")).correct(id, { bucket: "b" }), 403, "insufficient_scope");
    expectRefusal(await (await as("memory:write")).read(id), 403, "insufficient_scope");
    const answer = await (await as("memory:update")).correct(id, { metadata: { a: 1 } });
    expect(answer).toMatchObject({
      status: 200,
      body: { [`${item}_id`]: id, project_id: project, status: made.status },
    });
    expect(Object.keys(answer.body)).toHaveLength(3);
  });
});

test("a dependency that is unknown, of another workspace or would close a circle is 422", async () => {
  const ours = workspace();
  const [a, b, c] = [
    (await ok(ours.todo())).todo_id,
    (await ok(ours.todo())).todo_id,
    (await ok(ours.todo())).todo_id,
  ];
  const needs = (id: string, depends_on: unknown[]) => ours.item("todo").correct(id, { depends_on });
  await ok(needs(b, [a]));
  await ok(needs(c, [b]));
  expect(faultyPlaces(await needs(a, [a]))).toEqual(["body.depends_on.0"]);
  expect(faultyPlaces(await needs(a, [c]))).toEqual(["body.depends_on.0"]);
  const other = (await ok(workspace().todo())).todo_id;
  const { decision_id } = await ok(ours.decision());
  for (const unknown of ["unknown", other, decision_id])
    expect(faultyPlaces(await needs(c, [a, unknown]))).toEqual(["body.depends_on.1"]);
  expect((await ok(ours.item("todo").read(c))).depends_on).toEqual([b]);
  await ok(needs(b, []));
  await ok(needs(a, [c, b, c]));
  expect((await ok(ours.item("todo").read(a))).depends_on).toEqual([c, b]);
  expectRefusal(await ours.act(a, "complete"), 409, "dependency_incomplete");
  await ok(needs(a, []));
  await ok(ours.act(a, "complete"));
});

test("dependencies that a credential does not see stay when it names others", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const ours = workspaceOf(await world.client({ owner }), project);
  const hidden = await ok(ours.todo({ path: "hidden" }));
  const seen = await ok(ours.todo({ path: "seen" }));
  const { todo_id } = await ok(ours.todo({ path: "seen", depends_on: [hidden.todo_id] }));
  const part = workspaceOf(await world.client({ owner, space: { pathPrefix: "seen" } }), project);
  const answer = await ok(part.item("todo").correct(todo_id, { depends_on: [seen.todo_id] }));
  expect(answer.depends_on).toEqual([seen.todo_id]);
  expect((await ok(ours.item("todo").read(todo_id))).depends_on.toSorted()).toEqual(
    [hidden.todo_id, seen.todo_id].toSorted(),
  );
  // And a circle by way of a hidden one is a circle.
  await ok(ours.item("todo").correct(seen.todo_id, { depends_on: [] }));
  await ok(ours.item("todo").correct(hidden.todo_id, { depends_on: [seen.todo_id] }));
  expect(faultyPlaces(await part.item("todo").correct(seen.todo_id, { depends_on: [todo_id] }))).toEqual([
    "body.depends_on.0",
  ]);
});

test("what a proposed decision says is corrected; a title and a rationale are its metadata", async () => {
  const ours = workspace();
  const { decision_id } = await ok(ours.decision({ options: ["one"] }));
  const corrected = await ok(
    ours.item("decision").correct(decision_id, {
      context: "Which queue?",
      options: ["two", "three"],
      impact_level: "high",
      metadata: { title: "The queue", rationale: "We need one." },
    }),
  );
  expect(corrected).toMatchObject({
    content: "Which queue?",
    options: ["two", "three"],
    impact_level: "high",
    title: "The queue",
    rationale: "We need one.",
    status: "proposed",
  });
  expect(
    await ok(ours.item("decision").correct(decision_id, { options: null, impact_level: null })),
  ).toMatchObject({
    options: [],
    impact_level: null,
  });
});

test.each(["resolved", "superseded"])(
  "what a %s decision says stays; its metadata may change",
  async (status) => {
    const ours = workspace();
    const made = await ok(ours.decision({ options: ["one"], impact_level: "low" }));
    const { decision_id: id } = made;
    const step = status === "resolved" ? "resolve" : "supersede";
    await ok(ours.decide(id, step, NEEDS[step]));
    const { correct, read } = ours.item("decision");
    for (const body of [
      { context: "Other?" },
      { options: ["two"] },
      { impact_level: "high" },
      { due_at: "2030-01-01T00:00:00Z" },
    ]) {
      const refusal = await correct(id, { ...body, metadata: { a: 1 } });
      expectRefusal(refusal, 409, "invalid_transition");
    }
    const same = { context: made.content, options: ["one"], impact_level: "low" };
    expect(await ok(correct(id, { ...same, metadata: { ticket: 7 } }))).toMatchObject({
      status,
      extra_metadata: { ticket: 7 },
    });
    expect((await ok(read(id))).audit_trail.map((line: { operation: string }) => line.operation)).toEqual([
      "create",
      step,
      "update",
    ]);
    if (status === "superseded") return;
    await ok(ours.decide(id, "reopen"));
    expect(await ok(correct(id, { context: "Other?" }))).toMatchObject({ content: "Other?" });
  },
);

test("a finished todo is corrected too, and stays finished", async () => {
  const ours = workspace();
  const { todo_id } = await ok(ours.todo());
  await ok(ours.act(todo_id, "complete", { note: "All done." }));
  expect(await ok(ours.item("todo").correct(todo_id, { content: "Turn the keys." }))).toMatchObject({
    content: "Turn the keys.",
    status: "completed",
    completion_note: "All done.",
  });
});

test("however long its notes and agents are, a todo's memory keeps the bounds of a memory", async () => {
  const ours = workspace("a".repeat(256));
  const metadata = { words: "x".repeat(65_000), small: "y".repeat(400) };
  const { todo_id, extra_metadata } = await ok(ours.todo({ metadata, assignee_agent_id: "a".repeat(256) }));
  await ok(ours.act(todo_id, "block", { reason: "é".repeat(1024) }));
  expect(await ok(ours.item("todo").read(todo_id))).toMatchObject({ extra_metadata });
  const { body } = await client.get(`/v1/memories/${todo_id}`);
  expect(new TextEncoder().encode(JSON.stringify(body.metadata)).length).toBeLessThanOrEqual(64 * 1024);
  expect(body.metadata).toMatchObject({ todo_status: "blocked", small: metadata.small });
  const { content, path, bucket, metadata: all } = body;
  const again = await client.post("/v1/memories", { content, path, bucket, metadata: all });
  expect(again.status).toBe(201);
});

test.each([
  ["todo", ["assignee_agent_id", "scope", "team_id"]],
  ["decision", ["decision", "proposed_by_agent_id", "scope", "team_id"]],
] as const)("the whole of a %s can be sent back but for what names others", async (item, naming) => {
  const ours = workspace();
  const { correct } = ours.item(item);
  const made = await ok(ours[item]());
  const whole = await correct(made[`${item}_id`], made);
  expectRefusal(whole, 422, "validation_failed");
  const refused = whole.body.detail.map(({ loc }: { loc: string[] }) => loc);
  expect(refused).toEqual(naming.map((name) => ["body", name]));
  const rest = Object.fromEntries(
    Object.entries(made).filter(([name]) => !(naming as readonly string[]).includes(name)),
  );
  expect(await ok(correct(made[`${item}_id`], rest))).toEqual(made);
});

test("a decision is corrected by content as well", async () => {
  const ours = workspace();
  const { correct } = ours.item("decision");
  const decision = await ok(ours.decision());
  const corrected = await ok(correct(decision.decision_id, { content: "Which queue?" }));
  expect(corrected).toMatchObject({ content: "Which queue?", decision_context: "Which queue?" });
  const both = await correct(decision.decision_id, { content: "One?", context: "Another?" });
  expectRefusal(both, 422, "validation_failed");
});

test.each(["todo", "decision"] as const)(
  "a %s with metadata in another order of members is the same, however deep",
  async (item) => {
    const ours = workspace();
    const { correct } = ours.item(item);
    const made = await ok(ours[item]());
    const id = made[`${item}_id`];
    const first = await ok(correct(id, { metadata: { k: { bb: 1, a: 2 } } }));
    for (const metadata of [{ k: { bb: 1, a: 2 } }, { k: { a: 2, bb: 1 } }])
      expect(await ok(correct(id, { metadata }))).toMatchObject({ etag: first.etag });
  },
);

test("metadata of a todo has the bound that it has at its creation, whatever its members are called", async () => {
  const ours = workspace();
  const todo = await ok(ours.todo({ metadata: { a: "x".repeat(60_000) } }));
  const larger = { metadata: { completion_note: "x".repeat(60_000) } };
  expectRefusal(await ours.item("todo").correct(todo.todo_id, larger), 422, "validation_failed");
});

test("an archived todo that is corrected stays archived", async () => {
  const ours = workspace();
  const todo = await ok(ours.todo());
  await ok(ours.act(todo.todo_id, "complete"));
  await world.service.sql`update memories set status = 'archived' where memory_id = ${todo.todo_id}`;
  await ok(ours.item("todo").correct(todo.todo_id, { metadata: { checked: true } }));
  expect(await world.service.sql`select status from memories where memory_id = ${todo.todo_id}`).toEqual([
    { status: "archived" },
  ]);
});

test("a todo is read and changed by its id though a memory elsewhere has it", async () => {
  const owner = await world.client({ owner: freshOwner() });
  const team = await world.client({ team: freshOwner() });
  await world.service.teams.setRole(team.ownerId, owner.ownerId, "member");
  const project = freshProject();
  const made = await ok(
    owner.post(`/v1/projects/${project}/todos`, { content: "Do it.", team_id: team.ownerId }),
  );
  await owner.post("/v1/memories", { memory_id: made.todo_id, path: "p", content: "My own." });
  const ours = workspaceOf(owner, project, null);
  await ok(ours.item("todo").read(made.todo_id));
  expect(await ok(ours.item("todo").correct(made.todo_id, { priority: "high" }))).toMatchObject({
    priority: "high",
  });
  expect(await ok(ours.act(made.todo_id, "complete"))).toMatchObject({ status: "completed" });
});
