import { afterAll, beforeAll, expect, test } from "vitest";
import { stored, unguessable } from "../support/acting.ts";
import { clientOf } from "../support/http-client.ts";
import { openWorld, type World } from "../support/world.ts";
import { readRules } from "./rules.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

const modes = rules.operations.filter(({ operation }) => operation === "deleteMatching");

test.each(modes.map((rule) => [rule.mode, rule] as const))(
  "without naming a team, %s takes what the role in each team lets go, and leaves the rest as it is",
  async (mode, rule) => {
    const { user, otherUser, otherTeam, teams, issue } = targets;
    const client = async (owner: typeof user) =>
      clientOf("http://localhost", await issue({ kind: "api_key", owner }), world.handle);
    const path = `in/${unguessable("p")}`;
    const expected = new Map<string, boolean>();
    for (const owner of [user, otherUser, otherTeam, ...teams.values()]) {
      const role = [...teams].find(([, team]) => team === owner)?.[0];
      const outcome = role === undefined ? null : rules.roles.get(role)[rule.capacity];
      const isTaken = owner === user || outcome === "allowed";
      expected.set(await stored(await client(owner), { path, content: unguessable() }), isTaken);
    }
    const asker = await client(user);
    const ask = { filter: { path }, mode };
    const plan = await asker.post("/v1/memories/delete", ask);
    const done = await asker.post("/v1/memories/delete", {
      ...ask,
      dry_run: false,
      plan_hash: plan.body.plan_hash,
    });
    const taken = [...expected.values()].filter(Boolean).length;
    expect([plan.body.matched, done.body.changed]).toEqual([taken, taken]);
    const rows = await world.service.sql`
      select memory_id from memories where path = ${path} and status = 'active' order by seq`;
    const left = [...expected].filter(([, isTaken]) => !isTaken).map(([id]) => id);
    expect(rows.map(({ memory_id }) => memory_id)).toEqual(left);
  },
);
