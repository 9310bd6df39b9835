import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IS_QUICK, rotating, SHARE } from "../support/random.ts";
import type { World } from "../support/world.ts";
import { type Cell, productOf, productOfSpecials, sent } from "./cells.ts";
import { isAt } from "./doors.ts";
import { expectedOf } from "./expectation.ts";
import { readRules } from "./rules.ts";
import { disagreements } from "./run-cells.ts";
import { firstWithEach, shareOf } from "./share.ts";
import { openTargets, openWorldOfTargets, type Targets } from "./targets.ts";

const rules = readRules();
const onMemories = rules.operations.filter(
  ({ actsOn }) => !actsOn.startsWith("its own") && actsOn !== "nothing",
);

/**
 * A receipt is the same whatever was removed, and a run whatever it did. A reminder is of the type `reminder`, so never of the type `knowledge`:
 * completing one is not_found like any other memory. Todos and decisions have types of their own.
 */
const isMeaningful = ({ rule, subject }: Cell) =>
  rule.actsOn !== "receipt" &&
  rule.actsOn !== "a maintenance run" &&
  !(/completeReminder|Todo|Decision/.test(rule.operation) && subject.startsWith("memory_type"));

function cellsOf(door: (typeof rules.doors)[number]): [string, Cell[]][] {
  return onMemories
    .filter((rule) => isAt(door, rule.operation))
    .map((rule) => [
      `${door} ${rule.operation} ${rule.mode}`.trim(),
      cellsOfThisRun([
        ...productOf(rules, rule, door),
        ...productOfSpecials(rules, rule, door).filter(isMeaningful),
      ]),
    ]);
}

/**
 * In `npm test` cells with each outcome, and a share of the decisive ones; elsewhere a share of all that are sent. There are so
 * many of these that a run tries a tenth of its share.
 */
function cellsOfThisRun(all: readonly Cell[]): Cell[] {
  if (!IS_QUICK) return rotating(sent(rules, all), SHARE / 10);
  const spread = scattered(all);
  return shareOf(rules, spread, decisive(spread));
}

/** Cells with which each kind, set of scopes, confinement, relation and subject comes with every outcome that the page foretells for it. */
function decisive(spread: readonly Cell[]): Cell[] {
  return firstWithEach(spread, (cell) => {
    const outcome = expectedOf(rules, cell);
    const { kind, holder, scopes, position, relation, subject } = cell;
    const values = [`${kind} of a ${holder}`, `[${scopes}]`, position, relation, subject];
    return values.map((value) => JSON.stringify([value, outcome]));
  });
}

/** The product in steps of a prime, so that neighbours differ in more than one value. */
function scattered(all: readonly Cell[]): Cell[] {
  return all.map((_, at) => all[(at * 7919) % all.length] as Cell);
}

/** Thousands of requests each: seconds, on a machine that has nothing else to do. */
const MINUTES = 5 * 60_000;

/** Tests of every cell of the tables through one door. */
export function testMatrix(door: (typeof rules.doors)[number]): void {
  let world: World;
  let targets: Targets;
  beforeAll(async () => {
    world = await openWorldOfTargets();
    targets = await openTargets(world, rules);
  });
  afterAll(() => world.close());

  const cells = cellsOf(door);
  const count = cells.reduce((sum, [, some]) => sum + some.length, 0);
  describe(`${count} of the combinations of kind, scope, role, owner, token space and operation`, () => {
    test.each(cells)(
      "%s",
      async (_, asked) => {
        const found = await disagreements({ world, rules, targets }, asked);
        expect({ asked: asked.length, disagreeing: found.length, such: found.slice(0, 20) }).toEqual({
          asked: asked.length,
          disagreeing: 0,
          such: [],
        });
      },
      MINUTES,
    );
  });
}
