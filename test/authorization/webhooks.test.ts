import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { openWorld, type World } from "../support/world.ts";
import { type Cell, holdersOf, named, ORDINARY, positionsOf, type Relation, scopeSets } from "./cells.ts";
import { doors } from "./doors.ts";
import { expectedOf } from "./expectation.ts";
import { inputs } from "./inputs.ts";
import { type OperationRule, readRules } from "./rules.ts";
import { shareOf } from "./share.ts";
import { openTargets, type Target, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

const own: Relation = { whose: "own", role: null };
const aboutWebhooks = rules.operations.filter(({ actsOn }) => actsOn === "its own webhooks");

/** Each kind with each set of scopes; confinements take no operation away, which is sampled with every scope. */
const cellsOf = (rule: OperationRule): Cell[] =>
  holdersOf(rules).flatMap(({ kind, holder }) =>
    [...scopeSets, [...rule.scopes, ...rule.also]].flatMap((scopes) =>
      positionsOf(rules, holder, own)
        .filter(({ confinement }) => confinement === "nothing" || scopes.length > 2)
        .map((position) => ({
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
  );

const count = aboutWebhooks.flatMap(cellsOf).length;

describe(`${count} combinations of kind, scope and an operation on webhooks`, () => {
  test.each(aboutWebhooks.map((rule) => [rule.operation, rule] as const))("%s", async (name, rule) => {
    const operation = operationList.find((one) => one.name === name);
    const input = inputs[name];
    const rest = doors.REST;
    if (!operation || !input || !rest) throw new Error(`nothing asks for ${name}`);
    for (const cell of shareOf(rules, cellsOf(rule))) {
      await world.service.sql`delete from webhooks`;
      const asking = { cell, target: {} as Target, unique: "unique1" };
      const { code } = await rest(world, await targets.secret(cell), operation, input(asking));
      const foretold = expectedOf(rules, cell);
      // There is none of that id: who is let through is told so.
      const names = operation.http.path.includes("{webhook_id}") ? "not_found" : "allowed";
      expect(`${named(cell)}: ${code ?? "allowed"}`).toBe(
        `${named(cell)}: ${foretold === "allowed" ? names : foretold}`,
      );
      const [row] = await world.service.sql`select count(*)::int as made from webhooks`;
      expect(row?.made).toBe(name === "createWebhook" && foretold === "allowed" ? 1 : 0);
    }
  });
});
