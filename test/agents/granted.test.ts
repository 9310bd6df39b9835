/** What a grant takes over of what an agent wrote before it was bound, and what becomes of the rest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepAgents } from "../../src/adapters/postgres/access/agent-sweep.ts";
import { workspaceOf } from "../project/workspace.ts";
import { expectRefusal, found, listed, memory, stored, unguessable } from "../support/acting.ts";
import { columnsHolding } from "../support/stored-text.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import {
  approve,
  bind,
  confirm,
  type Registered,
  readAndWrite,
  refusalOf,
  register,
  user,
} from "./agents.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function person(): Promise<{ owner: Awaited<ReturnType<typeof user>>; key: Client }> {
  const owner = await user(world);
  return { owner, key: await world.client({ owner: owner.name }) };
}

async function age(agent: Registered, days: number): Promise<void> {
  await world.service.sql`
    update agents set bound_at = bound_at - make_interval(days => ${days}) where id = ${agent.id}`;
}

/** Everything of the owner's, whatever became of it. */
const everything = (key: Client) => listed(key, { status: "%", limit: 1000 });

test("a grant to read takes over nothing: memories, todos and decisions stay where nobody reads them", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const word = unguessable();
  const work = workspaceOf(agent.client, "apollo");
  await stored(agent.client, { memory_id: "m", content: `Note ${word}.` });
  const todo = (await work.todo({ content: `Do ${word}.`, priority: "urgent" })).body.todo_id;
  const decision = (await work.decision({ context: `Decide ${word}.` })).body.decision_id;
  const formal = await bind(world, agent, owner, { scopes: ["memory:read"] });

  for (const reader of [key, formal]) {
    expect(await everything(reader as Client)).toEqual([]);
    expect(await found(reader, word)).toEqual([]);
    const theirs = workspaceOf(reader as Client, "apollo");
    expect((await theirs.todos()).body).toEqual([]);
    expect((await theirs.decisions()).body).toEqual([]);
    expectRefusal(await theirs.item("todo").read(todo), 404, "not_found");
    expectRefusal(await theirs.item("decision").read(decision), 404, "not_found");
    expectRefusal(await reader.get("/v1/memories/m"), 404, "not_found");
  }
  expectRefusal(await agent.client.get("/v1/memories/m"), 401, "invalid_token");
});

test("confined to projects, it takes over what lies in one of them; what lies elsewhere or nowhere stays", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  for (const project of ["apollo", "zeus", "hera"]) {
    await stored(agent.client, { content: `In ${project}.`, project_id: project });
    await workspaceOf(agent.client, project).todo({ content: `Do it in ${project}.` });
    await workspaceOf(agent.client, project).decision({ context: `Decide it in ${project}.` });
  }
  await stored(agent.client, { content: "In none." });
  await bind(world, agent, owner, { projects: ["apollo", "zeus"] });
  expect((await everything(key)).sort()).toEqual(["In apollo.", "In zeus."]);
  for (const project of ["apollo", "zeus", "hera"]) {
    const counts = [
      (await workspaceOf(key, project).todos()).body.length,
      (await workspaceOf(key, project).decisions()).body.length,
    ];
    expect({ project, counts }).toEqual({ project, counts: project === "hera" ? [0, 0] : [1, 1] });
  }
});

test("a chain, and todos that wait for each other, move whole or stay whole", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const at = (memory_id: string, project_id: string | null, more = {}) =>
    stored(agent.client, {
      memory_id,
      content: `It is ${memory_id}.`,
      ...more,
      ...(project_id && { project_id }),
    });
  await at("head", "zeus");
  await at("tail", "apollo", { superseded_by: "head" });
  await at("own-head", "apollo");
  await at("own-tail", "apollo", { superseded_by: "own-head" });
  const { todo, decision, decide } = workspaceOf(agent.client, "apollo");
  const first = (await todo({ content: "First." })).body.todo_id;
  const second = (await todo({ content: "Second.", depends_on: [first] })).body.todo_id;
  const older = (await decision({ context: "Older?" })).body.decision_id;
  expect((await decide(older, "supersede", { context: "Newer?" })).status).toBe(200);
  const token = await approve(world, agent, owner, { projects: ["apollo"] });
  // Nobody was shown the second todo as it is now, so neither of the two moves.
  await workspaceOf(agent.client, "apollo").item("todo").correct(second, { content: "Second, and more." });
  expect(await confirm(agent, token)).toMatchObject({ status: 200 });
  expect((await everything(key)).sort()).toEqual(["It is own-head.", "It is own-tail."]);
  expect((await key.get("/v1/memories/own-tail")).body.superseded_by).toBe("own-head");
  const theirs = workspaceOf(key, "apollo");
  expect((await theirs.todos()).body).toEqual([]);
  expect((await theirs.decisions()).body).toHaveLength(2);
});

test("todos move with what they wait for", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  const { todo } = workspaceOf(agent.client, "apollo");
  const first = (await todo({ content: "First." })).body.todo_id;
  const second = (await todo({ content: "Second.", depends_on: [first] })).body.todo_id;
  await bind(world, agent, owner);
  const theirs = workspaceOf(key, "apollo");
  expect((await theirs.item("todo").read(second)).body).toMatchObject({ depends_on: [first] });
  expectRefusal(await theirs.act(second, "complete"), 409, "dependency_incomplete");
});

test("what was granted is judged again when it is confirmed: made a viewer meanwhile, the person gets nothing", async () => {
  const { owner } = await person();
  const mate = await person();
  const { team } = await world.service.teams.create(`team-${owner.name}`, owner);
  await world.service.teams.setRole(team.id, mate.owner.id, "member");
  const agent = await register(world);
  await stored(agent.client, { memory_id: "late", content: "For all of us." });
  const token = await approve(world, agent, mate.owner, { teamId: team.id });
  await world.service.teams.setRole(team.id, mate.owner.id, "viewer");
  expect(await confirm(agent, token)).toMatchObject({ status: 200, body: { status: "bound" } });
  expectRefusal(await mate.key.get("/v1/memories/late"), 404, "not_found");
});

test("discarded, nothing moves, whatever the grant", async () => {
  const agent = await register(world);
  const { owner, key } = await person();
  await stored(agent.client, { content: "Unwanted." });
  await workspaceOf(agent.client, "apollo").todo();
  const formal = await bind(world, agent, owner, { discards: true });
  expect(await everything(key)).toEqual([]);
  expect((await workspaceOf(key, "apollo").todos()).body).toEqual([]);
  expect((await formal.post("/v1/memories", memory({ content: "From now on." }))).status).toBe(201);
  expect(await everything(key)).toEqual(["From now on."]);
});

test("what did not move is deleted 30 days after the binding, the agent lives on, and what moved stays", async () => {
  const agent = await register(world, { client_name: "Long-lived" });
  const { owner, key } = await person();
  const [kept, rest] = [unguessable(), unguessable()];
  await stored(agent.client, { content: `Kept ${kept}.`, project_id: "apollo" });
  const id = await stored(agent.client, { content: `First ${rest}.`, project_id: "zeus" });
  await agent.client.patch(`/v1/memories/${id}`, { content: `Then ${rest}.` });
  await workspaceOf(agent.client, "zeus").todo({ content: `Do ${rest}.` });
  await bind(world, agent, owner, { projects: ["apollo"] });
  const { sql, agentClaims } = world.service;
  await age(agent, 29);
  await sweepAgents(sql);
  expect(await columnsHolding(sql, rest)).not.toEqual([]);
  await age(agent, 2);
  await Promise.all([sweepAgents(sql), sweepAgents(sql)]);
  expect(await columnsHolding(sql, rest)).toEqual([]);
  const [row] = await sql`
    select a.status, a.quarantine_id, (select count(*)::int from owners where name = a.id) as owners,
           (select count(*)::int from tombstones where memory = ${id}) as tombstones from agents a where a.id = ${agent.id}`;
  expect(row).toEqual({ status: "bound", quarantine_id: null, owners: 0, tombstones: 1 });
  expect((await agentClaims.list(owner)).map(({ clientName }) => clientName)).toEqual(["Long-lived"]);
  expect(await everything(key)).toEqual([`Kept ${kept}.`]);
});

test("a sweep that ends half-way leaves the rest to the next one", async () => {
  const agent = await register(world);
  const { owner } = await person();
  const items = Array.from({ length: 150 }, (_, n) => ({ content: `Note ${n}.`, path: "p" }));
  expect((await agent.client.post("/v1/memories/batch", { items })).body.stored).toBe(150);
  await bind(world, agent, owner, { discards: true });
  const { sql } = world.service;
  const [{ quarantine_id } = { quarantine_id: "" }] =
    await sql`select quarantine_id from agents where id = ${agent.id}`;
  await age(agent, 31);
  // As if a batch had been deleted before the end.
  await sql`delete from memories where id in (select id from memories where owner_id = ${quarantine_id} limit 100)`;
  await sweepAgents(sql);
  const [left] = await sql`
    select (select count(*)::int from memories where owner_id = ${quarantine_id}) as memories,
      (select count(*)::int from owners where id = ${quarantine_id}) as owners`;
  expect(left).toEqual({ memories: 0, owners: 0 });
});

test("a review says what an approval would take over, and an approval of another one is refused", async () => {
  const agent = await register(world);
  const { owner } = await person();
  const { agentClaims } = world.service;
  await stored(agent.client, { content: "In apollo.", project_id: "apollo" });
  await workspaceOf(agent.client, "zeus").todo({ content: "In zeus." });
  const confined = { ...readAndWrite, projects: ["apollo"] };
  const all = await agentClaims.review(owner, agent.code, readAndWrite);
  const some = await agentClaims.review(owner, agent.code, confined);
  expect(all.written.map(({ kind, projectId, moves }) => [kind, projectId, moves])).toEqual([
    ["memory", "apollo", true],
    ["todo", "zeus", true],
  ]);
  expect(some.written.map(({ moves }) => moves)).toEqual([true, false]);
  expect(some.digest).not.toBe(all.digest);
  const stale = agentClaims.approve(owner, agent.code, confined, all.digest);
  expect(await refusalOf(stale)).toBe("precondition_failed");
  await stored(agent.client, { content: "Just now." });
  const late = agentClaims.approve(owner, agent.code, confined, some.digest);
  expect(await refusalOf(late)).toBe("precondition_failed");
  const again = await agentClaims.review(owner, agent.code, confined);
  expect(await refusalOf(agentClaims.approve(owner, agent.code, confined, again.digest))).toBe(null);
  // Whom the claim is not open to sees nothing of it.
  const other = await person();
  expect(await refusalOf(agentClaims.review(other.owner, agent.code, confined))).toBe("conflict");
});
