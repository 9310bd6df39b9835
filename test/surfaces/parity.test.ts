/**
 * The same operation through each door gives the same answer, the same error with the same code, and leaves the same audit
 * lines. What a door adds of its own is its form, which `parity-doors.ts` takes off.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../src/contract/operation.ts";
import { operationList } from "../../src/contract/operations.ts";
import { type Cell, ORDINARY } from "../authorization/cells.ts";
import { inputs } from "../authorization/inputs.ts";
import { type OperationRule, readRules } from "../authorization/rules.ts";
import { makeAnew, openTargets, type Targets } from "../authorization/targets.ts";
import { everyScope, openWorld, type World } from "../support/world.ts";
import { type ParityDoor, parityDoors } from "./parity-doors.ts";

const rules = readRules();
let world: World;
let targets: Targets;
beforeAll(async () => {
  world = await openWorld();
  targets = await openTargets(world, rules);
});
afterAll(() => world.close());

type Input = Record<string, unknown>;

/** One way in which an operation is called through every door that has it. */
interface Case {
  readonly named: string;
  readonly scopes: readonly string[];
  readonly whose: "own" | "another user's";
  /** What is sent in place of what the operation takes. */
  readonly changed: (input: Input) => Input;
  /** False where only the code of a refusal is the same: a door that lists what may be called says it in its own way. */
  readonly isSameInFull: boolean;
  /** The code that is answered; null for none, and not given where it is another for each operation. */
  readonly expected?: string | null;
}

const asIs = (input: Input) => input;
const MEANT: Case = {
  named: "as it is meant",
  scopes: everyScope,
  whose: "own",
  changed: asIs,
  isSameInFull: true,
  expected: null,
};
const fixedCases: readonly Case[] = [
  MEANT,
  {
    named: "of somebody else",
    scopes: everyScope,
    whose: "another user's",
    changed: asIs,
    isSameInFull: true,
  },
  {
    named: "without a scope",
    scopes: [],
    whose: "own",
    changed: asIs,
    isSameInFull: false,
    expected: "insufficient_scope",
  },
];

/** A member that no operation takes such a value of: U+0000 is neither text, nor an id, nor a word of a list. */
const withBad = (member: string): Case => ({
  named: `with a bad ${member}`,
  scopes: everyScope,
  whose: "own",
  changed: (input) => ({ ...input, [member]: "\u0000" }),
  isSameInFull: true,
  expected: "validation_failed",
});

/** What came of it, without what is different at each call. */
interface Outcome {
  readonly code: string | null;
  readonly body: unknown;
  readonly audit: { readonly lines: readonly object[]; readonly steps: readonly object[] };
}

/** What came of a call, as another door promises it; in full unless one is given. */
type Told = (by?: ParityDoor) => Outcome;

let calls = 0;

async function outcomeOf(
  door: ParityDoor,
  operation: Operation,
  rule: OperationRule,
  one: Case,
): Promise<Told> {
  const cell: Cell = {
    rule,
    door: "REST",
    kind: rule.kinds.includes("any") ? "api_key" : (rule.kinds[0] as string),
    holder: rule.kinds.includes("agent_temporary") ? "quarantine" : "user",
    scopes: one.scopes,
    position: { confinement: "nothing", isInside: true },
    relation: { whose: one.whose, role: null },
    subject: ORDINARY,
  };
  const target = await targets.target(cell);
  // What is refused changes nothing, which its audit lines show.
  if (operation.effect !== "read" && one === MEANT) await makeAnew(target);
  const secret = await targets.secret(cell);
  // Digits alone would be a number of days, which is to be the same at each door.
  const unique = `parity${"abcdefghijklmnopqrstuvwxyz"[calls++ % 26]}${"x".repeat(calls)}7`;
  const input = one.changed(inputs[operation.name]?.({ cell, target, unique }) ?? {});
  if (OF_END_USER.has(operation.name) && one === MEANT) await makeEndUser(secret);
  const before = await lastLines();
  // A conversation names its own session.
  const { "x-session-id": _, ...outsideSession } = HEADERS;
  const headers = operation.name === "storeConversation" ? outsideSession : HEADERS;
  const { code, body } = await door.call(world, secret, operation, input, headers);
  const audit = await linesSince(before);
  return (by) => {
    const promised = code === null && by?.promised ? by.promised(operation, body) : body;
    const told = { code, body: one.isSameInFull ? promised : null, audit };
    return JSON.parse(alike(JSON.stringify(told).replaceAll(unique, "<unique>")));
  };
}

const HEADERS = {
  "x-agent-id": "parity-agent",
  "x-agent-instance": "one",
  "x-session-id": "s-1",
  "x-task-id": "t-1",
};

const OF_END_USER: ReadonlySet<string> = new Set(["getEndUser", "eraseEndUser", "issueEndUserToken"]);

/** The end user of the inputs, who is there once something is stored for them. */
async function makeEndUser(secret: string): Promise<void> {
  const made = await world
    .withToken(secret)
    .post("/v1/memories", { memory_id: "of-ada", content: "Of Ada", path: "in/new", user_id: "ada" });
  expect(made.status).toBe(201);
}

/** Ids, times and digests that the service makes, by the order in which they are first there. */
function alike(json: string): string {
  const seen = new Map<string, number>();
  const numbered = (kind: string) => (made: string) => {
    if (!seen.has(made)) seen.set(made, seen.size);
    return `<${kind} ${seen.get(made)}>`;
  };
  return (
    json
      .replaceAll(/(?<="plan_hash":")[^"]+/g, numbered("plan"))
      .replaceAll(/rcl_user_[\w-]{43}/g, "<token>")
      // A place to read on from is another text each time.
      .replaceAll(/(?<="next":")evt_[\w-]{22}(?=")/g, "<place>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered("id"))
      // An etag: the memory's own part, and its revision, which is to be the same.
      .replaceAll(/[0-9a-f]{12}(?=-\d+\\")/g, "<etag>")
      .replaceAll(/(?<!\d\.\d*)[0-9a-f]{16,}/g, numbered("digest"))
  );
}

interface LastLines {
  readonly audit: string;
  readonly events: string;
}

async function lastLines(): Promise<LastLines> {
  const { sql } = world.service;
  const [last] = await sql`
    select coalesce((select max(id) from audit_log), 0)::text as audit,
           coalesce((select max(id) from workspace_events), 0)::text as events`;
  return last as unknown as LastLines;
}

/** What the record says of who did what since then; the ids of requests are those of each. */
async function linesSince({ audit, events }: LastLines) {
  const { sql } = world.service;
  const lines = await sql`
    select operation, owner_id, agent_id, memory, token_id, detail, request_id is not null as of_request
    from audit_log where id > ${audit}::bigint order by id`;
  const steps = await sql`
    select operation, item, from_status, to_status, note, agent_id, token_id, token_kind, trust
    from workspace_events where id > ${events}::bigint order by id`;
  return { lines: [...lines], steps: [...steps] };
}

const byRule = rules.operations.map((rule) => {
  const operation = operationList.find(({ name }) => name === rule.operation) as Operation;
  return [`${rule.operation} ${rule.mode}`.trim(), operation, rule] as const;
});

test("every operation has a door, and every tool has two", () => {
  expect(new Set(byRule.map(([, { name }]) => name))).toEqual(new Set(operationList.map(({ name }) => name)));
  const doorsOf = (operation: Operation) => parityDoors.filter(({ has }) => has(operation)).length;
  for (const operation of operationList)
    expect(doorsOf(operation)).toBeGreaterThanOrEqual(operation.mcp ? 2 : 1);
});

describe.each(byRule.filter(([, operation]) => parityDoors.filter(({ has }) => has(operation)).length > 1))(
  "%s",
  (_, operation, rule) => {
    test("is the same through every door", async () => {
      const given = await sampleOf(operation, rule);
      const bad = Object.keys(given)
        .filter((member) => typeof given[member] === "string")
        .map(withBad);
      const fixed = fixedCases.filter(({ scopes }) => scopes.length > 0 || operation.scopes.length > 0);
      for (const one of [...fixed, ...bad]) {
        const [first, ...others] = parityDoors.filter(({ has }) => has(operation));
        const told = await outcomeOf(first as ParityDoor, operation, rule, one);
        const expected = told();
        if (one.expected !== undefined) expect([one.named, expected.code]).toEqual([one.named, one.expected]);
        // Nothing compared with nothing would be the same as well.
        const { lines, steps } = expected.audit;
        // What a filter would delete is only said until it is confirmed.
        const isSaidOnly =
          operation.effect === "read" || ["deleteMatching", "eraseEndUser"].includes(operation.name);
        // An end user is one's own, whoever else has one of that name.
        const isOfAnybody = operation.name === "issueEndUserToken" && expected.code === null;
        const isWritten = (one === MEANT || isOfAnybody) && !isSaidOnly;
        expect([one.named, lines.length + steps.length > 0]).toEqual([one.named, isWritten]);
        for (const other of others)
          expect([one.named, other.name, (await outcomeOf(other, operation, rule, one))()]).toEqual([
            one.named,
            other.name,
            told(other),
          ]);
      }
    });
  },
);

/** What the operation is called with, for its members' names. */
async function sampleOf(operation: Operation, rule: OperationRule): Promise<Input> {
  const relation = { whose: "own", role: null } as const;
  const position = { confinement: "nothing", isInside: true };
  const cell: Cell = {
    rule,
    door: "REST",
    kind: "api_key",
    holder: "user",
    scopes: everyScope,
    position,
    relation,
    subject: ORDINARY,
  };
  const target = await targets.target(cell);
  return inputs[operation.name]?.({ cell, target, unique: "sample" }) ?? {};
}
