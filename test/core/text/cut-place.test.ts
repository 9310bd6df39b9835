import { describe, expect, it } from "vitest";
import { cutPlace } from "../../../src/recall/language/cut-place.ts";

describe("cutPlace", () => {
  it.each([
    ["a😀b", 2, 1],
    ["e\u0301x", 1, 0],
    ["👩‍👧", 2, 0],
    ["abc", 2, 2],
    ["abc", 9, 3],
    [`a${"\u0301".repeat(200)}`, 150, 150],
    [`a${"\u{e0100}".repeat(200)}`, 152, 151],
  ])("of %j at %i is %i", (text, at, expected) => {
    expect(cutPlace(text, at)).toBe(expected);
  });
});
