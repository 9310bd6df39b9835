import { afterAll, beforeAll, expect, test } from "vitest";
import { askForLocks } from "../../src/adapters/postgres/database/locks.ts";
import { QUARANTINE_MEMORIES_MAX } from "../../src/core/memory/write-rules.ts";
import { dependenciesLock } from "../../src/core/project/todo-operations.ts";
import { bind, register, user } from "../agents/agents.ts";
import { expectRefusal, faultyPlaces, freshOwner } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, NEEDS, ok, type WorkspaceClient, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Every step of what is there, which a stranger must find is not there. */
async function expectNotThere(theirs: WorkspaceClient, todo: string, decision: string): Promise<void> {
  for (const operation of ["accept", "assign", "block", "unblock", "complete", "cancel"])
    expectRefusal(await theirs.act(todo, operation, NEEDS[operation]), 404, "not_found");
  for (const operation of ["resolve", "supersede", "reopen"])
    expectRefusal(await theirs.decide(decision, operation, NEEDS[operation]), 404, "not_found");
  expect(await ok(theirs.todos())).toEqual([]);
  expect(await ok(theirs.decisions())).toEqual([]);
}

async function filled(client: Client, project: string, place: Record<string, unknown> = {}) {
  const ours = workspaceOf(client, project);
  const { todo_id } = await ok(ours.todo(place));
  const { decision_id } = await ok(ours.decision(place));
  return { ours, todo: todo_id as string, decision: decision_id as string };
}

test("another owner finds nothing, by list and by id", async () => {
  const project = freshProject();
  const { todo, decision } = await filled(await world.client({ owner: freshOwner() }), project);
  await expectNotThere(workspaceOf(await world.client({ owner: freshOwner() }), project), todo, decision);
});

test.each([
  ["a path", { pathPrefix: "elsewhere" }],
  ["buckets", { buckets: ["other"] }],
])(
  "a token confined to other %s finds nothing and adds nothing, by any project's address",
  async (_, space) => {
    const owner = freshOwner();
    const project = freshProject();
    const { todo, decision } = await filled(await world.client({ owner }), project);
    const confined = await world.client({ owner, space });
    await expectNotThere(workspaceOf(confined, project), todo, decision);
    const outside = { path: "outside", bucket: "work" };
    expectRefusal(await workspaceOf(confined, project).todo(outside), 403, "insufficient_scope");
    expectRefusal(await workspaceOf(confined, project).decision(outside), 403, "insufficient_scope");
    // The right id under another project's address is not there either.
    expectRefusal(await workspaceOf(confined, "another").act(todo, "accept"), 404, "not_found");
  },
);

test("a token with other projects in its list finds nothing of this one by their addresses either", async () => {
  const owner = freshOwner();
  const { todo, decision } = await filled(await world.client({ owner }), freshProject());
  const confined = await world.client({ owner, space: { projects: ["another"] } });
  await expectNotThere(workspaceOf(confined, "another"), todo, decision);
});

test("a token with the project in its list works there; without a path it stays below its prefix", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const space = { projects: [project, "another"], pathPrefix: "team/a" };
  const { ours, todo } = await filled(await world.client({ owner, space }), project);
  expect(await ok(ours.act(todo, "accept"))).toMatchObject({ path: `team/a/projects/${project}/todos` });
  const whole = workspaceOf(await world.client({ owner }), project);
  expect(await ok(whole.todos())).toHaveLength(1);
  expectRefusal(
    await workspaceOf(await world.client({ owner }), "another").act(todo, "cancel"),
    404,
    "not_found",
  );
});

test("what one may not see of a dependency is counted, not named", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const ours = workspaceOf(await world.client({ owner }), project);
  const hidden = await ok(ours.todo({ path: "hidden" }));
  const seen = await ok(ours.todo({ path: "seen" }));
  const both = await ok(ours.todo({ path: "seen", depends_on: [hidden.todo_id, seen.todo_id] }));
  const part = workspaceOf(await world.client({ owner, space: { pathPrefix: "seen" } }), project);
  const refusal = await part.act(both.todo_id, "complete");
  expectRefusal(refusal, 409, "dependency_incomplete");
  expect(refusal.body.detail).toContain(seen.todo_id);
  expect(refusal.body.detail).toContain("1 that this credential does not see");
  expect(JSON.stringify([refusal.body, await ok(part.todos())])).not.toContain(hidden.todo_id);
  expect(faultyPlaces(await part.todo({ path: "seen", depends_on: [hidden.todo_id] }))).toEqual([
    "body.depends_on.0",
  ]);
});

test("a team's workspace is the team's: members share it, viewers read it, and it is apart from one's own", async () => {
  const project = freshProject();
  const team = await world.client({ team: freshOwner() });
  const join = async (role: string) => {
    const client = await world.client({ owner: freshOwner() });
    await world.service.sql`
      insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${client.ownerId}, ${role})`;
    return client;
  };
  const [ann, ben, vic] = [await join("member"), await join("member"), await join("viewer")];
  const { ours, todo, decision } = await filled(ann, project, { team_id: team.ownerId });
  expect(await ok(ours.todos())).toEqual([]);
  const bens = workspaceOf(ben, project);
  expect(await ok(bens.todos(`?team_id=${team.ownerId}`))).toMatchObject([{ todo_id: todo, scope: "team" }]);
  expect(await ok(bens.act(todo, "accept"))).toMatchObject({ team_id: team.ownerId });
  expect(await ok(workspaceOf(team, project).todos())).toHaveLength(1);
  const [old, next] = await ok(bens.decide(decision, "supersede", NEEDS.supersede));
  expect([old.team_id, next.team_id]).toEqual([team.ownerId, team.ownerId]);
  const vics = workspaceOf(vic, project);
  expect(await ok(vics.todos(`?team_id=${team.ownerId}`))).toHaveLength(1);
  expectRefusal(await vics.act(todo, "complete"), 403, "role_forbidden");
  expectRefusal(await vics.todo({ team_id: team.ownerId }), 403, "role_forbidden");
  const stranger = workspaceOf(await world.client({ owner: freshOwner() }), project);
  for (const list of [stranger.todos, stranger.decisions])
    expectRefusal(await list(`?team_id=${team.ownerId}`), 404, "not_found");
  expectRefusal(await stranger.todo({ team_id: team.ownerId }), 404, "not_found");
  await expectNotThere(stranger, todo, next.decision_id);
});

test.each(["todo", "decision"] as const)(
  "what a viewer may not do to a team's %s is refused at once, whoever is changing it meanwhile",
  async (item) => {
    const project = freshProject();
    const team = await world.client({ team: freshOwner() });
    const user = await world.client({ owner: freshOwner() });
    await world.service.sql`
      insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${user.ownerId}, 'viewer')`;
    const id = (await filled(team, project))[item];
    const theirs = workspaceOf(user, project);
    const { correct, remove, restore } = theirs.item(item);
    const step = item === "todo" ? "cancel" : "reopen";
    await world.service.sql.begin(async (change) => {
      askForLocks(change, [dependenciesLock({ ownerId: team.ownerId, projectId: project })]);
      await change`select from memories where memory_id = ${id} and owner_id = ${team.ownerId} for update`;
      for (const refused of await Promise.all([
        remove(id),
        remove(id, "?mode=redact"),
        restore(id),
        correct(id, { metadata: { a: 1 } }),
        item === "todo" ? correct(id, { depends_on: [] }) : theirs.decide(id, "supersede", NEEDS.supersede),
        item === "todo" ? theirs.act(id, step) : theirs.decide(id, step),
      ]))
        expectRefusal(refused, 403, "role_forbidden");
    });
  },
);

test("a dependency or a superseded decision of another owner's workspace is unknown", async () => {
  const project = freshProject();
  const team = await world.client({ team: freshOwner() });
  const member = await world.client({ owner: freshOwner() });
  await world.service.sql`
    insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${member.ownerId}, 'member')`;
  const { todo, decision } = await filled(member, project, { team_id: team.ownerId });
  const own = workspaceOf(member, project);
  expect(faultyPlaces(await own.todo({ depends_on: [todo] }))).toEqual(["body.depends_on.0"]);
  expect(faultyPlaces(await own.decision({ supersedes: decision }))).toEqual(["body.supersedes"]);
});

test("without memory:read a write answers ids and status, and nothing that is stored", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const whole = await world.client({ owner });
  const blind = workspaceOf(await world.client({ owner, scopes: ["memory:write"] }), project);
  const { todo, decision } = await filled(whole, project);
  expect(await ok(blind.act(todo, "accept"))).toEqual({
    todo_id: todo,
    project_id: project,
    status: "accepted",
  });
  expect(await ok(blind.decide(decision, "resolve", NEEDS.resolve))).toEqual({
    decision_id: decision,
    project_id: project,
    status: "resolved",
  });
  const [old, next] = await ok(blind.decide(decision, "supersede", NEEDS.supersede));
  for (const one of [old, next])
    expect(Object.keys(one).sort()).toEqual(["decision_id", "project_id", "status"]);
  expectRefusal(await blind.todos(), 403, "insufficient_scope");
});

test("in the bucket knowledge what was added is answered once, and then only to who may read knowledge", async () => {
  const owner = freshOwner();
  const plain = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
  const project = freshProject();
  const { todo, decision } = await filled(plain, project, { bucket: "knowledge" });
  await expectNotThere(workspaceOf(plain, project), todo, decision);
  expect(await ok(workspaceOf(await world.client({ owner }), project).todos())).toHaveLength(1);
});

test("a temporary agent's todos count in its quarantine, and are its user's once it is bound", async () => {
  const agent = await register(world);
  const project = freshProject();
  const ours = workspaceOf(agent.client, project);
  const { decision_id } = await ok(ours.decision());
  const [, { decision_id: latest }] = await ok(ours.decide(decision_id, "supersede", NEEDS.supersede));
  const { todo_id: first } = await ok(ours.todo());
  const depends_on = [first];
  for (let at = 3; at < QUARANTINE_MEMORIES_MAX; at += 1)
    await ok(ours.todo({ content: `Todo ${at}`, depends_on }));
  expectRefusal(await ours.todo(), 403, "quota_exceeded");
  const trust = { agent_id: agent.id, token_kind: "agent_temporary", trust: "token_bound" };
  expect(await ok(ours.act(first, "accept"))).toMatchObject({
    accepted_by_agent_id: agent.id,
    audit_trail: [{ actor: trust }, { actor: trust }],
  });
  const theirs = workspaceOf(await bind(world, agent, await user(world)), project);
  const todos = await ok(theirs.todos());
  expect(todos).toHaveLength(QUARANTINE_MEMORIES_MAX - 2);
  expect(todos[0]).toMatchObject({
    todo_id: first,
    status: "accepted",
    audit_trail: [{ actor: trust }, { actor: trust }, { actor: trust, operation: "adopt" }],
  });
  expect(todos[1]).toMatchObject({ depends_on });
  expect(await ok(theirs.act(first, "accept"))).toMatchObject({ etag: todos[0].etag });
  expect(await ok(theirs.decisions())).toMatchObject([
    { decision_id: latest, supersedes: decision_id },
    { decision_id, superseded_by: latest },
  ]);
});
