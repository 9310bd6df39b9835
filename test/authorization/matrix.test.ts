import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { openWorld, type World } from "../support/world.ts";
import { type Cell, productOf, productOfSpecials, sent } from "./cells.ts";
import { readRules } from "./rules.ts";
import { disagreements } from "./run-cells.ts";
import { openTargets, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

const tools = new Set(operationList.filter(({ mcp }) => mcp).map(({ name }) => name));
const onMemories = rules.operations.filter(
  ({ actsOn }) => actsOn !== "its own agent" && actsOn !== "nothing",
);

/**
 * A receipt is the same whatever was removed, and a run whatever it did. A reminder is of the type `reminder`, so never of the type `knowledge`:
 * completing one is not_found like any other memory. Todos and decisions have types of their own.
 */
const isMeaningful = ({ rule, subject }: Cell) =>
  rule.actsOn !== "receipt" &&
  rule.actsOn !== "a maintenance run" &&
  !(/completeReminder|Todo|Decision/.test(rule.operation) && subject.startsWith("memory_type"));

const cellsOfAll = onMemories.flatMap((rule) =>
  rules.doors
    .filter((door) => door !== "MCP" || tools.has(rule.operation))
    .map((door): [string, Cell[]] => [
      `${door} ${rule.operation} ${rule.mode}`.trim(),
      sent(rules, [
        ...productOf(rules, rule, door),
        ...productOfSpecials(rules, rule, door).filter(isMeaningful),
      ]),
    ]),
);
const count = cellsOfAll.reduce((sum, [, cells]) => sum + cells.length, 0);

/** Thousands of requests each: seconds, on a machine that has nothing else to do. */
const MINUTES = 5 * 60_000;

describe(`${count} of the combinations of kind, scope, role, owner, token space and operation`, () => {
  test.each(cellsOfAll)(
    "%s",
    async (_, cells) => {
      const found = await disagreements({ world, rules, targets }, cells);
      expect({ asked: cells.length, disagreeing: found.length, such: found.slice(0, 20) }).toEqual({
        asked: cells.length,
        disagreeing: 0,
        such: [],
      });
    },
    MINUTES,
  );
});
