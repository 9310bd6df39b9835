import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "../../src/core/input/json.ts";

test.each([
  ["", "ends before it is complete (line 1, column 1)"],
  ['{"a": 1', "ends before it is complete (line 1, column 8)"],
  ['{"a": "secret', "ends before it is complete (line 1, column 14)"],
  ['{"a": 1,}', "is not from line 1, column 9 on"],
  ["{'a': 1}", "is not from line 1, column 2 on"],
  ['{"a": 1\n  "b": 2}', "is not from line 2, column 3 on"],
  ['{"a" 1}', "is not from line 1, column 6 on"],
  ["[1, 2]]", "is not from line 1, column 7 on"],
  ["[1, 02]", "is not from line 1, column 5 on"],
  ['["a\nb"]', "is not from line 1, column 4 on"],
  ['["\\x"]', "is not from line 1, column 4 on"],
  ["{]", "is not from line 1, column 2 on"],
  ["nul", "ends before it is complete (line 1, column 4)"],
  ["none", "is not from line 1, column 1 on"],
])("%j %s", (text, said) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFault(text)).toBe(said);
});

test("neither a deep nor a long text is too much", () => {
  expect(jsonFault("[".repeat(1_000_000))).toBe("ends before it is complete (line 1, column 1000001)");
  expect(jsonFault(`"${"a".repeat(1_000_000)}`)).toBe("ends before it is complete (line 1, column 1000002)");
});

test("JSON that is cut anywhere ends too early there, and nothing before the fault is found faulty", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (value, share) => {
        const text = JSON.stringify({ a: [value] });
        const cut = text.slice(0, Math.floor(text.length * share));
        expect(jsonFault(cut)).toBe(`ends before it is complete (line 1, column ${cut.length + 1})`);
        expect(jsonFault(`${text}!`)).toBe(`is not from line 1, column ${text.length + 1} on`);
      },
    ),
  );
});
