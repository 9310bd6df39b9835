import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshOwner } from "../support/acting.ts";
import type { World } from "../support/world.ts";
import { type Cell, holdersOf, named, ORDINARY, positionsOf, type Relation, scopeSets } from "./cells.ts";
import { expectedOf } from "./expectation.ts";
import { readRules } from "./rules.ts";
import { shareOf } from "./share.ts";
import { openTargets, openWorldOfTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorldOfTargets();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

const rule = rules.operations.find(({ actsOn }) => actsOn === "its own owner");
const own: Relation = { whose: "own", role: null };

const cells: Cell[] = rule
  ? holdersOf(rules).flatMap(({ kind, holder }) =>
      [...scopeSets, ["memory:write", "owner:erase"]].flatMap((scopes) =>
        positionsOf(rules, holder, own).map((position) => ({
          rule,
          door: "REST",
          kind,
          holder,
          scopes,
          position,
          relation: own,
          subject: ORDINARY,
        })),
      ),
    )
  : [];

/** What the page says besides its table: a part of the whole does not end the whole, and neither does a team's own key. */
function foretold(cell: Cell): string {
  const outcome = expectedOf(rules, cell);
  const isWhole = cell.holder === "user" && cell.position.confinement === "nothing";
  if (outcome !== "allowed") return outcome;
  // Who is let through is told that a team would be left without an owner.
  return isWhole ? "conflict" : "insufficient_scope";
}

describe(`${cells.length} combinations of kind, scope and confinement`, () => {
  test("a dry run is for who may erase, and changes nothing", async () => {
    const told = new Set<string>();
    for (const cell of shareOf(rules, cells)) {
      const client = world.withToken(await targets.secret(cell));
      const { body } = await client.post("/v1/erasures", {});
      const outcome = body.code ?? "allowed";
      told.add(outcome);
      expect(`${named(cell)}: ${outcome}`).toBe(`${named(cell)}: ${foretold(cell)}`);
    }
    expect([...told].sort()).toEqual(["conflict", "insufficient_scope"]);
    expect(await world.service.sql`select from erasures`).toHaveLength(0);
  });
});

test("of a team it is for its owners, told by the role they have at that moment", async () => {
  const { teams } = world.service;
  const holder = await world.client({ owner: freshOwner() });
  const user = await world.client({ owner: freshOwner() });
  const { team } = await teams.create(freshOwner(), { id: holder.ownerId, kind: "user", name: "" });
  const ask = async (input: object = {}) =>
    (await user.post("/v1/erasures", { team_id: team.id, ...input })).body.code ?? "allowed";
  expect(await ask()).toBe("not_found");
  await teams.add(team.id, user.ownerId, "viewer");
  for (const role of ["viewer", "member", "admin", "owner", "admin"] as const) {
    await teams.setRole(team.id, user.ownerId, role);
    const expected = role === "owner" ? "allowed" : "role_forbidden";
    expect([role, await ask()]).toEqual([role, expected]);
  }
  expect(await ask({ dry_run: false, confirm: team.name, plan_hash: "x" })).toBe("role_forbidden");
  // A user, by its id, is no team: neither another one nor the one that asks.
  for (const team_id of [user.ownerId, holder.ownerId]) expect(await ask({ team_id })).toBe("not_found");
  expect(await world.service.sql`select from erasures`).toHaveLength(0);
});
