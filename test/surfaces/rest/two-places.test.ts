import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { Operation } from "../../../src/contract/operation.ts";
import { operationList } from "../../../src/contract/operations.ts";
import { memberPlaces } from "../../../src/surfaces/http/member-places.ts";
import { runs } from "../../support/random.ts";
import { someInput } from "../../support/some-input.ts";
import { world } from "./world.ts";

type Members = Readonly<Record<string, unknown>>;

// To make a surface takes longer than all that is sent to it.
const { calls, send } = world();

/** What reaches the application, or the places of a refusal. */
async function outcome(
  operation: Operation,
  path: Members,
  query: Members,
  body: Members | null,
  headers = {},
) {
  const { http } = operation;
  calls.length = 0;
  const place = http.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const address = pairs.length === 0 ? place : `${place}?${pairs.join("&")}`;
  const response = await send(http.method, address, { headers, ...(body && { body }) });
  const answer = await response.json();
  const places = Array.isArray(answer.detail)
    ? answer.detail.map(({ loc }: { loc: unknown[] }) => loc.join("."))
    : [];
  return { status: response.status, places, input: calls[0]?.input, answer };
}

const pick = (input: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
const without = (input: Members, name: string): Members =>
  Object.fromEntries(Object.entries(input).filter(([one]) => one !== name));

/** The operations that a request can carry a body for, but those that need none of the credentials or not this kind. */
const WITH_BODIES = operationList.filter(({ http, kinds }) => http.method !== "GET" && kinds === undefined);
const MADE = WITH_BODIES.filter((operation) =>
  fc.sample(someInput(operation), 20).some((input) => operation.input.safeParse(input).success),
);

/** An operation with a valid input, in the places that the documents name, and one member that a query can spell. */
const requests = fc.constantFrom(...MADE).chain((operation) =>
  someInput(operation)
    .filter((input) => operation.input.safeParse(input).success)
    .chain((input) => {
      const places = memberPlaces(operation);
      const inHeaders = Object.keys(operation.http.headers ?? {});
      const given = without(input, inHeaders[0] ?? "");
      const spelled = Object.keys(given).filter(
        (name) => !places.path.includes(name) && typeof given[name] !== "object",
      );
      const isInQuery = places.body.length === 0 && places.query.length > 0;
      return fc.record({
        operation: fc.constant(operation),
        path: fc.constant(pick(given, places.path)),
        rest: fc.constant(
          pick(
            given,
            Object.keys(given).filter((name) => !places.path.includes(name)),
          ),
        ),
        member: fc.constantFrom(...(spelled.length === 0 ? [null] : spelled)),
        isInQuery: fc.constant(isInQuery),
      });
    }),
);

/** Sends the usual members where they belong, and the one in the places that are asked for. */
type Request = {
  operation: Operation;
  path: Members;
  rest: Members;
  member: string | null;
  isInQuery: boolean;
};
function sent({ operation, path, rest, member, isInQuery }: Request, query: Members, body: Members) {
  const others = without(rest, member ?? "");
  const inBody = isInQuery ? body : { ...others, ...body };
  const isEmpty = Object.keys(inBody).length === 0;
  return outcome(operation, path, isInQuery ? { ...others, ...query } : query, isEmpty ? null : inBody);
}

test("a member means the same in the query as in the body, in every operation", async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { member, rest } = request;
      if (member === null) return;
      const one = { [member]: rest[member] };
      const inQuery = await sent(request, one, {});
      expect([request.operation.name, member, inQuery.places]).toEqual([request.operation.name, member, []]);
      expect((await sent(request, {}, one)).input).toEqual(inQuery.input);
      expect((await sent(request, one, one)).input).toEqual(inQuery.input);
      // null gives no value, in either place.
      expect((await sent(request, one, { [member]: null })).input).toEqual(inQuery.input);
    }),
    { numRuns: runs(100) },
  );
});

test("with two values it is refused, in every operation", async () => {
  await fc.assert(
    fc.asyncProperty(requests, requests, async (request, another) => {
      const { member, rest, operation } = request;
      if (member === null) return;
      const schema = operation.input.shape[member] as z.ZodType;
      const other = another.rest[member] ?? differing(rest[member], schema);
      const isOther =
        JSON.stringify(schema.safeParse(other).data) !== JSON.stringify(schema.parse(rest[member]));
      if (other === undefined || typeof other === "object" || !schema.safeParse(other).success || !isOther)
        return;
      const { status, places, input } = await sent(request, { [member]: rest[member] }, { [member]: other });
      expect([operation.name, status, places, input]).toEqual([
        operation.name,
        422,
        [`body.${member}`],
        undefined,
      ]);
    }),
    { numRuns: runs(100) },
  );
});

function differing(value: unknown, schema: z.ZodType): unknown {
  const candidates = [
    !value,
    Number(value) + 1,
    `${value}x`,
    "2027-01-01T00:00:00Z",
    "018f2f6e-6a1c-7cc1-9d2f-0a5c0e5b7d11",
  ];
  return candidates.find(
    (candidate) => typeof candidate === typeof value && schema.safeParse(candidate).success,
  );
}

test("a member of the path may be said again, and not otherwise", async () => {
  for (const operation of WITH_BODIES) {
    const { path } = memberPlaces(operation);
    for (const member of path) {
      const id = "018f2f6e-6a1c-7cc1-9d2f-0a5c0e5b7d11";
      const named = Object.fromEntries(path.map((name) => [name, id]));
      for (const [query, body, place] of [
        [{ [member]: "other" }, null, "query"],
        [{}, { [member]: "other" }, "body"],
      ] as const) {
        const { status, places } = await outcome(operation, named, query, body);
        expect([operation.name, status, places]).toEqual([operation.name, 422, [`${place}.${member}`]]);
      }
      const again = await outcome(operation, named, { [member]: id }, { [member]: id });
      expect(again.places.filter((at: string) => at.endsWith(member))).toEqual([]);
    }
  }
});

test("a condition counts wherever it stands", async () => {
  const operation = WITH_BODIES.find(({ name }) => name === "deleteMemory") as Operation;
  const path = { memory_id: "m" };
  const inHeader = { "if-match": '"1"' };
  for (const [query, body, headers] of [
    [{ if_match: '"1"' }, null, {}],
    [{}, { if_match: '"1"' }, {}],
    [{ if_match: '"1"' }, null, inHeader],
  ] as const)
    expect((await outcome(operation, path, query, body, headers)).input).toMatchObject({ if_match: '"1"' });
  expect((await outcome(operation, path, { if_match: '"2"' }, null, inHeader)).places).toEqual([
    "query.if_match",
  ]);
});

describe("a name that no member has, and that says who or what is meant, is refused", () => {
  const NAMES = [
    "user_id",
    "userId",
    "owner_id",
    "user",
    "agent_id",
    "agent",
    "project",
    "team",
    "project_ids",
  ];
  const MORE = ["session_id", "task_id", "todo_id", "memory_ids", "scope", "mode", "dry_run", "mdoe"];

  test.each([...NAMES, ...MORE])("%s, in every operation", async (name) => {
    for (const operation of operationList.filter(({ kinds }) => kinds === undefined)) {
      const folded = (text: string) => text.toLowerCase().replaceAll("_", "");
      if (Object.keys(operation.input.shape).some((known) => folded(known) === folded(name))) continue;
      // A guess is refused only for what says who or what is meant.
      if (name === "mdoe" && operation.effect !== "destroy") continue;
      const path = { memory_id: "m", todo_id: "t", decision_id: "d", project_id: "p" };
      const isGet = operation.http.method === "GET";
      for (const [query, body, place] of [
        [{ [name]: "x" }, null, "query"],
        ...(isGet ? [] : ([[{}, { [name]: "x" }, "body"]] as const)),
      ] as const) {
        const { status, places, input, answer } = await outcome(operation, path, query, body);
        expect([operation.name, status, input]).toEqual([operation.name, 422, undefined]);
        expect([operation.name, places]).toEqual([
          operation.name,
          expect.arrayContaining([`${place}.${name}`]),
        ]);
        expect(JSON.stringify(answer)).toMatch(/is not known here: (?:did you mean|it takes|the credential)/);
      }
    }
  });

  test("with what was meant", async () => {
    const said = async (name: string, path: Members, member: string) => {
      const operation = operationList.find((one) => one.name === name) as Operation;
      const { answer } = await outcome(operation, path, { [member]: "x" }, null);
      return answer.detail.find(({ loc }: { loc: unknown[] }) => loc.at(-1) === member).msg;
    };
    expect(await said("listMemories", {}, "project")).toBe("is not known here: did you mean project_id?");
    expect(await said("remember", {}, "agent_id")).toBe(
      "is not known here: did you mean provenance.agent_id?",
    );
    expect(await said("listSkillOperations", {}, "user_id")).toBe(
      "is not known here: the credential decides whose memories are meant",
    );
    expect(await said("deleteMemory", { memory_id: "m" }, "mdoe")).toBe(
      "is not known here: did you mean mode?",
    );
  });
});

test("what destroys something refuses every member that it does not know", async () => {
  for (const operation of WITH_BODIES.filter(({ effect }) => effect === "destroy")) {
    for (const name of ["force", "permanently", "x"]) {
      const inQuery = await outcome(operation, {}, { [name]: "true" }, null);
      const inBody = await outcome(operation, {}, {}, { [name]: true });
      expect([operation.name, inQuery.status, inBody.status]).toEqual([operation.name, 422, 422]);
      expect([inQuery.input, inBody.input]).toEqual([undefined, undefined]);
    }
  }
});
