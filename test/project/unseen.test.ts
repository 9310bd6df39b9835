import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maintenanceActions } from "../../src/contract/maintenance.ts";
import type { Scope } from "../../src/contract/scope.ts";
import { freshOwner, stored, unguessable } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, type ClientOptions, openWorld, type World } from "../support/world.ts";
import { age, maintainerOf } from "./maintenance.ts";
import { packOf, WIDE } from "./pack.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Place = Record<string, unknown>;
const SAME = "The gateway retries three times.";
const word = unguessable("hidden");

/** A bit of everything that a workspace can hold: due for maintenance, late, blocked, contradicting, by several agents. */
async function fill(client: Client, project: string, place: Place, says: string, linked?: string) {
  const { project: elsewhere = project, ...at } = place as { project?: string };
  const ours = workspaceOf(client, elsewhere, "builder");
  const theirs = workspaceOf(client, elsewhere, `agent-${says}`);
  const depends_on = linked ? [linked] : [];
  const open = await ok(ours.todo({ content: `${says} open`, due_at: "2021-01-01T00:00:00Z", ...at }));
  const todo = await ok(theirs.todo({ content: `${says} next`, depends_on, priority: "urgent", ...at }));
  await ok(theirs.act(todo.todo_id, "accept"));
  const done = await ok(ours.todo({ content: `${says} done`, ...at }));
  await ok(ours.act(done.todo_id, "complete"));
  const decision = await ok(ours.decision({ context: `${says} which?`, impact_level: "critical", ...at }));
  await ok(theirs.decide(decision.decision_id, "resolve", { resolution: `${says} this.` }));
  const old = await ok(ours.decision({ context: `${says} old?`, ...at }));
  await ok(ours.decide(old.decision_id, "supersede", { context: `${says} new?` }));
  const provenance = { project_id: elsewhere, agent_id: `agent-${says}` };
  const memory = { content: SAME, provenance, path: "notes", ...at };
  const ids = [
    await stored(client, { ...memory, metadata: { review_after: "2021-01-01T00:00:00Z" } }),
    await stored(client, memory),
    await stored(client, memory),
    await stored(client, { ...memory, content: `${says} is ${says.length}`, semantic_key: `key-${says}` }),
    await stored(client, { ...memory, content: `${says} has run out`, expires_at: "2021-01-01T00:00:00Z" }),
    await stored(client, { ...memory, content: `${says} gone` }),
  ];
  await stored(client, {
    ...memory,
    content: `${says} call`,
    memory_type: "reminder",
    metadata: { due_at: "2021-01-01T00:00:00Z" },
  });
  await stored(client, { ...memory, content: `${says} works`, memory_type: "working", status: "started" });
  await client.delete(`/v1/memories/${ids.at(-1)}`);
  for (const id of [...ids, done.todo_id, old.decision_id])
    await age(world.service.sql, client.ownerId, id, 400);
  return { open: open.todo_id as string, ids };
}

/** Everything of an answer but what time alone changes. */
function still(answer: unknown): unknown {
  const moving = new Set(["assembled_at", "generated_at", "recent_since"]);
  return JSON.parse(
    JSON.stringify(answer, (name, value) =>
      moving.has(name) ? null : name === "urgency" ? Math.round(value * 100) / 100 : value,
    ),
  );
}

/** All that a credential can be told of a workspace, by both doors. */
async function told(client: Client, project: string, team: string | null) {
  const place = team === null ? {} : { team_id: team };
  const { report, runs, settings } = maintainerOf(client, project, team);
  const headers = { "x-agent-id": "builder", "x-session-id": "s-1" };
  const packs = [];
  for (const asked of [{}, WIDE, { max_items: 7 }, { max_tokens: 400 }, { durable_query: SAME, ...WIDE }])
    packs.push(await packOf(client, project, { ...place, ...asked }, headers));
  const project_id = project;
  const byTool = await callTool(world, client.token, "project_context", { project_id, ...place, ...WIDE });
  const reportByTool = await callTool(world, client.token, "maintenance_report", { project_id, ...place });
  return still({
    packs,
    byTool: byTool.structuredContent,
    report: await ok(report()),
    small: await ok(report({ scan_limit: 3 })),
    reportByTool: reportByTool.structuredContent,
    runs: await ok(runs()),
    settings: await ok(settings()),
    todos: await ok(workspaceOf(client, project).todos(team === null ? "" : `?team_id=${team}`)),
  });
}

const plain: Scope[] = ["memory:read", "memory:write"];
const SEEN = { path: "seen/a", bucket: "seen" };

/** How the credential is narrowed, and where the rows lie that it cannot see. */
const narrowings: [string, (project: string) => Partial<ClientOptions>, Place, boolean][] = [
  ["a path prefix", () => ({ space: { pathPrefix: "seen" } }), { path: "unseen/a", bucket: "seen" }, true],
  ["buckets", () => ({ space: { buckets: ["seen"] } }), { path: "seen/a", bucket: "unseen" }, true],
  ["projects", (project) => ({ space: { projects: [project] } }), { project: freshProject() }, false],
  ["nothing, and rows of another project", () => ({}), { project: freshProject() }, false],
  ["no knowledge", () => ({ scopes: plain }), { path: "seen/a", bucket: "knowledge" }, true],
];

describe.each(narrowings)("a credential confined by %s", (_, options, unseen, isLinked) => {
  test("is told the same whether or not there is more that it cannot see", async () => {
    const owner = freshOwner();
    const project = freshProject();
    const whole = await world.client({ owner });
    const { open } = await fill(whole, project, SEEN, "seen");
    const part = await world.client({ owner, ...options(project) });
    const before = await told(part, project, null);
    await fill(whole, project, unseen, word, isLinked ? open : undefined);
    await ok(
      maintainerOf(whole, (unseen.project as string) ?? project).execute({
        actions: ["repair_index"],
        confirm_all_matching: true,
      }),
    );
    const after = await told(part, project, null);
    expect(after).toEqual(before);
    expect(JSON.stringify(after)).not.toContain(word);
  }, 120_000);
});

test("nor do other owners' workspaces of the same name, a member's own or another team's, tell anything", async () => {
  const project = freshProject();
  const team = await world.client({ team: freshOwner() });
  const member = await world.client({ owner: freshOwner() });
  const viewer = await world.client({ owner: freshOwner() });
  const owner = freshOwner();
  const confined = await world.client({ owner, space: { teamId: team.ownerId } });
  const whole = await world.client({ owner });
  for (const [client, role] of [
    [member, "member"],
    [viewer, "viewer"],
    [whole, "admin"],
  ] as const)
    await world.service.sql`
      insert into team_members (team_id, user_id, role) values (${team.ownerId}, ${client.ownerId}, ${role})`;
  await fill(team, project, SEEN, "seen");
  const look = async () => [
    await told(member, project, team.ownerId),
    await told(viewer, project, team.ownerId),
    await told(viewer, project, null),
    await told(team, project, null),
    await told(confined, project, null),
    await told(confined, project, team.ownerId),
  ];
  const before = await look();
  await fill(member, project, SEEN, word);
  await fill(whole, project, SEEN, word);
  await fill(await world.client({ owner: freshOwner() }), project, SEEN, word);
  await fill(await world.client({ team: freshOwner() }), project, SEEN, word);
  await fill(team, freshProject(), SEEN, word);
  const after = await look();
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain(word);
}, 120_000);

test("a workspace that is nobody's answers like one of a stranger, and like an empty one", async () => {
  const project = freshProject();
  const theirs = await world.client({ team: freshOwner() });
  await fill(theirs, project, SEEN, word);
  const client = await world.client({ owner: freshOwner() });
  const nobody = "00000000-0000-4000-8000-000000000000";
  const ofStranger = await client.post(`/v1/projects/${project}/context`, { team_id: theirs.ownerId });
  const ofNobody = await client.post(`/v1/projects/${project}/context`, { team_id: nobody });
  expect([ofStranger.status, ofNobody.status]).toEqual([404, 404]);
  expect(ofStranger.body).toEqual(ofNobody.body);
  const confined = await world.client({ owner: freshOwner(), space: { projects: ["another"] } });
  const refusals = await Promise.all(
    [project, freshProject()].map((one) => confined.post(`/v1/projects/${one}/context`, {})),
  );
  expect(refusals.map(({ status }) => status)).toEqual([403, 403]);
  expect(refusals[0]?.body).toEqual(refusals[1]?.body);
  for (const name of maintenanceActions) {
    const refused = await Promise.all(
      [theirs.ownerId, nobody].map((team) =>
        maintainerOf(client, project, team).execute({ actions: [name], confirm_all_matching: true }),
      ),
    );
    expect(refused.map(({ status }) => status)).toEqual([404, 404]);
    expect(refused[0]?.body).toEqual(refused[1]?.body);
  }
});
