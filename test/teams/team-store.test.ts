import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TeamStore } from "../../src/core/access/team-store.ts";
import { freshOwner } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
let teams: TeamStore;
beforeAll(async () => {
  world = await openWorld();
  teams = world.service.teams;
});
afterAll(() => world.close());

const newUser = () => world.service.credentials.ensureOwner("user", freshOwner());

async function newTeam() {
  const owner = await newUser();
  const { team } = await teams.create(freshOwner(), owner);
  return { team, owner };
}

const rolesIn = async (teamId: string) =>
  Object.fromEntries((await teams.members(teamId)).map(({ user, role }) => [user.id, role]));
const auditOf = async (teamId: string) =>
  (
    await world.service.sql`select operation, detail from audit_log where owner_id = ${teamId} order by id`
  ).map(({ operation, detail }) => [operation, detail]);

const CONFLICT = { code: "conflict" };
const NOT_FOUND = { code: "not_found" };

test("a team that is made twice is one team, and its owner is the first", async () => {
  const [ada, bob] = [await newUser(), await newUser()];
  const name = freshOwner();
  const made = await teams.create(name, ada);
  expect(made).toEqual({ team: { id: expect.any(String), kind: "team", name }, isNew: true, role: "owner" });
  expect(await teams.create(name, ada)).toEqual({ ...made, isNew: false });
  expect(await teams.create(name, bob)).toEqual({ ...made, isNew: false, role: null });
  expect(await teams.find(name)).toEqual(made.team);
  expect(await teams.findUser(ada.name)).toEqual(ada);
  expect([await teams.find(ada.name), await teams.findUser(name)]).toEqual([null, null]);
  expect(await rolesIn(made.team.id)).toEqual({ [ada.id]: "owner" });
  expect(await auditOf(made.team.id)).toEqual([["team_create", { user: ada.id, role: "owner" }]]);
});

test("of many who make a team at once one is its owner and the others strangers", async () => {
  const users = await Promise.all(Array.from({ length: 6 }, newUser));
  const name = freshOwner();
  const made = await Promise.all(users.map((user) => teams.create(name, user)));
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(made.filter(({ role }) => role === "owner")).toEqual(made.filter(({ isNew }) => isNew));
  expect(made.filter(({ role }) => role === null)).toHaveLength(users.length - 1);
  expect(new Set(made.map(({ team }) => team.id)).size).toBe(1);
});

test("a team without members, as a key or an import makes it, gets its first owner", async () => {
  const empty = await world.service.credentials.ensureOwner("team", freshOwner());
  const user = await newUser();
  expect(await teams.create(empty.name, user)).toEqual({ team: empty, isNew: false, role: "owner" });
  expect(await auditOf(empty.id)).toEqual([["team_add", { user: user.id, role: "owner" }]]);
});

test("repeating a change changes and logs nothing", async () => {
  const { team } = await newTeam();
  const user = await newUser();
  expect(await teams.add(team.id, user.id, "viewer")).toEqual({ role: "viewer", isNew: true });
  expect(await teams.add(team.id, user.id, "admin")).toEqual({ role: "viewer", isNew: false });
  expect(await teams.setRole(team.id, user.id, "member")).toBe("changed");
  expect(await teams.setRole(team.id, user.id, "member")).toBe("unchanged");
  expect(await teams.remove(team.id, user.id)).toBe(true);
  expect(await teams.remove(team.id, user.id)).toBe(false);
  expect(await teams.setRole(team.id, user.id, "admin")).toBe("added");
  expect((await auditOf(team.id)).slice(1)).toEqual([
    ["team_add", { user: user.id, role: "viewer" }],
    ["team_role", { user: user.id, role: "member" }],
    ["team_remove", { user: user.id, role: "member" }],
    ["team_add", { user: user.id, role: "admin" }],
  ]);
});

test("the last owner is neither demoted nor removed; one of two is", async () => {
  const { team, owner } = await newTeam();
  const other = await newUser();
  await teams.setRole(team.id, other.id, "admin");
  await expect(teams.remove(team.id, owner.id)).rejects.toMatchObject(CONFLICT);
  await expect(teams.setRole(team.id, owner.id, "member")).rejects.toMatchObject(CONFLICT);
  expect(await teams.setRole(team.id, owner.id, "owner")).toBe("unchanged");
  await teams.setRole(team.id, other.id, "owner");
  expect(await teams.remove(team.id, owner.id)).toBe(true);
  expect(await rolesIn(team.id)).toEqual({ [other.id]: "owner" });
});

test("two owners who demote or remove each other at once leave one", async () => {
  for (let round = 0; round < 10; round++) {
    const { team, owner } = await newTeam();
    const other = await newUser();
    await teams.setRole(team.id, other.id, "owner");
    const results = await Promise.allSettled([
      teams.remove(team.id, owner.id),
      round % 2 === 0 ? teams.remove(team.id, other.id) : teams.setRole(team.id, other.id, "viewer"),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: CONFLICT });
    expect(Object.values(await rolesIn(team.id)).filter((role) => role === "owner")).toHaveLength(1);
  }
});

test("only users become members, and only of teams", async () => {
  const [{ team }, { team: second }, user] = [await newTeam(), await newTeam(), await newUser()];
  await expect(teams.setRole(team.id, second.id, "member")).rejects.toMatchObject(NOT_FOUND);
  await expect(teams.add(team.id, uuidv7(), "member")).rejects.toMatchObject(NOT_FOUND);
  await expect(teams.add(user.id, user.id, "owner")).rejects.toMatchObject(NOT_FOUND);
  await expect(teams.remove(uuidv7(), user.id)).rejects.toMatchObject(NOT_FOUND);
});

test("teams, members and users are listed with their roles, by rank and by name", async () => {
  const { team, owner } = await newTeam();
  const [first, second, third] = [await newUser(), await newUser(), await newUser()];
  await teams.setRole(team.id, first.id, "viewer");
  await teams.setRole(team.id, second.id, "admin");
  expect((await teams.members(team.id)).map(({ user, role }) => [user, role])).toEqual([
    [owner, "owner"],
    [second, "admin"],
    [first, "viewer"],
  ]);
  expect((await teams.list()).find((one) => one.team.id === team.id)).toEqual({ team, members: 3 });
  const { team: other } = await teams.create(freshOwner(), first);
  const joined = [
    { team, role: "viewer" },
    { team: other, role: "owner" },
  ].sort((a, b) => (a.team.name < b.team.name ? -1 : 1));
  expect(await teams.teamsOf(first.id)).toEqual(joined);
  const users = await teams.users();
  expect(users.find(({ user }) => user.id === first.id)).toEqual({
    user: first,
    hasAccount: false,
    teams: joined,
  });
  expect(users.find(({ user }) => user.id === third.id)).toEqual({
    user: third,
    hasAccount: false,
    teams: [],
  });
});
