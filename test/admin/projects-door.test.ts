/** What the pages of projects ask the tRPC door for besides the contract's operations: whose it is, and what it counts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function person(): Promise<{ owner: Owner; cookie: string }> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  return { owner, cookie: await sessionOf(world, owner) };
}

type Person = Awaited<ReturnType<typeof person>>;

/** What a procedure answers, or the code it is refused with. */
async function ask(who: Person, path: string, input: object) {
  const { body } = await askTrpc(world, who.cookie, path, input);
  return body.error ? body.error.data.code : body.result.data;
}

test("projects are counted, the latest changed first, each for its own workspace alone", async () => {
  const [owner, viewer, outsider] = [await person(), await person(), await person()];
  const { team } = await world.service.teams.create(unguessable("team"), owner.owner);
  await world.service.teams.add(team.id, viewer.owner.id, "viewer");
  const of = { team_id: team.id };
  await ask(owner, "remember", { content: "Alpha is in Bonn", path: "notes", project_id: "alpha", ...of });
  const first = await ask(owner, "createTodo", { project_id: "beta", content: "One", ...of });
  await ask(owner, "createTodo", { project_id: "beta", content: "Two", ...of });
  await ask(owner, "completeTodo", { project_id: "beta", todo_id: first.todo_id });
  const blocked = await ask(owner, "createTodo", { project_id: "beta", content: "Three", ...of });
  await ask(owner, "blockTodo", { project_id: "beta", todo_id: blocked.todo_id, reason: "no key" });
  await ask(owner, "createDecision", { project_id: "beta", context: "Which database?", ...of });
  const none = { last_run: null, next_run_at: null };
  const beta = { open_todos: 2, blocked_todos: 1, proposed_decisions: 1, memories: 0, ...none };
  const alpha = { open_todos: 0, blocked_todos: 0, proposed_decisions: 0, memories: 1, ...none };
  for (const who of [owner, viewer])
    expect(await ask(who, "listProjects", of)).toMatchObject({
      projects: [
        { project_id: "beta", ...beta },
        { project_id: "alpha", ...alpha },
      ],
      truncated: false,
    });
  expect(await ask(owner, "listProjects", {})).toEqual({ projects: [], truncated: false });
  expect(await ask(outsider, "listProjects", of)).toBe("not_found");
  expect(await ask(outsider, "listProjects", { team_id: owner.owner.id })).toBe("not_found");
});

test("what a run did is told one by one to whoever sees its workspace, and of no other project", async () => {
  const [owner, viewer, outsider] = [await person(), await person(), await person()];
  const { team } = await world.service.teams.create(unguessable("team"), owner.owner);
  await world.service.teams.add(team.id, viewer.owner.id, "viewer");
  const workspace = { project_id: "alpha", team_id: team.id };
  const { id } = await ask(owner, "remember", { content: "An old note", path: "notes", ...workspace });
  await world.service.sql`update memories set updated_at = now() - interval '1 year' where memory_id = ${id}`;
  const { plan_hash } = await ask(owner, "reportMaintenance", workspace);
  const execute = { ...workspace, actions: ["archive_stale"], plan_hash };
  expect(await ask(viewer, "executeMaintenance", execute)).toBe("role_forbidden");
  const { run_id } = await ask(owner, "executeMaintenance", execute);
  const item = { action: "archive_stale", memory_id: id, content: "An old note", into: null, undo: null };
  const of = { ...workspace, run_id };
  for (const who of [owner, viewer])
    expect(await ask(who, "listRunItems", of)).toMatchObject({
      items: [{ ...item, state: "changed" }],
      truncated: false,
    });
  for (const [who, named] of [
    [outsider, of],
    [owner, { ...of, project_id: "beta" }],
    [owner, { ...of, team_id: null }],
  ] as const)
    expect(await ask(who, "listRunItems", named)).toBe("not_found");
  expect((await ask(owner, "undoMaintenanceRun", of)).actions).toMatchObject([{ undone: 1 }]);
  expect((await ask(owner, "listRunItems", of)).items[0].undo).toBe("changed");
  const [listed] = (await ask(owner, "listProjects", { team_id: team.id })).projects;
  expect(listed.last_run).toMatchObject({ run_id, status: "undone" });
});

test("of a plan no more is done than what is named, and what it does not list is no part of it", async () => {
  const [owner, viewer, outsider] = [await person(), await person(), await person()];
  const { team } = await world.service.teams.create(unguessable("team"), owner.owner);
  await world.service.teams.add(team.id, viewer.owner.id, "viewer");
  const workspace = { project_id: "alpha", team_id: team.id };
  const stored = async (content: string) =>
    (await ask(owner, "remember", { content, path: "notes", ...workspace })).id as string;
  const old = [await stored("Bees dance"), await stored("Ice floats"), await stored("Rust never sleeps")];
  await world.service
    .sql`update memories set updated_at = now() - interval '1 year' where memory_id in ${world.service.sql(old)}`;
  const fresh = await stored("The kettle is new");
  const { plan_hash } = await ask(owner, "reportMaintenance", workspace);
  const carryOut = (who: Person, only: readonly (string | undefined)[] | null) =>
    ask(who, "executeMaintenance", { ...workspace, actions: ["archive_stale"], plan_hash, only });
  const [first, second, third] = old;
  expect(await carryOut(viewer, [first])).toBe("role_forbidden");
  expect(await carryOut(outsider, [first])).toBe("not_found");
  expect(await carryOut(owner, [first, fresh])).toBe("plan_changed");
  expect(await carryOut(owner, [])).toBe("validation_failed");
  const run = await carryOut(owner, [first, third]);
  expect(run).toMatchObject({ actions: [{ matched: 2, changed: 2, skipped: [], failed: [] }] });
  const { actions } = await ask(owner, "reportMaintenance", workspace);
  expect(actions.flatMap(({ items }: { items: object[] }) => items)).toMatchObject([{ id: second }]);
  expect(await carryOut(owner, [second])).toBe("plan_changed");
  expect(await carryOut(owner, null)).toBe("plan_changed");
});
