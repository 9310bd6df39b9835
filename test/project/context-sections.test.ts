import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, query, stored, unguessable } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { entriesOf, idsIn, type Pack, packOf, WIDE } from "./pack.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

const PAST = "2021-01-01T00:00:00Z";
const AHEAD = "2999-01-01T00:00:00Z";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A project of an owner of its own, for what belongs to the owner shows in each of its projects. */
async function fresh() {
  client = await world.client({ owner: freshOwner() });
  const project = freshProject();
  const provenance = { project_id: project };
  return {
    project,
    ours: workspaceOf(client, project),
    by: (agent: string) => workspaceOf(client, project, agent),
    pack: (body = {}, headers: Record<string, string> = {}) =>
      packOf(client, project, { ...WIDE, ...body }, headers),
    remember: (content: string, more: Record<string, unknown> = {}) =>
      stored(client, { content, provenance, ...more }),
  };
}

const kindsOf = (pack: Pack) => pack.governance_caveats.map(({ kind }: Pack) => kind);
const caveat = (pack: Pack, kind: string) => pack.governance_caveats.find((one: Pack) => one.kind === kind);

test("todos stand in the order of their list, with reminders that are due between them", async () => {
  const { project, ours, pack, remember } = await fresh();
  for (const priority of ["low", "urgent", "normal", "high"])
    for (const due_at of [null, PAST, AHEAD])
      await ok(ours.todo({ content: `${priority} ${due_at}`, priority, due_at }));
  const [first] = await ok(ours.todos());
  await ok(ours.todo({ content: "Needs it.", depends_on: [first.todo_id] }));
  const reminder = { memory_type: "reminder", metadata: { due_at: PAST } };
  const due = await remember("Call the bank.", reminder);
  const own = await stored(client, { content: "Water the plants.", ...reminder });
  await stored(client, {
    content: "Of another project.",
    ...reminder,
    provenance: { project_id: freshProject() },
  });
  await remember("Not yet.", { ...reminder, metadata: { due_at: AHEAD } });
  const { action_items, project_state } = await pack();
  const listed = (await ok(ours.todos())).map(({ todo_id }: Pack) => todo_id);
  expect(action_items.filter(({ kind }: Pack) => kind === "todo").map(({ id }: Pack) => id)).toEqual(listed);
  const reminders = action_items.filter(({ kind }: Pack) => kind === "reminder");
  expect(reminders.map(({ id }: Pack) => id).sort()).toEqual([due, own].sort());
  expect(reminders[0]).toMatchObject({ overdue: true, priority: null, status: "active" });
  expect(project_state.reminders).toEqual({ due: 2, upcoming: 1 });
  const urgencies = action_items.map(({ urgency }: Pack) => urgency);
  expect(urgencies).toEqual([...urgencies].sort((a: number, b: number) => b - a));
  expect((await packOf(client, project, { max_items: 3 })).action_items[0].id).toBe(action_items[0].id);
});

test("the day by which something is due is told, however far away it is", async () => {
  const { ours, pack } = await fresh();
  await ok(ours.todo({ content: "Some day.", due_at: "9999-12-31T23:59:59Z" }));
  await ok(ours.decision({ context: "Long ago?", due_at: "1955-11-05T06:15:00Z" }));
  const { context_text } = await pack();
  expect(context_text).toContain("todo, open, due 9999-12-31");
  expect(context_text).toContain("due 1955-11-05");
});

test("counts are those of the lists, and health says in words what they amount to", async () => {
  const { ours, pack } = await fresh();
  const ids = [];
  for (let at = 0; at < 6; at += 1) ids.push((await ok(ours.todo({ due_at: at < 2 ? PAST : null }))).todo_id);
  expect((await pack()).project_state).toMatchObject({
    health: "needs_attention",
    todos: { open: 6, overdue: 2 },
  });
  for (const id of ids.slice(0, 2)) await ok(ours.act(id, "complete"));
  expect((await pack()).project_state).toMatchObject({ health: "on_track", health_reasons: [] });
  for (const id of ids.slice(2)) await ok(ours.act(id, "block", { reason: "no keys" }));
  const { decision_id } = await ok(ours.decision());
  await ok(ours.decide(decision_id, "resolve", { resolution: "Yes." }));
  await ok(ours.decision({ due_at: PAST }));
  expect((await pack()).project_state).toMatchObject({
    health: "stalled",
    health_reasons: ["1 todo or decision is overdue", "4 of 4 unfinished todos are blocked"],
    todos: { total: 6, blocked: 4, completed: 2, overdue: 0 },
    decisions: { total: 2, proposed: 1, resolved: 1, superseded: 0, overdue: 1 },
  });
});

test("a token that reaches a part of the workspace has that part in every section and count", async () => {
  const { project, pack, remember } = await fresh();
  const add = async (place: Record<string, string>, word: string) => {
    const mine = workspaceOf(client, project, `agent-${word}`);
    const { todo_id } = await ok(mine.todo({ ...place, content: `Do ${word}.`, due_at: PAST }));
    await ok(mine.act(todo_id, "accept"));
    await ok(mine.decision({ ...place, context: `Whether ${word}?` }));
    await remember(`Know ${word}.`, {
      ...place,
      provenance: { project_id: project, agent_id: `agent-${word}` },
    });
    await remember(`Mind ${word}.`, { ...place, memory_type: "reminder", metadata: { due_at: PAST } });
  };
  const [inside, outside] = [unguessable("inside"), unguessable("outside")];
  await add({ path: "in/a", bucket: "red" }, inside);
  await add({ path: "out/a", bucket: "blue" }, outside);
  expect((await pack()).project_state.todos.accepted).toBe(2);
  const owner = client.ownerId;
  const confined = async (space: object) => {
    const [{ name }] = (await world.service.sql`select name from owners where id = ${owner}`) as unknown as [
      { name: string },
    ];
    return world.client({ owner: name, space });
  };
  const seen = [
    await packOf(await confined({ pathPrefix: "in" }), project, WIDE),
    await packOf(await confined({ buckets: ["red"] }), project, WIDE),
    await pack({ bucket: "r%d" }),
  ];
  for (const part of seen) {
    expect(JSON.stringify(part)).not.toContain(outside);
    expect(part.project_state).toMatchObject({
      todos: { total: 1, accepted: 1, overdue: 1 },
      decisions: { total: 1 },
      reminders: { due: 1 },
    });
    expect(part.agent_states).toMatchObject([{ agent_id: `agent-${inside}`, open_todos: 1 }]);
    expect(part.action_items).toHaveLength(2);
  }
  expect(seen.map(({ project_scope }) => project_scope.narrowed_by)).toEqual([
    ["path_prefix"],
    ["buckets"],
    ["bucket"],
  ]);
});

test("the timeline tells what happened within recent_hours, newest first, and who did it", async () => {
  const { project, by, pack, remember } = await fresh();
  const { todo_id } = await ok(by("ann").todo());
  await ok(by("ben").act(todo_id, "accept"));
  await ok(by("ben").act(todo_id, "complete"));
  const { decision_id } = await ok(by("ann").decision());
  await ok(by("ann").decide(decision_id, "resolve", { resolution: "Yes." }));
  const memory = await remember("A note.");
  await client.patch(`/v1/memories/${memory}`, { importance: 0.9 });
  const { timeline } = await pack();
  const told = timeline.map(({ id, operation, to, agent_id }: Pack) => [id, operation, to, agent_id]);
  expect(told).toEqual([
    [memory, "change", "active", null],
    [memory, "store", "active", null],
    [decision_id, "resolve", "resolved", "ann"],
    [decision_id, "create", "proposed", "ann"],
    [todo_id, "complete", "completed", "ben"],
    [todo_id, "accept", "accepted", "ben"],
    [todo_id, "create", "open", "ann"],
  ]);
  // What no other section shows begins here, once.
  expect(timeline[4].text).toContain("Rotate the keys.");
  expect(timeline.slice(5).map(({ text }: Pack) => text)).toEqual([null, null]);
  expect(timeline[2]).toMatchObject({ text: null, shown_in: "decisions", trust: "client_asserted" });
  await world.service.sql`
    update memories set created_at = created_at - interval '3 hours', updated_at = updated_at - interval '3 hours'
    where project_id = ${project}`;
  await world.service.sql`
    update workspace_events set at = at - interval '3 hours' where item in (select id from memories where project_id = ${project})`;
  const later = await pack({ recent_hours: 2 });
  expect([later.timeline, later.recent_memories]).toEqual([[], []]);
  expect(later.missing_domains).toEqual(expect.arrayContaining(["timeline", "recent_memories"]));
  expect((await pack({ recent_hours: 4 })).timeline).toHaveLength(7);
});

test("agents are told by what they did last, what they have, and the task they are at", async () => {
  const { project, by, pack } = await fresh();
  const { todo_id } = await ok(by("ann").todo());
  await ok(by("ben").act(todo_id, "accept"));
  await ok(by("ben").act(todo_id, "block", { reason: "no keys" }));
  await ok(by("ann").todo({ assignee_agent_id: "cleo" }));
  const task = (status: string) => ({
    content: `Working: ${status}.`,
    memory_type: "working",
    status,
    provenance: { project_id: project, agent_id: "ann", task_id: "t-1", session_id: "s-1" },
  });
  await stored(client, task("started"));
  const ended = await stored(client, task("completed"));
  const { agent_states } = await pack({}, { "x-agent-id": "ben" });
  const byId = new Map(agent_states.map((state: Pack) => [state.agent_id, state]));
  expect(agent_states[0].agent_id).toBe("ann");
  expect(byId.get("ann")).toMatchObject({
    relation: "other_agent",
    open_todos: 0,
    last_task: { id: ended, status: "completed", task_id: "t-1" },
  });
  expect(byId.get("ben")).toMatchObject({
    relation: "self",
    open_todos: 1,
    blocked_todos: 1,
    last_task: null,
  });
  expect(byId.get("cleo")).toMatchObject({ open_todos: 1, blocked_todos: 0, last_activity_at: null });
});

test("each caveat is there when there is reason to, with the ids it is about", async () => {
  const { ours, by, pack, remember } = await fresh();
  expect(kindsOf(await pack())).toEqual([]);
  const five = await remember("The retry limit of the gateway is 5.");
  const nine = await remember("The retry limit of the gateway is 9.");
  const source = await remember("From here.");
  const late = await ok(ours.todo({ due_at: PAST, source_memory_id: source }));
  await client.delete(`/v1/memories/${source}?mode=hard_delete`);
  const review = await remember("The certificate is pinned.", { metadata: { review_after: PAST } });
  const { todo_id } = await ok(by("stranger").todo({ content: "Look around." }));
  const full = await pack();
  expect(kindsOf(full)).toEqual(["conflict", "overdue", "dead_source", "review_due", "unverified_author"]);
  expect(caveat(full, "conflict").ids.sort()).toEqual([five, nine].sort());
  expect(caveat(full, "overdue")).toMatchObject({ count: 1, ids: [late.todo_id] });
  expect(caveat(full, "dead_source").ids).toEqual([late.todo_id]);
  expect(caveat(full, "review_due").ids).toEqual([review]);
  expect(caveat(full, "unverified_author").ids).toEqual([todo_id]);
  await client.patch(`/v1/memories/${review}`, { metadata: { last_verified_at: new Date().toISOString() } });
  expect(kindsOf(await pack())).not.toContain("review_due");
});

test("each next action names what to call, and calling it does away with it", async () => {
  const { project, by, pack, remember } = await fresh();
  const headers = { "x-agent-id": "ben" };
  const open = await ok(by("ann").todo({ content: "Open." }));
  await ok(by("ann").todo({ content: "Mine.", assignee_agent_id: "ben" }));
  await ok(by("ann").decision());
  const reminder = await remember("Call.", { memory_type: "reminder", metadata: { due_at: PAST } });
  const old = await remember("Old.", { metadata: { review_after: PAST } });
  const extras: Record<string, object> = {
    resolveDecision: { resolution: "So." },
    updateMemory: { metadata: { last_verified_at: new Date().toISOString() } },
  };
  const routes: Record<string, string> = { acceptTodo: "accept", completeTodo: "complete" };
  const seen = new Set<string>();
  for (let turn = 0; turn < 20; turn += 1) {
    const [next] = (await pack({}, headers)).suggested_next_actions;
    if (next === undefined) break;
    seen.add(next.operation);
    const base = `/v1/projects/${project}`;
    const body = extras[next.operation] ?? {};
    if (next.operation === "completeReminder")
      await ok(client.post(`/v1/reminders/${next.input.reminder_id}/complete`));
    else if (next.operation === "updateMemory")
      await client.patch(`/v1/memories/${next.input.memory_id}`, body);
    else if (next.operation === "resolveDecision")
      await ok(client.post(`${base}/decisions/${next.input.decision_id}/resolve`, body, headers));
    else
      await ok(client.post(`${base}/todos/${next.input.todo_id}/${routes[next.operation]}`, body, headers));
  }
  expect([...seen].sort()).toEqual([
    "acceptTodo",
    "completeReminder",
    "completeTodo",
    "resolveDecision",
    "updateMemory",
  ]);
  expect((await pack({}, headers)).suggested_next_actions).toEqual([]);
  expect([open.todo_id, reminder, old]).not.toContain(undefined);
});

test("a question is answered from the project's lasting knowledge, each text once", async () => {
  const { project, ours, pack, remember } = await fresh();
  const word = unguessable("zeppelin");
  const fact = await remember(`The ${word} is moored at gate nine.`);
  const { decision_id } = await ok(ours.decision({ context: `Where do we moor the ${word}?` }));
  await stored(client, {
    content: `The ${word} of another project.`,
    provenance: { project_id: freshProject() },
  });
  const asked = await pack({ durable_query: `Where is the ${word}?` });
  const entry = entriesOf(asked, "durable_context").find(({ id }) => id === fact);
  expect(entry).toMatchObject({ text: `The ${word} is moored at gate nine.`, shown_in: null });
  expect(entriesOf(asked, "recent_memories").find(({ id }) => id === fact)).toMatchObject({
    text: null,
    shown_in: "durable_context",
  });
  expect(entriesOf(asked, "durable_context").find(({ id }) => id === decision_id)).toMatchObject({
    text: null,
    shown_in: "decisions",
  });
  expect(JSON.stringify(asked)).not.toContain("of another project");
  expect(JSON.stringify(asked.durable_context).match(new RegExp(word, "g"))).toHaveLength(1);
  // Without a question what is recent stands among what is recent; what is older is recalled.
  expect(idsIn(await pack(), "recent_memories")).toContain(fact);
  await world.service.sql`
    update memories set created_at = created_at - interval '30 days', updated_at = updated_at - interval '30 days'
    where memory_id = ${fact} and project_id = ${project}`;
  await client.patch(`/v1/memories/${fact}`, { importance: 0.6 });
  await world.service
    .sql`update memories set updated_at = updated_at - interval '30 days' where memory_id = ${fact}`;
  const unasked = await pack();
  expect(entriesOf(unasked, "durable_context")).toMatchObject([{ id: fact, shown_in: null }]);
  expect(idsIn(unasked, "recent_memories")).not.toContain(fact);
});

test("without a question, a memory that is called a decision is lasting knowledge: only the project's own decisions are not", async () => {
  const { project, ours, pack, remember } = await fresh();
  const word = unguessable("dirigible");
  await ok(ours.decision({ context: `Where do we moor the ${word}?` }));
  const noted = await remember(`We paint the ${word} red.`, { memory_type: "decision" });
  await world.service.sql`
    update memories set created_at = created_at - interval '30 days', updated_at = updated_at - interval '30 days',
      changed_xid = pg_current_xact_id()
    where memory_id = ${noted} and project_id = ${project}`;
  expect(idsIn(await pack(), "durable_context")).toEqual([noted]);
});

test("review dates show in a recalled context too, and dates that are none are refused", async () => {
  const { remember } = await fresh();
  const word = unguessable("certificate");
  await remember(`The ${word} is pinned.`, {
    metadata: { review_after: PAST, last_verified_at: "2020-06-01T00:00:00Z" },
  });
  const text = async () => (await client.post("/v1/recall/context", { query: word })).body.context_text;
  expect(await text()).toContain("review due, verified 2020-06-01");
  for (const name of ["review_after", "last_verified_at"]) {
    const refused = await client.post("/v1/memories", {
      content: "x",
      path: "p",
      metadata: { [name]: "soon" },
    });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "metadata", name] }] } });
  }
});

test("the tool answers the text to the model and the route's pack beside it", async () => {
  const { project, ours } = await fresh();
  await ok(ours.todo());
  const result = await callTool(world, client.token, "project_context", { project_id: project });
  expect(result.content[0].text).toBe(result.structuredContent.context_text);
  expect(result.content[0].text).toMatch(/^### Recollect Context\n/);
  const { assembled_at: _, project_scope: __, ...ofTool } = result.structuredContent;
  const { assembled_at: ___, project_scope: ____, ...ofRoute } = await packOf(client, project);
  expect({ ...ofTool, action_items: [] }).toEqual({ ...ofRoute, action_items: [] });
});

test("a header that names a project narrows nothing: the address does", async () => {
  const { project, ours, pack } = await fresh();
  await ok(ours.todo());
  expect((await pack({}, { "x-project-id": "another" })).action_items).toHaveLength(1);
  const search = await client.get(`/v1/memories/search${query({ query: "keys", project_id: project })}`);
  expect(search.body.results).toHaveLength(1);
});

test("the text names memories and decisions by their ids", async () => {
  const { ours, pack, remember } = await fresh();
  const memory = await remember("The vault opens at nine.");
  const proposed = await ok(ours.decision({ context: "Who has the vault's second key?" }));
  const resolved = await ok(ours.decision({ context: "Which bank keeps the vault?" }));
  await ok(ours.decide(resolved.decision_id, "resolve", { resolution: "The one by the river." }));
  const { context_text } = await pack({ durable_query: "vault" });
  for (const id of [memory, proposed.decision_id, resolved.decision_id])
    expect(context_text).toMatch(new RegExp(`^#### \\d+\\. .*, id ${id}$`, "m"));
});
