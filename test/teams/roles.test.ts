import { afterAll, beforeAll, expect, test } from "vitest";
import { teamRoles } from "../../src/contract/scope.ts";
import type { Role } from "../../src/core/access/team-store.ts";
import { expectRefusal, found, freshOwner, listed, memory, stored } from "../support/acting.ts";
import { everyRequestById } from "../support/every-route.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** How far a role reaches: each does what those before it do. */
const REACH = ["nothing", "read", "write", "erase"] as const;
type Reach = (typeof REACH)[number];
const reachOf: Record<Role | "stranger", Reach> = {
  stranger: "nothing",
  viewer: "read",
  member: "write",
  admin: "erase",
  owner: "erase",
};
const reaches = (role: Role | "stranger", needed: Reach) =>
  REACH.indexOf(reachOf[role]) >= REACH.indexOf(needed);

type Send = (client: Client, about: { live: string; deleted: string; teamId: string }) => Promise<Answer>;

/** Everything that is done about one memory of the team, or to make one, and what it takes. */
const single: Record<string, [Reach, Send]> = {
  read: ["read", (client, { live }) => client.get(`/v1/memories/${live}`)],
  versions: ["read", (client, { live }) => client.get(`/v1/memories/${live}/versions`)],
  why: ["read", (client, { live }) => client.post("/v1/recall/why", { query: "database", memory_id: live })],
  store: ["write", (client, { teamId }) => client.post("/v1/memories", memory({ team_id: teamId }))],
  remember: ["write", (client, { teamId }) => client.post("/v1/remember", memory({ team_id: teamId }))],
  update: ["write", (client, { live }) => client.patch(`/v1/memories/${live}`, { importance: 0.7 })],
  feedback: [
    "write",
    (client, { live }) => client.post("/v1/recall/feedback", { memory_id: live, helpful: true }),
  ],
  softDelete: ["write", (client, { live }) => client.delete(`/v1/memories/${live}`)],
  restore: ["write", (client, { deleted }) => client.post(`/v1/memories/${deleted}/restore`)],
  hardDelete: ["erase", (client, { live }) => client.delete(`/v1/memories/${live}?mode=hard_delete`)],
  redact: ["erase", (client, { live }) => client.post(`/v1/memories/${live}/forget`, { mode: "redact" })],
};

/** A team with a key of its own, and a user in that role with a key for everything and one for the team alone. */
async function teamWith(role: Role | "stranger") {
  const { teams } = world.service;
  const team = await world.client({ team: freshOwner() });
  const owner = freshOwner();
  const whole = await world.client({ owner });
  const confined = await world.client({ owner, space: { teamId: team.ownerId } });
  if (role !== "stranger") await teams.setRole(team.ownerId, whole.ownerId, role);
  return { team, teamId: team.ownerId, userId: whole.ownerId, whole, confined };
}

const everyRole = [...teamRoles, "stranger"] as const;
const keys = ["whole", "confined"] as const;
const cells = everyRole.flatMap((role) => keys.map((key) => [role, key] as const));

test.each(cells)("%s with a %s key: every effect on one memory", async (role, key) => {
  const { team, teamId, ...clients } = await teamWith(role);
  for (const [name, [needed, send]] of Object.entries(single)) {
    const [live, deleted] = [await stored(team), await stored(team)];
    await team.delete(`/v1/memories/${deleted}`);
    const answer = await send(clients[key], { live, deleted, teamId });
    const expected = reaches(role, needed) ? undefined : role === "stranger" ? "not_found" : "role_forbidden";
    expect([name, answer.body.code]).toEqual([name, expected]);
    expect([name, answer.status < 300]).toEqual([name, expected === undefined]);
  }
});

test.each(cells)("%s with a %s key: everything that reads or writes many", async (role, key) => {
  const { team, teamId, ...clients } = await teamWith(role);
  const client = clients[key];
  const id = await stored(team);
  const seen = role === "stranger" ? [] : [id];
  const forTeam = { team_id: teamId };
  expect(await listed(client)).toHaveLength(seen.length);
  expect(await listed(client, forTeam)).toHaveLength(seen.length);
  expect(await found(client, "staging database")).toEqual(seen);
  expect(await found(client, "staging database", forTeam)).toEqual(seen);
  const context = await client.post("/v1/recall/context", { query: "staging database" });
  expect(context.body.items.map((item: { id: string }) => item.id)).toEqual(seen);

  const batch = await client.post("/v1/memories/batch", { items: [memory(forTeam)] });
  const writes = reaches(role, "write");
  const refusal = role === "stranger" ? "not_found" : "role_forbidden";
  expect(batch.body.results[0].error?.code).toBe(writes ? undefined : refusal);

  for (const [mode, needed] of [
    ["soft_delete", "write"],
    ["redact", "erase"],
    ["hard_delete", "erase"],
  ] as const) {
    const only = await stored(team, { path: mode });
    const filter = { path: mode, status: "active" };
    const planned = await client.post("/v1/memories/delete", { filter, mode, dry_run: true });
    expect([mode, planned.status, planned.body.matched]).toEqual([mode, 200, reaches(role, needed) ? 1 : 0]);
    const named = await client.post("/v1/memories/delete", { filter: { ...filter, ...forTeam }, mode });
    if (reaches(role, needed) || role === "stranger") expect(named.status).toBe(200);
    else expectRefusal(named, 403, "role_forbidden");
    const { plan_hash } = planned.body;
    const done = await client.post("/v1/memories/delete", { filter, mode, dry_run: false, plan_hash });
    expect([mode, done.body.changed]).toEqual([mode, reaches(role, needed) ? 1 : 0]);
    const now = await team.get(`/v1/memories/${only}`);
    const isUntouched = now.status === 200 && now.body.status === "active";
    expect([mode, isUntouched]).toEqual([mode, !reaches(role, needed)]);
  }
});

test.each(keys)(
  "a role that changes, and its end, hold with the very next request of a %s key",
  async (key) => {
    const { team, teamId, userId, ...clients } = await teamWith("viewer");
    const client = clients[key];
    const { teams } = world.service;
    const [id, spare] = [await stored(team), await stored(team)];
    const write = () => client.patch(`/v1/memories/${id}`, { importance: Math.random() });
    const erase = () => client.delete(`/v1/memories/${spare}?mode=hard_delete`);
    expectRefusal(await write(), 403, "role_forbidden");
    await teams.setRole(teamId, userId, "member");
    expect((await write()).status).toBe(200);
    expectRefusal(await erase(), 403, "role_forbidden");
    await teams.setRole(teamId, userId, "admin");
    const erased = await erase();
    expect((await client.get(`/v1/receipts/${erased.body.receipt.id}`)).status).toBe(200);
    await teams.setRole(teamId, userId, "viewer");
    expectRefusal(await write(), 403, "role_forbidden");
    expect(await found(client, "staging database")).toEqual([id]);
    await teams.remove(teamId, userId);
    for (const [name, send] of Object.entries(everyRequestById(client, id))) {
      const answer = await send();
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, "not_found"]);
    }
    expectRefusal(await client.get(`/v1/receipts/${erased.body.receipt.id}`), 404, "not_found");
    expect([await listed(client), await found(client, "staging database")]).toEqual([[], []]);
    expectRefusal(await client.post("/v1/memories", memory({ team_id: teamId })), 404, "not_found");
    await teams.setRole(teamId, userId, "viewer");
    expect(await found(client, "staging database")).toEqual([id]);
  },
);
