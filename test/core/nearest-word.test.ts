import { expect, test } from "vitest";
import { nearestWord } from "../../src/core/input/nearest-word.ts";

test.each([
  ["of", ["on", "off"], "off"],
  ["OFF", ["on", "off"], "off"],
  ["membr", ["owner", "admin", "member", "viewer"], "member"],
  ["amdin", ["owner", "admin", "member", "viewer"], "admin"],
  ["keep-out", ["keep_out", "note", "refuse", "allow"], "keep_out"],
  ["prod", ["development", "local", "test", "production"], "production"],
  ["Project", ["path", "project_id", "provenance"], "project_id"],
  ["prodution", ["development", "local", "test", "production"], "production"],
])("%j of %j was probably meant to be %j", (given, words, meant) => {
  expect(nearestWord(given, words)).toBe(meant);
});

test.each([
  ["", ["on", "off"]],
  ["yes", ["on", "off"]],
  ["mood", ["mode"]],
  ["su", ["superseded"]],
  ["merge", ["merge_metadata", "merge_provenance"]],
  ["boss", ["owner", "admin", "member", "viewer"]],
  ["x".repeat(1_000_000), ["mask", "refuse", "allow"]],
])("nothing in particular was meant by a word that is near to none (%#)", (given, words) => {
  expect(nearestWord(given, words)).toBeNull();
});
