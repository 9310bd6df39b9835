import { afterAll, beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/contract/scope.ts";
import { openWorld, type World } from "../support/world.ts";
import { type Cell, ORDINARY, relationsOf } from "./cells.ts";
import { expectedOf } from "./expectation.ts";
import { readRules } from "./rules.ts";
import { disagreements } from "./run-cells.ts";
import { shareOf } from "./share.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

const onMemories = rules.operations.filter(({ actsOn }) => actsOn === "place" || actsOn.includes("memor"));

const cellsWith = (scope: string): Cell[] =>
  onMemories.flatMap((rule) =>
    relationsOf(rules, "user").map((relation) => ({
      rule,
      door: "REST",
      kind: "api_key",
      holder: "user",
      scopes: [scope],
      position: { confinement: "nothing", isInside: true },
      relation,
      subject: ORDINARY,
    })),
  );

/** The same world, in which a credential that is to have the one scope is issued with the other name. */
const issuing = (given: string): Targets => {
  const secrets = new Map<string, Promise<string>>();
  const issue = () => targets.issue({ kind: "api_key", owner: targets.user, scopes: [given as Scope] });
  return {
    ...targets,
    secret() {
      const secret = secrets.get(given) ?? issue();
      secrets.set(given, secret);
      return secret;
    },
  };
};

const olderNames = rules.scopes.keys.flatMap((scope) =>
  rules.scopes.get(scope).olderNames.map((name) => [name, scope] as const),
);

test.each(olderNames)("%s stands for %s, in every operation and role", async (name, scope) => {
  const cells = cellsWith(scope);
  expect(cells.some((cell) => expectedOf(rules, cell) === "allowed")).toBe(true);
  expect(await disagreements({ world, rules, targets: issuing(name) }, shareOf(rules, cells))).toEqual([]);
});

test.each(["*", "memory:*", "%", "memory:%", "MEMORY:WRITE", " memory:write", "admin", "knowledge:write"])(
  "%j is a scope for nothing",
  async (name) => {
    const cells = cellsWith("ledger:write").filter(
      (cell) => expectedOf(rules, cell) === "insufficient_scope",
    );
    expect(cells).toHaveLength(onMemories.length * relationsOf(rules, "user").length);
    expect(await disagreements({ world, rules, targets: issuing(name) }, shareOf(rules, cells))).toEqual([]);
  },
);
