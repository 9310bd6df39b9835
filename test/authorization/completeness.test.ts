import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tokenKind } from "../../src/contract/credential.ts";
import { errorCodes } from "../../src/contract/error.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { isForVisitors, operationList } from "../../src/contract/operations.ts";
import { includedInWrite, scopeAliases, scopes, teamRoles } from "../../src/contract/scope.ts";
import { productOf, productOfSpecials } from "./cells.ts";
import { doors } from "./doors.ts";
import { expectedOf } from "./expectation.ts";
import { inputs } from "./inputs.ts";
import { readRules, withIncluded } from "./rules.ts";
import { reads } from "./run-cells.ts";
import { tableUnder } from "./tables.ts";
import type { UNCONFINED } from "./targets.ts";

const rules = readRules();
const rulesOf = ({ name }: Operation) => rules.operations.filter((rule) => rule.operation === name);

test("the page has every operation of the contract in each of its modes, once, and no other", () => {
  const expected = operationList.flatMap((operation) =>
    modesOf(operation).map((mode) => `${operation.name} ${mode}`),
  );
  expect(rules.operations.map(({ operation, mode }) => `${operation} ${mode}`).sort()).toEqual(
    expected.sort(),
  );
});

/** The values of the input's member `mode`, or one nameless mode. */
function modesOf(operation: Operation): readonly string[] {
  const mode = operation.input.shape.mode as { unwrap?: () => { options?: string[] } } | undefined;
  return mode?.unwrap?.().options ?? [""];
}

test.each(operationList.map((operation) => [operation.name, operation] as const))(
  "the page asks the scopes and kinds of %s that the contract asks",
  (_, operation) => {
    // `memory:write` includes the narrow scopes: what it is enough for need not be said twice.
    const enough = (asked: readonly string[]) =>
      Object.keys(scopes)
        .filter((scope) => asked.some((one) => withIncluded(rules, [scope]).has(one)))
        .sort();
    const ofPage = rulesOf(operation);
    expect(enough(ofPage.flatMap((rule) => rule.scopes))).toEqual(enough(operation.scopes));
    const kinds = isForVisitors(operation) ? ["no credential"] : (operation.kinds ?? ["any"]);
    for (const rule of ofPage) expect(rule.kinds).toEqual(kinds);
  },
);

test("an operation that only reads is a read on the page, and one that writes is not", () => {
  for (const operation of operationList)
    for (const rule of rulesOf(operation))
      expect([operation.name, rule.capacity === "read"]).toEqual([
        operation.name,
        operation.effect === "read",
      ]);
});

test("the page has every kind of credential, scope, role, confinement and door, and no other", () => {
  expect(rules.kinds.keys).toEqual(tokenKind.options);
  expect(rules.scopes.keys).toEqual(Object.keys(scopes));
  expect(rules.roles.keys).toEqual([...teamRoles]);
  expect(rules.doors).toEqual(Object.keys(doors));
  for (const door of rules.doors) {
    const matrix = new URL(`./${door.toLowerCase()}-matrix.test.ts`, import.meta.url);
    expect(existsSync(matrix), `a file that tests every cell through ${door}`).toBe(true);
  }
  const named: Readonly<Record<keyof typeof UNCONFINED, string>> = {
    teamId: "team",
    projects: "projects",
    pathPrefix: "path prefix",
    buckets: "buckets",
  };
  expect(rules.confinements.keys).toEqual(["nothing", ...Object.values(named)]);
});

test("what a scope includes and its older name are the contract's", () => {
  for (const scope of rules.scopes.keys) {
    const { includes, olderNames } = rules.scopes.get(scope);
    expect(includes).toEqual(scope === "memory:write" ? includedInWrite : []);
    const aliases = Object.entries(scopeAliases).filter(([, stands]) => stands === scope);
    expect(olderNames).toEqual(aliases.map(([name]) => name));
  }
});

test("every outcome on the page is one that the tests can tell", () => {
  const outcomes = [
    ...rules.whose.keys.map((whose) => rules.whose.get(whose)),
    ...rules.roles.keys.flatMap((role) => Object.values(rules.roles.get(role))),
    ...rules.specials.keys.flatMap((name) => Object.values(rules.specials.get(name)).slice(1)),
    ...rules.order,
  ];
  const known = [...Object.keys(errorCodes), "allowed", "by role"];
  for (const outcome of outcomes) expect(known).toContain(outcome);
});

test("every operation has a request of its own, and acts on what the tests know", () => {
  expect(Object.keys(inputs).sort()).toEqual(operationList.map(({ name }) => name).sort());
  const known = [
    "place",
    "the ledger",
    "one memory",
    "many memories",
    "one todo",
    "many todos",
    "one decision",
    "many decisions",
    "receipt",
    "a project",
    "a whole project",
    "memories of a project",
    "a maintenance run",
    "its own agent",
    "its own credential",
    "its own webhooks",
    "its own owner",
    "its own end users",
    "nothing",
  ];
  for (const { actsOn } of rules.operations) expect(known).toContain(actsOn);
});

test("of every read of memories the tests know what its answer shows, so that an empty one is not taken for allowed", () => {
  const onMemories = rules.operations.filter(
    ({ actsOn }) => !actsOn.startsWith("its own") && actsOn !== "nothing",
  );
  const names = onMemories.filter(({ capacity }) => capacity === "read").map(({ operation }) => operation);
  expect(Object.keys(reads).sort()).toEqual(names.sort());
});

test("every cell of the whole product has one of the page's outcomes", () => {
  const outcomes = new Map<string, number>();
  for (const rule of rules.operations.filter(({ actsOn }) => actsOn !== "nothing"))
    for (const cell of [...productOf(rules, rule, "REST"), ...productOfSpecials(rules, rule, "REST")]) {
      const outcome = expectedOf(rules, cell);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  // There are some of each: a product of refusals alone would prove nothing.
  const told = ["allowed", "insufficient_scope", "not_found", "role_forbidden", "validation_failed"];
  expect([...outcomes.keys()].sort()).toEqual(told.sort());
  for (const count of outcomes.values()) expect(count).toBeGreaterThan(20);
});

test("a page without a row, a column or a table is refused, not passed over", () => {
  const page = readFileSync(new URL("../../docs/authorization.md", import.meta.url), "utf8");
  expect(() => readRules(page.replace("## Doors", "## Ways in"))).toThrow("Doors");
  expect(() => readRules(page.replace("| Scope | Allows |", "| Name | Allows |"))).toThrow("Scope");
  expect(() => readRules(page.replace("| `viewer` |", "| `member` |"))).toThrow("twice");
  const without = readRules(page.replace(/^\| `viewer` .*\n/m, ""));
  expect(() => without.roles.get("viewer")).toThrow("viewer");
  expect(tableUnder(page, "Doors")).toHaveLength(4);
});

test("the kind of a credential is read where operations are allowed and by what agents do, and nowhere else", () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const readers = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && /\.tokenKind\b/.test(readFileSync(join(src, file), "utf8")))
    .filter((file) => file !== "core/caller.ts" && !file.startsWith("core/agent/"));
  // An audit trail of a workspace says it, a diagnosis and a catalogue do, a temporary agent's context its version, and the quota of a quarantine asks for
  // it, as does who may vouch for what a memory says.
  expect(readers.sort()).toEqual([
    "core/doctor/diagnose.ts",
    "core/memory/metadata.ts",
    "core/memory/write-rules.ts",
    "core/project/actor.ts",
    "core/recall/recall-context.ts",
    "core/skill/catalogue.ts",
  ]);
});
