/** Lists of todos and decisions are what reading every one of them by itself would answer, in the order that is promised. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { createRandom, type Random, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, ok, type WorkspaceClient, wholeList, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: answers as a client sees them
type Item = any;

const DAY_MS = 86_400_000;

function someTodo(random: Random, ids: readonly string[], source: string): Record<string, unknown> {
  return {
    content: `Do ${random.below(1e9)}.`,
    priority: random.pick(["low", "normal", "high", "urgent"]),
    ...(random.below(3) === 0 && { assignee_agent_id: random.pick(["ann", "bob"]) }),
    ...(random.below(2) === 0 && {
      due_at: new Date(Date.now() + (random.below(60) - 30) * DAY_MS).toISOString(),
    }),
    ...(random.below(4) === 0 && { source_memory_id: random.pick([source, "nobody"]) }),
    ...(random.below(5) === 0 && { path: "elsewhere/todos" }),
    ...(ids.length > 0 &&
      random.below(2) === 0 && {
        depends_on: [
          ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(ids) as string)),
        ],
      }),
  };
}

/** One step with anything in the workspace; what is refused changes nothing. */
async function step(
  random: Random,
  ours: WorkspaceClient,
  todos: string[],
  decisions: string[],
  source: string,
) {
  const todo = random.pick(todos) ?? "none";
  const decision = random.pick(decisions) ?? "none";
  const kind = random.pick(["todo", "decision"] as const) as "todo" | "decision";
  const mode = random.pick(["soft_delete", "redact", "hard_delete"]);
  const steps: readonly (() => Promise<unknown>)[] = [
    ...Array.from({ length: 4 }, () => async () => {
      const { body } = await ours.todo(someTodo(random, todos, source));
      if (body.todo_id) todos.push(body.todo_id);
    }),
    async () => {
      const impact_level = random.pick(["low", "medium", "high", "critical"]);
      const { body } = await ours.decision({
        context: `Which ${random.below(1e9)}?`,
        ...(random.below(2) === 0 && { impact_level }),
      });
      if (body.decision_id) decisions.push(body.decision_id);
    },
    () => ours.act(todo, random.pick(["accept", "unblock", "complete", "cancel"]) as string, {}),
    () => ours.act(todo, "complete", { note: "done" }),
    () => ours.act(todo, "block", { reason: "waiting" }),
    () => ours.act(todo, "assign", { assignee_agent_id: "bob" }),
    () => ours.decide(decision, "resolve", { resolution: "Yes." }),
    async () => {
      const { body } = await ours.decide(decision, "supersede", { context: "And now?" });
      if (Array.isArray(body)) decisions.push(body[1].decision_id);
    },
    () => ours.decide(decision, "reopen"),
    () => ours.item(kind).remove(kind === "todo" ? todo : decision, `?mode=${mode}`),
    () => ours.item(kind).restore(kind === "todo" ? todo : decision),
  ];
  await (random.pick(steps) as () => Promise<unknown>)();
}

/** Each that there is, read by its id. What is redacted is not listed, and can still be read. */
async function oneByOne(ours: WorkspaceClient, kind: "todo" | "decision", ids: readonly string[]) {
  const items: Item[] = [];
  for (const id of ids) {
    const { status, body } = await ours.item(kind).read(id);
    if (status === 200 && body.redacted_at === null) items.push(body);
  }
  return items;
}

const isOver = ({ status }: Item) => status === "completed" || status === "cancelled";
const ended = (todo: Item) => Date.parse(todo.completed_at ?? todo.cancelled_at);

/** As the documentation has it, from what answers say alone. */
function urgency(todo: Item, all: readonly Item[], now: number): number {
  const priority = { urgent: 9, high: 6, normal: 3.9, low: 1.8 }[todo.priority as "low"];
  const days = todo.due_at === null ? null : (now - Date.parse(todo.due_at)) / DAY_MS;
  const due = days === null ? 0 : 0.2 + 0.8 * Math.min(1, Math.max(0, (days + 14) / 21));
  const waiting = all.filter((one) => !isOver(one) && one.depends_on.includes(todo.todo_id)).length;
  const age = Math.min(1, (now - Date.parse(todo.created_at)) / (365 * DAY_MS));
  return priority + 12 * due + Math.min(8, 2 * waiting) + 2 * age;
}

/** Ids in the order of creation stand for the order of storing. */
function todosExpected(all: readonly Item[], created: readonly string[]): Item[] {
  const now = Date.now();
  const key = new Map(all.map((todo) => [todo, isOver(todo) ? ended(todo) : urgency(todo, all, now)]));
  return all.toSorted(
    (a, b) =>
      Number(isOver(a)) - Number(isOver(b)) ||
      (key.get(b) as number) - (key.get(a) as number) ||
      created.indexOf(a.todo_id) - created.indexOf(b.todo_id),
  );
}

const IMPACT = { critical: 0, high: 1, medium: 2, low: 3 };
const STATUS = { proposed: 0, resolved: 1, superseded: 2 };

function decisionsExpected(all: readonly Item[], created: readonly string[]): Item[] {
  const place = (one: Item) => created.indexOf(one.decision_id);
  const impact = (one: Item) => IMPACT[(one.impact_level ?? "medium") as "low"];
  const latest = (one: Item) => Date.parse(one.status === "resolved" ? one.resolved_at : one.updated_at);
  return all.toSorted((a, b) => {
    const byStatus = STATUS[a.status as "proposed"] - STATUS[b.status as "proposed"];
    if (byStatus !== 0) return byStatus;
    if (a.status === "proposed") return impact(a) - impact(b) || place(a) - place(b);
    return latest(b) - latest(a) || place(b) - place(a);
  });
}

/** Lists, narrowed in every way, and the counts of the project's context, against the items read one by one. */
async function expectAsOneByOne(
  client: Client,
  project: string,
  todoIds: readonly string[],
  decisionIds: readonly string[],
  hint: string,
) {
  const ours = workspaceOf(client, project);
  const todos = todosExpected(await oneByOne(ours, "todo", todoIds), todoIds);
  const decisions = decisionsExpected(await oneByOne(ours, "decision", decisionIds), decisionIds);
  expect(await ok(ours.todos()), hint).toEqual(todos);
  expect(await ok(ours.decisions()), hint).toEqual(decisions);
  for (const status of ["open", "assigned", "accepted", "blocked", "completed", "cancelled"])
    expect(await ok(ours.todos(`?status=${status}`)), hint).toEqual(
      todos.filter((todo) => todo.status === status),
    );
  for (const priority of ["low", "urgent"])
    expect(await ok(ours.todos(`?priority=${priority}`)), hint).toEqual(
      todos.filter((todo) => todo.priority === priority),
    );
  expect(await ok(ours.todos("?assignee_agent_id=bob")), hint).toEqual(
    todos.filter((todo) => todo.assignee_agent_id === "bob"),
  );
  for (const status of ["proposed", "resolved", "superseded"])
    expect(await ok(ours.decisions(`?status=${status}`)), hint).toEqual(
      decisions.filter((decision) => decision.status === status),
    );
  const { body: pack } = await client.post(`/v1/projects/${project}/context`, {
    max_items: 1000,
    max_tokens: 50_000,
    include_durable_context: false,
  });
  const isOverdue = (todo: Item) => todo.due_at !== null && Date.parse(todo.due_at) <= Date.now();
  const unfinished = todos.filter((todo) => !isOver(todo));
  const blocked = todos.filter(({ status }) => status === "blocked").length;
  const overdue = unfinished.filter(isOverdue).length;
  expect(pack.project_state, hint).toMatchObject({
    todos: { total: todos.length, blocked, overdue },
    decisions: {
      total: decisions.length,
      proposed: decisions.filter(({ status }) => status === "proposed").length,
    },
  });
  if (unfinished.length > 0 && blocked === unfinished.length)
    expect(pack.project_state.health, hint).toBe("stalled");
  else if (overdue > 0 || blocked > 0) expect(pack.project_state.health, hint).toBe("needs_attention");
  const shown: string[] = pack.action_items.map(({ id }: Item) => id);
  expect(shown, hint).toEqual(unfinished.map(({ todo_id }) => todo_id).slice(0, shown.length));
}

test("whatever is done in a workspace, its lists and counts are those of its items read one by one", async () => {
  const random = createRandom(SEED);
  for (let round = 0; round < runs(4); round += 1) {
    const owner = freshOwner();
    const client = await world.client({ owner });
    const project = freshProject();
    const confined = await world.client({ owner, space: { pathPrefix: `projects/${project}` } });
    const source = await stored(client, { content: "The source.", path: "sources" });
    const ours = workspaceOf(client, project);
    const [todos, decisions]: [string[], string[]] = [[], []];
    for (let turn = 0; turn < 3; turn += 1) {
      for (let done = 0; done < 25; done += 1) await step(random, ours, todos, decisions, source);
      for (const [who, reader] of [client, confined].entries())
        await expectAsOneByOne(
          reader,
          project,
          todos,
          decisions,
          `seed ${SEED}, round ${round}.${turn}, reader ${who}`,
        );
    }
  }
}, 300_000);

test("a list of many pages has each todo once, as it is read by itself", async () => {
  const client = await world.client({ owner: freshOwner() });
  const project = freshProject();
  const ours = workspaceOf(client, project);
  const first = await ok(ours.todo({ content: "First." }));
  await ok(ours.todo({ content: "Second.", depends_on: [first.todo_id], priority: "urgent" }));
  await world.service.sql.begin(async (sql) => {
    await sql`
      create temporary table copies on commit drop as
      select gen_random_uuid() as new_id, i, m.* from memories m, generate_series(1, 1249) i where m.project_id = ${project}`;
    await sql`
      insert into memories (id, owner_id, memory_id, author_id, author_token, scope, project_id, path, bucket, memory_type,
        workspace_item, item_status, status, content, version, importance, confidence, metadata, provenance, created_at,
        updated_at)
      select new_id, owner_id, new_id::text, author_id, author_token, scope, project_id, path, bucket, memory_type,
        workspace_item, item_status, status, content, version, importance, confidence, metadata, provenance, created_at,
        updated_at from copies`;
    await sql`
      insert into todos (owner_id, id, content, status, priority, extra)
      select c.owner_id, c.new_id, 'Number ' || c.i, t.status, t.priority, t.extra from copies c join todos t on t.id = c.id`;
    await sql`
      insert into todo_dependencies (owner_id, todo, depends_on, place)
      select c.owner_id, c.new_id, d.depends_on, d.place from copies c join todo_dependencies d on d.todo = c.id where c.i % 3 = 0`;
    await sql`
      insert into workspace_events (owner_id, item, at, operation, to_status, token_id, token_kind, trust)
      select owner_id, new_id, created_at, 'create', item_status, author_token, 'api_key', 'unattributed' from copies`;
  });
  const { whole: todos, parts } = await wholeList<Item>(ours.todos);
  expect(parts).toBeGreaterThan(1);
  expect(new Set(todos.map(({ todo_id }) => todo_id)).size).toBe(2500);
  expect(todos).toHaveLength(2500);
  // What 417 others wait for is before all of its weight, and behind what is urgent.
  expect(todos.findIndex(({ todo_id }) => todo_id === first.todo_id)).toBe(0);
  for (const at of [0, 1, 999, 1000, 1001, 1999, 2000, 2499])
    expect(todos[at]).toEqual(await ok(ours.item("todo").read(todos[at].todo_id)));
}, 120_000);
