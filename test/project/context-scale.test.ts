import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { idsIn, packOf, WIDE } from "./pack.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: freshOwner() });
});
afterAll(() => world.close());

/** What ann wrote is ranked as her own. */
const AS_ANN = { "x-agent-id": "ann" };

/** One of each, as a workspace has them. */
async function seeded(): Promise<string> {
  const project = freshProject();
  const ours = workspaceOf(client, project, "ann");
  const source = await stored(client, { content: "A source.", provenance: { project_id: project } });
  const { todo_id } = await ok(ours.todo({ source_memory_id: source, due_at: "2021-01-01T00:00:00Z" }));
  await ok(ours.todo({ depends_on: [todo_id] }));
  const { decision_id } = await ok(ours.decision({ source_memory_id: source }));
  await ok(ours.decide(decision_id, "supersede", { context: "Which, again?" }));
  await stored(client, {
    content: "Call.",
    memory_type: "reminder",
    metadata: { due_at: "2021-01-01T00:00:00Z" },
    provenance: { project_id: project },
  });
  return project;
}

/** Each item of the project so many times over, as the workspace's own operations would have left it. */
async function multiply(project: string, times: number): Promise<void> {
  await world.service.sql.begin(async (sql) => {
    await sql`
      create temporary table copies on commit drop as
      select gen_random_uuid() as new_id, m.* from memories m, generate_series(1, ${times}::int) where m.project_id = ${project}`;
    await sql`
      insert into memories (id, owner_id, memory_id, author_id, author_token, scope, project_id, path, bucket, memory_type,
        workspace_item, item_status, item_agent, due_at, status, content, version, importance, confidence, metadata,
        provenance, agent_id, created_at, updated_at)
      select new_id, owner_id, new_id::text, author_id, author_token, scope, project_id, path, bucket, memory_type,
        workspace_item, item_status, item_agent, due_at, status, content, version, importance, confidence, metadata,
        provenance, agent_id, created_at, updated_at from copies`;
    await sql`
      insert into todos (owner_id, id, content, status, priority, due_at, source_memory_id, extra)
      select copies.owner_id, new_id, t.content, t.status, t.priority, t.due_at, t.source_memory_id, t.extra from copies join todos t on t.id = copies.id`;
    await sql`
      insert into decisions (owner_id, id, context, options, status, source_memory_id, extra)
      select copies.owner_id, new_id, d.context, d.options, d.status, d.source_memory_id, d.extra from copies join decisions d on d.id = copies.id`;
    await sql`
      insert into workspace_events (owner_id, item, at, operation, from_status, to_status, agent_id, token_id, token_kind, trust)
      select copies.owner_id, new_id, e.at, e.operation, e.from_status, e.to_status, e.agent_id, e.token_id, e.token_kind, e.trust
      from copies join workspace_events e on e.item = copies.id`;
  });
}

/** Todos, what happened to them, and what they refer to. */
const STATEMENTS_OF_A_READ = 3;

/** The statements that are sent while the work runs, and for it alone. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const running = new AsyncLocalStorage<{ count: number }>();
  const statement = Object.getPrototypeOf(world.service.sql`select 1`);
  const { handle } = statement;
  statement.handle = function (this: { executed: boolean }) {
    const counted = running.getStore();
    if (counted && !this.executed) counted.count += 1;
    return handle.call(this);
  };
  const counted = { count: 0 };
  await running.run(counted, work).finally(() => {
    statement.handle = handle;
  });
  return counted.count;
}

/** For each project the least of several times, each after a request: a credential that was just read is not read again. */
async function leastOf(
  projects: readonly string[],
  work: (project: string) => Promise<unknown>,
): Promise<number[]> {
  const least = projects.map(() => Number.POSITIVE_INFINITY);
  for (const turn of [0, 1, 2, 3]) {
    const places = [...projects.keys()];
    for (const at of turn % 2 === 0 ? places : places.reverse()) {
      await client.get("/v1/memories?limit=1");
      least[at] = Math.min(least[at] as number, await statementsOf(() => work(projects[at] as string)));
    }
  }
  return least;
}

test("a pack of 2,000 items takes as many statements as one of 10, with or without a question", async () => {
  const [small, large] = [await seeded(), await seeded()];
  await multiply(small, 1);
  await multiply(large, 330);
  for (const body of [{}, { durable_query: "Which database?" }, { max_items: 3 }, WIDE]) {
    // The index takes in what is new before it answers for the first time.
    for (const project of [small, large]) await packOf(client, project, body, AS_ANN);
    const counts = await leastOf([small, large], (project) => packOf(client, project, body, AS_ANN));
    expect(counts[0]).toBeGreaterThan(10);
    expect(counts[1]).toBe(counts[0]);
  }
  const { project_state, budget } = await packOf(client, large);
  expect(project_state).toMatchObject({
    todos: { total: 662, open: 662, overdue: 331 },
    decisions: { proposed: 331, superseded: 331 },
    reminders: { due: 331 },
  });
  expect(budget.used_items).toBeLessThanOrEqual(100);
});

test("a small pack of a large workspace is the beginning of a wide one, and counts what it left aside", async () => {
  const project = await seeded();
  await multiply(project, 100);
  const wide = await packOf(client, project, WIDE);
  for (const max_items of [1, 10, 40, 120]) {
    const pack = await packOf(client, project, { max_items, max_tokens: WIDE.max_tokens });
    for (const domain of ["action_items", "decisions", "recent_memories"] as const) {
      const shown = idsIn(pack, domain);
      expect(shown).toEqual(idsIn(wide, domain).slice(0, shown.length));
      expect(pack.missing_domains).not.toContain(domain);
      expect(pack.incomplete_domains).toContain(domain);
    }
    const { used_items, skipped_items, candidate_items } = pack.budget;
    expect([used_items, used_items + skipped_items]).toEqual([max_items, candidate_items]);
    expect(candidate_items).toBeGreaterThan(2 * max_items);
    expect(pack.project_state).toEqual(wide.project_state);
  }
});

test("a part of a list of todos takes as many statements however long the list is", async () => {
  const projects = [await seeded(), await seeded(), await seeded(), await seeded()];
  for (const [at, times] of [0, 20, 1400, 2000].entries())
    if (times > 0) await multiply(projects[at] as string, times);
  const part = (project: string) => workspaceOf(client, project).todos();
  const [few, onePage, full, fuller] = await leastOf(projects, (project) => ok(part(project)));
  expect(onePage).toBe(few);
  for (const long of projects.slice(2))
    expect((await part(long)).headers.get("x-recollect-next-cursor")).not.toBeNull();
  expect(fuller).toBe(full);
  // Small items are read in three steps: some to see how large they are, as many as there is room for, and the rest of it.
  expect(full).toBeLessThanOrEqual((few as number) + 2 * STATEMENTS_OF_A_READ);
});
