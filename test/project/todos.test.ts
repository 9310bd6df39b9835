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

const STATUSES = ["open", "assigned", "accepted", "blocked", "completed", "cancelled"] as const;
const OPERATIONS = ["accept", "assign", "block", "unblock", "complete", "cancel"] as const;

/** What the contract's table says of every cell, for an agent that the todo is assigned to and accepted by. */
const TABLE: Readonly<Record<(typeof STATUSES)[number], readonly string[]>> = {
  open: ["accepted", "assigned", "blocked", "409", "completed", "cancelled"],
  assigned: ["accepted", "assigned", "blocked", "409", "completed", "cancelled"],
  accepted: ["same", "assigned", "blocked", "409", "completed", "cancelled"],
  blocked: ["409", "blocked", "same", "open", "409", "cancelled"],
  completed: ["409", "409", "409", "409", "same", "409"],
  cancelled: ["409", "409", "409", "409", "409", "same"],
};

const STEPS: Readonly<Record<string, readonly string[]>> = {
  open: [],
  assigned: [],
  accepted: ["accept"],
  blocked: ["block"],
  completed: ["complete"],
  cancelled: ["cancel"],
};

const cells = STATUSES.flatMap((from) =>
  OPERATIONS.map((operation, at) => [from, operation, TABLE[from][at] as string] as const),
);

test.each(cells)("%s, %s: %s", async (from, operation, expected) => {
  const ours = workspaceOf(client, freshProject(), "a");
  let todo = await ok(ours.todo(from === "assigned" ? { assignee_agent_id: "a" } : {}));
  for (const step of STEPS[from] ?? []) todo = await ok(ours.act(todo.todo_id, step, NEEDS[step]));
  expect(todo.status).toBe(from);
  const answer = await ours.act(todo.todo_id, operation, NEEDS[operation]);
  const [after] = await ok(ours.todos());
  if (expected === "409") {
    expectRefusal(answer, 409, "invalid_transition");
    const row = TABLE[from];
    for (const [at, name] of OPERATIONS.entries())
      expect(answer.body.detail.split("Allowed: ")[1].split(/\W+/).includes(name)).toBe(row[at] !== "409");
    expect(after).toEqual(todo);
  } else if (expected === "same") {
    expect(answer).toMatchObject({ status: 200, body: todo });
    expect(after).toEqual(todo);
  } else {
    expect(answer).toMatchObject({ status: 200, body: { status: expected } });
    expect(after).toEqual(answer.body);
    expect(after.etag).not.toBe(todo.etag);
    expect(after.audit_trail.slice(0, -1)).toEqual(todo.audit_trail);
    expect(after.audit_trail.at(-1)).toMatchObject({
      operation,
      from,
      to: expected,
      actor: { agent_id: "a", token_kind: "api_key", trust: "client_asserted" },
    });
  }
});

test("a new todo has every member of the contract", async () => {
  const project = freshProject();
  const ours = workspaceOf(client, project);
  const needed = await ok(ours.todo());
  const answer = await ours.todo({
    content: "Tell the customers.",
    priority: "high",
    assignee_agent_id: "b",
    depends_on: [needed.todo_id, needed.todo_id],
    due_at: "2030-01-31T10:00:00+01:00",
    metadata: { ticket: "OPS-7", todo_status: "mine" },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("etag")).toBe(answer.body.etag);
  expect(answer.body).toMatchObject({
    project_id: project,
    content: "Tell the customers.",
    status: "assigned",
    priority: "high",
    assignee_agent_id: "b",
    accepted_by_agent_id: null,
    blocked_reason: null,
    depends_on: [needed.todo_id],
    due_at: "2030-01-31T09:00:00.000Z",
    completed_at: null,
    completion_note: null,
    source_memory_id: null,
    source_memory_status: null,
    bucket: "work",
    path: `projects/${project}/todos`,
    scope: "private",
    team_id: null,
    extra_metadata: { ticket: "OPS-7", todo_status: "mine" },
    audit_trail: [
      {
        operation: "create",
        from: null,
        to: "assigned",
        actor: { agent_id: null, token_kind: "api_key", trust: "unattributed" },
        note: null,
      },
    ],
  });
  expect(needed).toMatchObject({ status: "open", priority: "normal", depends_on: [], due_at: null });
});

describe("what a todo refuses", () => {
  test.each([
    ["no content", { content: "" }, ["body.content"]],
    ["too much content", { content: "x".repeat(65_537) }, ["body.content"]],
    ["an unknown priority", { priority: "asap" }, ["body.priority"]],
    ["a date without its offset", { due_at: "2030-01-01" }, ["body.due_at"]],
    ["a dependency that is not there", { depends_on: ["nowhere"] }, ["body.depends_on.0"]],
    ["an assignee without a name", { assignee_agent_id: "" }, ["body.assignee_agent_id"]],
    ["a scope without its team", { scope: "team" }, ["body.team_id"]],
    ["half a character", { content: "\ud800" }, ["body.content"]],
  ])("%s", async (_, body, places) => {
    const ours = workspaceOf(client, freshProject());
    expect(faultyPlaces(await ours.todo(body))).toEqual(places);
    expect(await ok(ours.todos())).toEqual([]);
  });

  test("a project id that is none", async () => {
    expect(faultyPlaces(await workspaceOf(client, "a%20b").todo())).toEqual(["path.project_id"]);
  });

  test("a dependency of another project, or that is a decision", async () => {
    const [ours, others] = [workspaceOf(client, freshProject()), workspaceOf(client, freshProject())];
    const { todo_id } = await ok(others.todo());
    const { decision_id } = await ok(ours.decision());
    for (const id of [todo_id, decision_id])
      expect(faultyPlaces(await ours.todo({ depends_on: [id] }))).toEqual(["body.depends_on.0"]);
  });

  test("steps without what they need, and a status that is none", async () => {
    const ours = workspaceOf(client, freshProject());
    const { todo_id } = await ok(ours.todo());
    expect(faultyPlaces(await ours.act(todo_id, "assign", {}))).toEqual(["body.assignee_agent_id"]);
    expect(faultyPlaces(await ours.act(todo_id, "block", { reason: "" }))).toEqual(["body.reason"]);
    expect(faultyPlaces(await ours.todos("?status=done"))).toEqual(["query.status"]);
    expectRefusal(await ours.act("nowhere", "accept"), 404, "not_found");
  });
});

test("of two agents one gets it; an assigned one is its assignee's alone; without an agent it is the credential's", async () => {
  const project = freshProject();
  const [a, b, nobody] = ["a", "b", null].map((agent) => workspaceOf(client, project, agent));
  if (!a || !b || !nobody) throw new Error("three of them");
  const { todo_id: free } = await ok(a.todo());
  expect(await ok(a.act(free, "accept"))).toMatchObject({ accepted_by_agent_id: "a" });
  expectRefusal(await b.act(free, "accept"), 409, "already_accepted");
  expectRefusal(await nobody.act(free, "accept"), 409, "already_accepted");
  const { todo_id: given } = await ok(a.todo({ assignee_agent_id: "b" }));
  expectRefusal(await a.act(given, "accept"), 409, "assigned_to_other");
  expect(await ok(b.act(given, "accept"))).toMatchObject({ status: "accepted", accepted_by_agent_id: "b" });
  const { todo_id: own } = await ok(nobody.todo());
  expect(await ok(nobody.act(own, "accept"))).toMatchObject({ accepted_by_agent_id: client.tokenId });
  const other = workspaceOf(await world.client(), project);
  expectRefusal(await other.act(own, "accept"), 409, "already_accepted");
});

test.each([
  ["open", [], "open"],
  ["assigned", ["assign"], "assigned"],
  ["accepted", ["accept"], "accepted"],
])("unblocking brings back what was %s, or assigned after a new assignee", async (_, steps, back) => {
  const ours = workspaceOf(client, freshProject(), "a");
  const { todo_id } = await ok(ours.todo());
  for (const step of steps) await ok(ours.act(todo_id, step, NEEDS[step]));
  const blocked = await ok(ours.act(todo_id, "block", { reason: "no key" }));
  expect(blocked).toMatchObject({ status: "blocked", blocked_reason: "no key" });
  expect(await ok(ours.act(todo_id, "unblock"))).toMatchObject({ status: back, blocked_reason: null });
  await ok(ours.act(todo_id, "block", { reason: "again" }));
  const given = await ok(ours.act(todo_id, "assign", { assignee_agent_id: "c" }));
  expect(given).toMatchObject({ status: "blocked", assignee_agent_id: "c", accepted_by_agent_id: null });
  expect(await ok(ours.act(todo_id, "unblock"))).toMatchObject({
    status: "assigned",
    assignee_agent_id: "c",
  });
});

test("completing waits for what it depends on; a cancelled one counts as finished", async () => {
  const ours = workspaceOf(client, freshProject());
  const first = await ok(ours.todo());
  const second = await ok(ours.todo());
  const { todo_id } = await ok(ours.todo({ depends_on: [first.todo_id, second.todo_id] }));
  const early = await ours.act(todo_id, "complete");
  expectRefusal(early, 409, "dependency_incomplete");
  expect(early.body.detail).toContain(`${first.todo_id}, ${second.todo_id}`);
  await ok(ours.act(first.todo_id, "complete", { note: "done by hand" }));
  await ok(ours.act(second.todo_id, "cancel", { reason: "needless" }));
  const done = await ok(ours.act(todo_id, "complete", { note: "all well" }));
  expect(done).toMatchObject({ status: "completed", completion_note: "all well", cancelled_at: null });
  expect(Date.parse(done.completed_at)).toBe(Date.parse(done.updated_at));
  const [cancelled] = await ok(ours.todos("?status=cancelled"));
  expect(cancelled).toMatchObject({ cancel_reason: "needless", completed_at: null });
});

test("If-Match decides which state a step was meant for", async () => {
  const ours = workspaceOf(client, freshProject());
  const { todo_id, etag } = await ok(ours.todo());
  const taken = await ours.act(todo_id, "block", { reason: "r" }, { "if-match": etag });
  expect(taken).toMatchObject({ status: 200, body: { status: "blocked" } });
  expectRefusal(
    await ours.act(todo_id, "unblock", undefined, { "if-match": etag }),
    412,
    "precondition_failed",
  );
  expect((await ours.act(todo_id, "unblock", undefined, { "if-match": taken.body.etag })).status).toBe(200);
});

test("the same Idempotency-Key adds one todo, and supersedes once", async () => {
  const ours = workspaceOf(client, freshProject());
  const headers = { "idempotency-key": freshProject() };
  const add = () => client.post(`/v1/projects/p-once/todos`, { content: "Once." }, headers);
  const [first, second] = [await ok(add()), await ok(add())];
  expect(second).toEqual(first);
  const { decision_id } = await ok(ours.decision());
  const key = { "idempotency-key": freshProject() };
  const supersede = () => ours.decide(decision_id, "supersede", { context: "Anew?" }, key);
  const both = await ok(supersede());
  expect(await ok(supersede())).toEqual(both);
  expect(await ok(ours.decisions())).toHaveLength(2);
});

test("the assignee may be named in the query too", async () => {
  const project = freshProject();
  const { todo_id } = await ok(workspaceOf(client, project).todo());
  const path = `/v1/projects/${project}/todos/${todo_id}/assign?assignee_agent_id=agent-b`;
  expect(await ok(client.post(path))).toMatchObject({ status: "assigned", assignee_agent_id: "agent-b" });
});

test("todos are filtered by status, priority and assignee", async () => {
  const ours = workspaceOf(client, freshProject());
  await ok(ours.todo({ content: "1", priority: "urgent" }));
  await ok(ours.todo({ content: "2", assignee_agent_id: "b" }));
  await ok(ours.act((await ok(ours.todo({ content: "3", assignee_agent_id: "b" }))).todo_id, "complete"));
  const contents = async (query: string) =>
    (await ok(ours.todos(query))).map((todo: { content: string }) => todo.content);
  expect(await contents("")).toEqual(["1", "2", "3"]);
  expect(await contents("?status=open")).toEqual(["1"]);
  expect(await contents("?assignee_agent_id=b")).toEqual(["2", "3"]);
  expect(await contents("?assignee_agent_id=b&status=completed")).toEqual(["3"]);
  expect(await contents("?priority=urgent")).toEqual(["1"]);
});

test("the most urgent comes first: due dates, priority, how many wait for it, age; what is done comes last", async () => {
  const ours = workspaceOf(client, freshProject());
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const add = async (content: string, body = {}) => (await ok(ours.todo({ content, ...body }))).todo_id;
  const done = await add("done first");
  await ok(ours.act(done, "complete"));
  await ok(ours.act(await add("done last"), "cancel"));
  await add("low", { priority: "low" });
  await add("older");
  await add("newer");
  const needed = await add("needed by two");
  await add("waiting", { depends_on: [needed], priority: "low" });
  await add("waiting too", { depends_on: [needed], priority: "low" });
  await add("urgent", { priority: "urgent" });
  await add("overdue", { due_at: inDays(-8) });
  await add("due in twelve days", { due_at: inDays(12) });
  const order = (await ok(ours.todos())).map((todo: { content: string }) => todo.content);
  expect(order).toEqual([
    "overdue",
    "urgent",
    "needed by two",
    "due in twelve days",
    "older",
    "newer",
    "low",
    "waiting",
    "waiting too",
    "done last",
    "done first",
  ]);
});

test("a link to a memory that is gone, or not to be seen, is reported", async () => {
  const ours = workspaceOf(client, freshProject());
  const { body } = await client.post("/v1/memories", { content: "The vault says so.", path: "notes" });
  const linked = await ok(ours.todo({ source_memory_id: body.id }));
  expect(linked).toMatchObject({ source_memory_id: body.id, source_memory_status: "active" });
  expect(await ok(ours.todo({ source_memory_id: "never-was" }))).toMatchObject({
    source_memory_status: "missing",
  });
  await client.delete(`/v1/memories/${body.id}?mode=hard_delete`);
  expect(await ok(ours.act(linked.todo_id, "accept"))).toMatchObject({
    source_memory_id: body.id,
    source_memory_status: "missing",
  });
});

test("secrets are masked in every text, and the answer says so", async () => {
  const ours = workspaceOf(client, freshProject());
  const secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
  const made = await ok(ours.todo({ content: `Use ${secret} to deploy.`, metadata: { token: secret } }));
  expect(made.masked).not.toEqual([]);
  const blocked = await ok(ours.act(made.todo_id, "block", { reason: `${secret} expired` }));
  expect(blocked.masked).not.toEqual([]);
  const decision = await ok(ours.decision({ context: "Which?", options: [secret, "none"] }));
  const resolved = await ok(ours.decide(decision.decision_id, "resolve", { resolution: `Take ${secret}` }));
  const everything = JSON.stringify([made, blocked, decision, resolved, await ok(ours.todos())]);
  expect(everything).not.toContain(secret);
});
