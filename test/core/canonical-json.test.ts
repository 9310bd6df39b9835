import { expect, test } from "vitest";
import { canonicalJson } from "../../src/core/input/json.ts";

test("the order of an object's members does not matter, at any depth", () => {
  const one = { b: [{ y: 1, x: 2 }], a: { d: null, c: "ä" } };
  const other = { a: { c: "ä", d: null }, b: [{ x: 2, y: 1 }] };
  expect(canonicalJson(one)).toBe('{"a":{"c":"ä","d":null},"b":[{"x":2,"y":1}]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

test("the order of an array does", () => {
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});

test.each([
  [null],
  [true],
  [-0],
  [1e21],
  [" \u2028\u0000"],
  [[]],
  [{}],
  [[undefined, { a: undefined }]],
  [{ 10: 1, 9: 2, a: 3 }],
  [{ a: [[], {}], b: "" }],
])("it is JSON of the same value: %j", (value) => {
  expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
});

test("names are ordered by code unit, and each is kept, __proto__ too", () => {
  expect(canonicalJson(JSON.parse('{"a":1,"10":2,"9":3,"__proto__":4,"B":5}'))).toBe(
    '{"10":2,"9":3,"B":5,"__proto__":4,"a":1}',
  );
});

test("objects, arrays and texts that look alike are not the same", () => {
  const alike = [{ a: 1 }, [["a", 1]], '{"a":1}', { a: "1" }];
  expect(new Set(alike.map(canonicalJson)).size).toBe(alike.length);
});
