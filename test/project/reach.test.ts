/** Projects out of a token's reach, and teams of others: told by every route alike. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation } from "../../src/contract/operation.ts";
import { operationList } from "../../src/contract/operations.ts";
import { expectRefusal, found, freshOwner, listed, stored } from "../support/acting.ts";
import { callTool } from "../support/mcp.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ofProjects = operationList.filter(({ http }) => http.path.includes("{project_id}"));

function send(
  client: Client,
  { http }: Operation,
  project: string,
  more: { query?: string; body?: unknown },
) {
  const path = http.path.replace("{project_id}", project).replace(/\{\w+\}/g, "unknown") + (more.query ?? "");
  if (http.method === "GET") return client.get(path);
  if (http.method === "DELETE") return client.delete(path);
  return http.method === "PATCH" ? client.patch(path, more.body) : client.post(path, more.body);
}

test("there are routes below a project to ask", () => {
  expect(ofProjects.length).toBeGreaterThan(15);
});

test.each(ofProjects.map((operation) => [operation.name, operation] as const))(
  "%s of a project that is not in the token's list is 403, whatever else is wrong with the request",
  async (_, operation) => {
    const owner = freshOwner();
    const project = freshProject();
    await ok(workspaceOf(await world.client({ owner }), project).todo());
    const confined = await world.client({ owner, space: { projects: ["another", "third"] } });
    for (const named of [project, freshProject()])
      for (const body of [{}, "{not json", [], { team_id: "00000000-0000-4000-8000-000000000000" }])
        expectRefusal(await send(confined, operation, named, { body }), 403, "insufficient_scope");
    expectRefusal(
      await send(confined, operation, project, { query: "?mode=x&limit=x&team_id=x" }),
      403,
      "insufficient_scope",
    );
    const inside = await send(confined, operation, "another", { body: {} });
    expect(inside.body.code).not.toBe("insufficient_scope");
    if (!operation.mcp) return;
    const called = await callTool(world, confined.token, operation.mcp.tool, { project_id: project });
    expect(called.structuredContent).toMatchObject({ code: "insufficient_scope" });
  },
);

test("elsewhere a project out of reach is a filter that finds nothing", async () => {
  const owner = freshOwner();
  const project = freshProject();
  const whole = await world.client({ owner });
  await stored(whole, { content: "The lighthouse is red.", provenance: { project_id: project } });
  const confined = await world.client({ owner, space: { projects: ["another"] } });
  expect(await found(confined, "lighthouse", { project_id: project })).toEqual([]);
  expect(await listed(confined)).toEqual([]);
});

const withTeam = ofProjects.filter(({ input }) => "team_id" in input.shape);

/** What an operation needs so that the team alone is wrong with it. */
const BODIES: Readonly<Record<string, object>> = {
  createTodo: { content: "Rotate the keys." },
  createDecision: { context: "Which database?" },
  updateMaintenanceSettings: { stale_after_days: 5 },
  executeMaintenance: { actions: ["archive_stale"], confirm_all_matching: true },
};

test.each(withTeam.map((operation) => [operation.name, operation] as const))(
  "%s for a team that the caller is not in, or that is none, is 404",
  async (_, operation) => {
    const team = await world.client({ team: freshOwner() });
    const other = await world.client({ owner: freshOwner() });
    const user = await world.client({ owner: freshOwner() });
    const confined = await world.client({ owner: freshOwner(), space: { teamId: team.ownerId } });
    for (const client of [user, confined])
      for (const team_id of [
        team.ownerId,
        other.ownerId,
        client.ownerId,
        "00000000-0000-4000-8000-000000000000",
      ]) {
        const answer = await send(client, operation, "apollo", {
          query: ["GET", "DELETE"].includes(operation.http.method) ? `?team_id=${team_id}` : "",
          body: { ...BODIES[operation.name], team_id },
        });
        expectRefusal(answer, 404, "not_found");
      }
  },
);
