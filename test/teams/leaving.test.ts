/** Everybody can leave a team, and is shown before what that does. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { joined, type Person, person, teamOf } from "./people.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => person(world))) as Promise<Person[]>;
const rolesIn = async (teamId: string) =>
  Object.fromEntries((await world.service.teams.members(teamId)).map(({ user, role }) => [user.id, role]));

test("a member leaves, and the team goes on", async () => {
  const [owner, member] = (await people(2)) as [Person, Person];
  const team_id = await teamOf(owner);
  await joined(owner, team_id, member, "member");
  const { data } = await member.ask("reviewLeaving", { team_id });
  expect(data).toEqual({ outcome: "leaves", successor: null, would_remove: null });
  expect((await member.ask("leaveTeam", { team_id, outcome: "leaves" })).data).toEqual({ outcome: "leaves" });
  expect(await rolesIn(team_id)).toEqual({ [owner.owner.id]: "owner" });
  for (const path of ["reviewLeaving", "leaveTeam"])
    expect((await member.ask(path, { team_id, outcome: "leaves" })).code).toBe("not_found");
});

test("the last owner hands the team over, to the first by role and then by time, as was shown", async () => {
  const [owner, viewer, first, second] = (await people(4)) as [Person, Person, Person, Person];
  const team_id = await teamOf(owner);
  await joined(owner, team_id, viewer, "viewer");
  await joined(owner, team_id, first, "admin");
  await joined(owner, team_id, second, "admin");
  const { data } = await owner.ask("reviewLeaving", { team_id });
  expect(data).toEqual({
    outcome: "hands_over",
    successor: { user_id: first.owner.id, name: first.owner.name },
    would_remove: null,
  });
  // Not by the way that shows nothing, and not with another outcome than the one that was shown.
  expect((await owner.ask("removeMember", { team_id, user_id: owner.owner.id })).code).toBe("conflict");
  for (const other of [
    { outcome: "leaves" },
    { outcome: "closes" },
    { outcome: "hands_over" },
    { outcome: "hands_over", successor_id: second.owner.id },
  ])
    expect((await owner.ask("leaveTeam", { team_id, ...other })).code).toBe("plan_changed");
  const confirmed = { team_id, outcome: "hands_over", successor_id: first.owner.id };
  await first.ask("leaveTeam", { team_id, outcome: "leaves" });
  expect((await owner.ask("leaveTeam", confirmed)).code).toBe("plan_changed");
  expect((await owner.ask("leaveTeam", { ...confirmed, successor_id: second.owner.id })).code).toBe("done");
  expect(await rolesIn(team_id)).toEqual({ [viewer.owner.id]: "viewer", [second.owner.id]: "owner" });
});

test("the last member closes the team: what it holds is told before, and access to it ends at once", async () => {
  const [owner, invited] = (await people(2)) as [Person, Person];
  const team_id = await teamOf(owner);
  await owner.client.post("/v1/remember", { content: "The team's own", path: "p", team_id });
  const key = {
    kind: "api_key",
    name: "k",
    scopes: ["memory:read", "memory:write"],
    team_id,
    is_teams: true,
  };
  const teamsOwn = world.withToken((await owner.ask("createCredential", key)).data.token);
  await owner.ask("addMember", { team_id, user_name: invited.owner.name, role: "member" });
  const { data } = await owner.ask("reviewLeaving", { team_id });
  expect(data).toMatchObject({
    outcome: "closes",
    successor: null,
    would_remove: { memories: 1, tokens: 1 },
  });
  expect((await owner.ask("leaveTeam", { team_id, outcome: "closes" })).data).toEqual({ outcome: "closes" });
  expect((await owner.ask("session")).data.teams).toEqual([]);
  expect((await invited.ask("acceptInvitation", { team_id })).code).toBe("not_found");
  expect((await teamsOwn.get("/v1/memories")).status).toBe(401);
  expect((await owner.client.get("/v1/memories")).body.memories).toEqual([]);
  const { sql } = world.service;
  const [begun] = await sql`select kind from erasures where owner_id = ${team_id}`;
  expect(begun?.kind).toBe("team");
});

test("whoever was made the last owner can leave and be erased all the same", async () => {
  const [stranger, trapped] = (await people(2)) as [Person, Person];
  const team_id = await teamOf(stranger);
  await joined(stranger, team_id, trapped, "owner");
  expect((await stranger.ask("leaveTeam", { team_id, outcome: "leaves" })).code).toBe("done");
  const refused = await trapped.ask("eraseOwner", {});
  expect(refused).toMatchObject({ code: "conflict", message: expect.stringContaining("Leave the team") });
  const { outcome } = (await trapped.ask("reviewLeaving", { team_id })).data;
  expect((await trapped.ask("leaveTeam", { team_id, outcome })).code).toBe("done");
  expect((await trapped.ask("eraseOwner", {})).code).toBe("done");
});

test("of two last members who leave at once one hands over and the other closes; none is left behind", async () => {
  const [a, b] = (await people(2)) as [Person, Person];
  const team_id = await teamOf(a);
  await joined(a, team_id, b, "owner");
  const left = await Promise.all([a, b].map((who) => who.ask("leaveTeam", { team_id, outcome: "leaves" })));
  expect(left.map(({ code }) => code).sort()).toEqual(["done", "plan_changed"]);
  expect(Object.values(await rolesIn(team_id))).toEqual(["owner"]);
});
