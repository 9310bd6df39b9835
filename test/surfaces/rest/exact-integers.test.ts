import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExactJson } from "../../../src/core/input/json.ts";
import { runs } from "../../support/random.ts";
import { world } from "./world.ts";

/** Where the body of a create is refused for an integer; null where it is taken. */
async function refusedAt(members: string): Promise<unknown[] | null> {
  const { calls, send } = world();
  const response = await send("POST", "/v1/remember", {
    headers: { "content-type": "application/json" },
    body: `{"content":"a","path":"p",${members}}`,
  });
  if (response.status === 201) return null;
  const { code, detail } = await response.json();
  expect([response.status, code, calls.length, detail.length]).toEqual([422, "validation_failed", 0, 1]);
  expect(detail[0]).toMatchObject({ type: "integer_inexact" });
  return detail[0].loc;
}

describe("an integer that would not come back as it was sent is refused where it stands", () => {
  test.each([
    ['"metadata":{"n":9007199254740993}', ["body", "metadata", "n"]],
    ['"metadata":{"n":-9007199254740993}', ["body", "metadata", "n"]],
    ['"metadata":{"n" : 12345678901234567890 }', ["body", "metadata", "n"]],
    ['"metadata":{"a":[1,{"b":[[],[2,9007199254740993]]}]}', ["body", "metadata", "a", 1, "b", 1, 1]],
    ['"metadata":{"a":{"x":1,"y":[{}]},"a\\"b\\u00e9":9007199254740993}', ["body", "metadata", 'a"bé']],
    ['"provenance":{"id":\n\t1152921504606846977\n}', ["body", "provenance", "id"]],
    ['"version":9007199254740993', ["body", "version"]],
    ['"unknown":[10000000000000000000000]', ["body", "unknown", 0]],
    [`"metadata":{"n":1${"0".repeat(400)}}`, ["body", "metadata", "n"]],
  ])("%s", async (members, loc) => {
    expect(await refusedAt(members)).toEqual(loc);
  });
});

test.each([
  '"metadata":{"n":9007199254740992,"m":-9007199254740991,"o":9007199254740994}',
  '"metadata":{"n":12345678901234567000,"zero":0,"minus":-0}',
  '"metadata":{"text":"9007199254740993, [9007199254740993]","9007199254740993":1}',
  '"metadata":{"quoted":"\\"n\\":9007199254740993,\\\\","n":[1]}',
  '"metadata":{"fraction":0.12345678901234567890,"large":1e300,"small":-1.5E-7}',
])("others are taken: %s", async (members) => {
  expect(await refusedAt(members)).toBeNull();
});

test("whatever is taken comes back as it was sent, and whatever is not is an integer that would not", () => {
  const integer = fc.oneof(
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    fc.bigInt({ min: -20n, max: 20n }).map((by) => 2n ** 53n + by),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { weight: 3, arbitrary: integer.map(String) },
      { weight: 2, arbitrary: fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)) },
      { weight: 1, arbitrary: fc.constantFrom("null", "true", "1.5", "1e21", "-0.0") },
      {
        weight: 2,
        arbitrary: fc.array(tie("any"), { maxLength: 4 }).map((items) => `[ ${items.join(" ,")}]`),
      },
      {
        weight: 2,
        arbitrary: fc
          .array(fc.tuple(fc.string({ unit: "binary" }), tie("any")), { maxLength: 4 })
          .map((members) => `{${members.map(([name, of]) => `${JSON.stringify(name)}:${of}`).join(",")} }`),
      },
    ),
  })).any as fc.Arbitrary<string>;
  fc.assert(
    fc.property(value, (text) => {
      const digits = (json: string) =>
        json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/(?<![\d.eE+-])-?\d+(?![\d.eE])/g) ?? [];
      const areKept = digits(text).every((number) => String(Number(number)) === number || number === "-0");
      const isTaken = (() => {
        try {
          parseExactJson(text, []);
          return true;
        } catch {
          return false;
        }
      })();
      expect(isTaken).toBe(areKept);
    }),
    { numRuns: runs(500) },
  );
});

test("a long body is read once, whatever it holds", async () => {
  const many = `[${"9007199254740992,".repeat(50_000)}1]`;
  expect(await refusedAt(`"unknown":${many}`)).toBeNull();
  expect(await refusedAt(`"unknown":[${"1".repeat(900_000)}]`)).toEqual(["body", "unknown", 0]);
  expect(await refusedAt(`"unknown":[${'"\\\\\\"",'.repeat(100_000)}9007199254740993]`)).toEqual([
    "body",
    "unknown",
    100_000,
  ]);
});
