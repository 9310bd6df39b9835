import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { openWorld, type World } from "../support/world.ts";
import { type Cell, holdersOf, ORDINARY, scopeSets } from "./cells.ts";
import { offeredTools } from "./doors.ts";
import { mayCall } from "./expectation.ts";
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

/** What a credential is made for does not matter where it is not confined. */
const anywhere = {
  rule: rules.operations[0] as Cell["rule"],
  door: "MCP",
  position: { confinement: "nothing", isInside: true },
  relation: { whose: "own", role: null },
  subject: ORDINARY,
} as const;

const tools = operationList.flatMap(({ name, mcp }) => (mcp ? [{ name, tool: mcp.tool }] : []));

test.each(holdersOf(rules))(
  "a $kind of a $holder is offered the tools it may call, and no other",
  async ({ kind, holder }) => {
    expect(tools.length).toBeGreaterThan(0);
    for (const scopes of scopeSets) {
      const secret = await targets.secret({ ...anywhere, kind, holder, scopes });
      const expected = tools.filter(({ name }) =>
        rules.operations.some((rule) => rule.operation === name && mayCall(rules, rule, kind, scopes)),
      );
      expect([scopes, await offeredTools(world, secret)]).toEqual([scopes, expected.map(({ tool }) => tool)]);
    }
  },
);
