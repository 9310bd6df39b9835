import { fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { everyScope, openWorld, type World } from "../support/world.ts";
import { type Cell, holdersOf, ORDINARY, scopeSets } from "./cells.ts";
import { doors, offeredTools } from "./doors.ts";
import { mayCall } from "./expectation.ts";
import { inputs } from "./inputs.ts";
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
      const offered = (await offeredTools(world, secret)).map(({ name }) => name);
      expect([scopes, offered]).toEqual([scopes, expected.map(({ tool }) => tool)]);
    }
  },
);

const tooled = operationList.filter(({ mcp }) => mcp);
let calls = 0;

/** Calls an operation's tool over an ordinary memory, todo or decision of the caller's own. */
async function call(operation: (typeof operationList)[number], scopes: readonly string[], more: object = {}) {
  const rule = rules.operations.find((one) => one.operation === operation.name) as Cell["rule"];
  const cell = { ...anywhere, rule, kind: "api_key", holder: "user", scopes } satisfies Cell;
  const target = await targets.target(cell);
  const secret = await targets.secret(cell);
  const input = inputs[operation.name]?.({ cell, target, unique: `tool${calls++}` }) ?? {};
  const reply = await doors.MCP?.(world, secret, operation, { ...input, ...more });
  const tool = (await offeredTools(world, secret)).find(({ name }) => name === operation.mcp?.tool);
  return { reply, tool, input };
}

test.each(tooled.map((operation) => [operation.mcp?.tool as string, operation] as const))(
  "what %s answers fits the output schema that it is listed with, and so does a refusal",
  async (_, operation) => {
    const narrow = operation.effect === "read" ? [] : [["memory:write"]];
    for (const scopes of [everyScope, ...narrow]) {
      for (const more of [{}, { no_such_argument: 1 }]) {
        const { reply, tool } = await call(operation, scopes, more);
        const schema = fromJsonSchema(tool?.outputSchema as JsonSchemaType)["~standard"];
        expect([reply, await schema.validate(reply?.body)]).not.toMatchObject([
          {},
          { issues: expect.anything() },
        ]);
        if ("no_such_argument" in more) expect(reply?.code).toBe("validation_failed");
      }
    }
  },
);
