/**
 * What each statement of the service touches of a record whose tables are partitioned by owner: one partition, that of its owner;
 * what is about all whom a caller sees, those of the caller and its teams; and more than that what is listed in `exceptions.ts`.
 * Asked of the plans as they were carried out, those of triggers and of references included.
 */
import { expect, inject, onTestFinished, test } from "vitest";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { bind, register, user } from "../agents/agents.ts";
import { maintained } from "../project/maintenance.ts";
import { ok, workspaceOf } from "../project/workspace.ts";
import { eventually, stored, unguessable } from "../support/acting.ts";
import { everyRequest } from "../support/every-route.ts";
import { createDatabase } from "../support/own-database.ts";
import { PARTITIONS, partitionByOwner } from "../support/partitioned.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorldOn, type World } from "../support/world.ts";
import { EXCEPTIONS, type Exception, isExcepted, OF_A_CALLER } from "./exceptions.ts";
import { type Executed, recordPlans } from "./executed-plans.ts";

/** The log of a server elsewhere is not here. */
const hasLog = !process.env.TEST_DATABASE_URL;

test.runIf(hasLog)(
  "every statement touches its owner's partition alone, but for those that are listed, and each of those more than one still",
  { timeout: 600_000 },
  async () => {
    const { world, executed, sql } = await openRecorded();
    const cookie = await sessionOf(world, await user(world, "alice"));
    await exercise(world, sql, cookie);
    const alone = executed();
    await joinTeams(world);
    await exerciseMoves(world);
    await exercise(world, sql, cookie);
    await settled(sql);
    await world.close();
    await sql.end();

    const all = executed();
    const together = all.slice(alone.length);
    // Nothing is shown by statements that nobody ran.
    expect(new Set(all.map(({ statement }) => statement)).size).toBeGreaterThan(200);
    expect({
      alone: over(1, alone).filter(isUnlisted),
      together: over(1, together).filter((one) => isUnlisted(one) && !isListed(one, OF_A_CALLER)),
      beyondTeams: over(1 + TEAMS, together).filter(isUnlisted),
      stale: [...unmet(EXCEPTIONS, over(1, all)), ...unmet(OF_A_CALLER, over(1, together))],
    }).toEqual({ alone: [], together: [], beyondTeams: [], stale: [] });
  },
);

/** So many that a caller's and theirs are hardly ever all in one partition. */
const TEAMS = 5;

/** The statements that touched more partitions than that. */
function over(partitionsMax: number, executed: readonly Executed[]): string[] {
  const found = executed.filter(({ partitions }) => partitions.size > partitionsMax);
  return [...new Set(found.map(({ statement }) => statement))];
}

function isListed(statement: string, list: readonly Exception[]): boolean {
  return list.some((exception) => isExcepted(statement, exception));
}

function isUnlisted(statement: string): boolean {
  return !isListed(statement, EXCEPTIONS);
}

function unmet(list: readonly Exception[], statements: readonly string[]): Exception[] {
  return list.filter((exception) => !statements.some((one) => isExcepted(one, exception)));
}

async function exercise(world: World, sql: Sql, cookie: string): Promise<void> {
  await exerciseMemories(world);
  await exerciseProject({ ...world, service: { ...world.service, sql } });
  await exerciseAgent(world);
  await exerciseEvents(world, sql);
  await exerciseBrowsing(world, cookie);
  // A search that is degraded asks for it too, which happens on a busy machine only.
  await world.service.ports.health();
}

/** A world on a record of partitions, and what its sessions did; not what a test asks with `sql`. */
async function openRecorded(): Promise<{ world: World; executed: () => Executed[]; sql: Sql }> {
  const database = await createDatabase();
  const sql = connect(database.address, 1);
  if (process.env.TEST_PARTITIONED !== "1") await partitionByOwner(sql);
  // As the planner does where tables are large: a small one is read whole, whatever is asked of it.
  for (const name of ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"])
    await sql.unsafe(
      `do $$ begin execute format('alter database %I set ${name} = off', current_database()); end $$`,
    );
  const [divided] = await sql`
    select count(*)::int as count from pg_inherits where inhparent = 'memories'::regclass`;
  expect(divided?.count).toBe(PARTITIONS);
  const executed = await recordPlans(sql, inject("sharedFolder"));
  const world = await openWorldOn(database);
  let isClosed = false;
  onTestFinished(async () => {
    if (!isClosed) await world.close();
  });
  const close = async () => {
    isClosed = true;
    await world.close();
  };
  return { world: { ...world, close }, executed, sql };
}

async function settled(sql: Sql): Promise<void> {
  for (const table of ["outbox", "memory_count_changes"])
    await eventually(
      async () => (await sql`select count(*)::int as count from ${sql(table)}`)[0]?.count,
      (lines) => lines === 0,
      60_000,
    );
}

async function exerciseMemories(world: World): Promise<void> {
  const alice = await world.client();
  const key = { "idempotency-key": unguessable() };
  const made = await alice.post("/v1/memories", { content: "The first one.", path: "p" }, key);
  await alice.post("/v1/memories", { content: "The first one.", path: "p" }, key);
  for (const request of Object.values(everyRequest(alice, made.body.id))) await request();
  const fact = { path: "facts", semantic_key: "database" };
  for (const content of ["It is db-1.", "It is db-2."])
    await alice.post("/v1/memories", { content, ...fact });
  const { body } = await alice.get("/v1/memories?path=facts&status=%25");
  for (const { id } of body.memories) await alice.delete(`/v1/memories/${id}?mode=hard_delete`);
  await alice.get("/v1/memories?offset=1&limit=1");
  await stored(alice, {
    content: "It is read again, and deleted by what it is labelled with.",
    bucket: "again",
  });
  await ok(alice.get("/v1/memories/search?query=read%20again"));
  await ok(alice.post("/v1/memories/search", { query: "read again", as_of: new Date().toISOString() }));
  const filter = { bucket: "again" };
  const { plan_hash } = await ok(alice.post("/v1/memories/delete", { filter }));
  await ok(alice.post("/v1/memories/delete", { filter, dry_run: false, plan_hash }));
}

async function exerciseProject(world: World): Promise<void> {
  const alice = await world.client();
  const maintenance = maintained(alice, world);
  const work = workspaceOf(alice, maintenance.project);
  const source = await maintenance.stored();
  const first = (await work.todo({ source_memory_id: source })).body.todo_id;
  const second = (await work.todo({ content: "Then this.", depends_on: [first] })).body.todo_id;
  for (const operation of ["accept", "complete"]) await work.act(first, operation);
  await work.item("todo").correct(second, { priority: "high", depends_on: [] });
  await workspaceOf(alice, maintenance.project, "an-agent").todo({ content: "It is said by an agent." });
  const decision = (await work.decision()).body.decision_id;
  await work.decide(decision, "resolve", { resolution: "Postgres." });
  await work.decide(decision, "supersede", { context: "Which database, again?" });
  for (const list of [work.todos(), work.decisions(), work.item("todo").read(second)]) await ok(list);
  await ok(alice.post(`/v1/projects/${maintenance.project}/context`, {}));
  for (const id of [await maintenance.stored(), await maintenance.stored()]) await maintenance.expire(id);
  await ok(maintenance.set({ automatic_actions: ["expire_overdue"] }));
  await ok(maintenance.report());
  const run = await ok(maintenance.execute({ actions: ["expire_overdue"], confirm_all_matching: true }));
  await ok(maintenance.runs());
  await ok(maintenance.undo(run.run_id));
  for (const id of [second, first]) await work.item("todo").remove(id, "?mode=hard_delete");
}

async function joinTeams({ client, service }: World): Promise<void> {
  const alice = await client();
  for (let at = 0; at < TEAMS; at++) {
    const team = await client({ team: `research ${at}` });
    await service.teams.setRole(team.ownerId, alice.ownerId, "owner");
    await stored(team, { content: "It is the team's.", path: "p" });
  }
}

async function exerciseMoves(world: World): Promise<void> {
  const [alice, team] = [await world.client(), await world.client({ team: "research 0" })];
  const id = await stored(alice, { content: "It was private." });
  await ok(alice.patch(`/v1/memories/${id}`, { scope: "team", team_id: team.ownerId }));
  await ok(alice.get(`/v1/memories/${id}`));
  await ok(alice.get("/v1/memories/search?query=private"));
  await ok(alice.patch(`/v1/memories/${id}`, { scope: "private" }));
}

async function exerciseAgent(world: World): Promise<void> {
  const agent = await register(world);
  const project = workspaceOf(agent.client, "of-the-agent");
  const first = (await project.todo()).body.todo_id;
  await project.todo({ content: "Then this.", depends_on: [first] });
  await stored(agent.client, { content: "Written before it was anybody's." });
  const bound = await bind(world, agent, await user(world, "alice"));
  await ok(bound.get("/v1/memories"));
}

async function exerciseEvents(world: World, sql: Sql): Promise<void> {
  const alice = await world.client();
  const hook = await alice.post("/v1/webhooks", { url: "https://hooks.example/" });
  await stored(alice, { content: "It is told of." });
  await eventually(
    async () => (await sql`select attempts from webhook_deliveries`).map(({ attempts }) => attempts),
    ([attempts = 0]) => attempts > 0,
  );
  await ok(alice.get("/v1/events"));
  await ok(alice.get("/v1/webhooks"));
  await ok(alice.get(`/v1/webhooks/${hook.body.id}/dead-letters`));
  await alice.delete(`/v1/webhooks/${hook.body.id}`);
}

async function exerciseBrowsing(world: World, cookie: string): Promise<void> {
  const { memories } = (await askTrpc(world, cookie, "listMemories", { sort: "changed" })).body.result.data;
  const of = { memory_id: memories[0].id };
  for (const [name, input] of [["browsePaths"], ["memoryFacets"], ["memoryRelations", of]] as const)
    expect(await askTrpc(world, cookie, name, input ?? {})).toMatchObject({ status: 200 });
  const terms = [unguessable("nobody")];
  const plan = await askTrpc(world, cookie, "eraseSubject", { terms });
  const { plan_hash } = plan.body.result.data;
  const begun = await askTrpc(world, cookie, "eraseSubject", { terms, dry_run: false, plan_hash });
  expect(begun).toMatchObject({ status: 200 });
  expect(await askTrpc(world, cookie, "subjectErasures", {})).toMatchObject({ status: 200 });
  const { erasure_id } = begun.body.result.data;
  await askTrpc(world, cookie, "stopSubjectErasure", { erasure_id });
}
