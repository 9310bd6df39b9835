import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenKind } from "../../src/contract/credential.ts";
import { isForVisitors, operationList } from "../../src/contract/operations.ts";
import { grantableScopes, type Scope } from "../../src/contract/scope.ts";
import { unguessable } from "../support/acting.ts";
import type { World } from "../support/world.ts";
import { type Cell, holdersOf, named, ORDINARY, positionsOf, type Relation, scopeSets } from "./cells.ts";
import { doors, isAt } from "./doors.ts";
import { expectedOf } from "./expectation.ts";
import { inputs } from "./inputs.ts";
import { type OperationRule, readRules } from "./rules.ts";
import { shareOf } from "./share.ts";
import { openTargets, openWorldOfTargets, type Target, type Targets } from "./targets.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorldOfTargets();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

/**
 * Operations on an agent and on the credential itself name nothing, so neither a memory nor a place in the token space has a part in them. That
 * confinements have none is sampled, with every scope.
 */
const aboutAgents = rules.operations.filter(({ actsOn }) =>
  ["its own agent", "its own credential"].includes(actsOn),
);

const own: Relation = { whose: "own", role: null };

const cellsOf = (rule: OperationRule): Cell[] =>
  holdersOf(rules).flatMap(({ kind, holder }) =>
    scopeSets.flatMap((scopes) =>
      positionsOf(rules, holder, own)
        .filter(({ confinement }) => confinement === "nothing" || scopes.length > 1)
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

/** What an agent gets for a request it may make, where that is no success: nobody has approved it. */
const reached: Readonly<Record<string, string>> = { confirmBinding: "conflict" };

const count = aboutAgents.flatMap(cellsOf).length;

describe(`${count} combinations of kind, scope and an agent's operation`, () => {
  test.each(aboutAgents.map((rule) => [rule.operation, rule] as const))("%s", async (name, rule) => {
    for (const cell of shareOf(rules, cellsOf(rule))) {
      const before = await agentsOf(world);
      const { code } = await knock(cell);
      const foretold = expectedOf(rules, cell);
      const expected = foretold === "allowed" ? (reached[name] ?? "allowed") : foretold;
      expect([named(cell), code ?? "allowed"]).toEqual([named(cell), expected]);
      // The credential asked with has an agent of its own: what is refused makes no other change.
      if (foretold !== "allowed")
        expect(await agentsOf(world)).toEqual({ ...before, agents: expect.anything() });
    }
  });
});

async function knock(cell: Cell) {
  const { kind, scopes } = cell as Cell & { kind: TokenKind; scopes: readonly Scope[] };
  const owner = targets.holders.get(cell.holder);
  const operation = operationList.find(({ name }) => name === cell.rule.operation);
  const input = inputs[cell.rule.operation]?.({ cell, target: {} as Target, unique: unguessable() });
  if (!owner || !operation || !input) throw new Error(`nothing asks for ${named(cell)}`);
  // A new one each time: an agent that has denied its binding is no agent any more.
  const secret = await targets.issue({ kind, owner, scopes, space: targets.spaceOf(cell) });
  const door = doors[cell.door];
  if (!door) throw new Error(`there is no door ${cell.door}`);
  return door(world, secret, operation, input);
}

async function agentsOf({ service: { sql } }: World) {
  const [row] = await sql`
    select (select count(*)::int from agents) as agents,
           (select count(*)::int from agents where status not in ('pending', 'bound')) as ended,
           (select count(*)::int from tokens where kind = 'skill' and agent_id is not null) as skill_tokens`;
  return { ...row };
}

test("a credential that is good for one operation only is invalid for every other one, by every door", async () => {
  const operations = operationList.filter((operation) => !isForVisitors(operation));
  const owner = targets.holders.get("quarantine");
  if (!owner) throw new Error("there is no quarantine");
  const secret = await targets.issue({ kind: "agent_temporary", owner });
  await world.service.sql`
    update tokens set only_for = 'confirmBinding' where kind = 'agent_temporary' and owner_id = ${owner.id}`;
  world.service.credentials.forgetCached();
  const target = {
    memoryId: "unknown",
    receiptId: "unknown",
    path: "p",
    word: "w",
    bucket: "in",
    memoryType: "reminder",
  };
  for (const rule of rules.operations) {
    const operation = operations.find(({ name }) => name === rule.operation);
    if (!operation) continue;
    const cell = { ...cellsOf(rule)[0], holder: "quarantine" } as Cell;
    const input = inputs[rule.operation]?.({ cell, target: target as Target, unique: unguessable() }) ?? {};
    for (const [name, door] of Object.entries(doors)) {
      if (!isAt(name, operation.name)) continue;
      const { code } = await door(world, secret, operation, input);
      // At the admin UI's door no credential but a session's is good for anything.
      const isReached = rule.operation === "confirmBinding" && name !== "tRPC";
      const expected = isReached ? reached.confirmBinding : rules.order[0];
      expect([name, rule.operation, code]).toEqual([name, rule.operation, expected]);
    }
  }
});

test("a skill token is never wider than the token it was issued by", async () => {
  const operation = operationList.find(({ name }) => name === "issueSkillToken");
  if (!operation) throw new Error("there is no such operation");
  const rest = doors.REST as NonNullable<typeof doors.REST>;
  for (const scopes of scopeSets as readonly (readonly Scope[])[]) {
    const secret = await targets.issue({ kind: "agent_formal", owner: targets.user, scopes });
    for (const asked of rules.scopes.keys) {
      const { code, body } = await rest(world, secret, operation, { scopes: [asked] });
      const isHeld =
        grantableScopes.includes(asked as Scope) &&
        scopes.some((scope) => scope === asked || rules.scopes.get(scope).includes.includes(asked));
      expect([scopes, asked, code]).toEqual([scopes, asked, isHeld ? null : "validation_failed"]);
      if (isHeld) expect(body.scopes).toEqual([asked]);
    }
  }
});
