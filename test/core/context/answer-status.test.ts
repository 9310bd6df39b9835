import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnswerItem, answerStatusOf } from "../../../src/core/context/answer-status.ts";
import { anyCandidates } from "./candidates.ts";

function answer(given: Partial<AnswerItem> = {}): AnswerItem {
  return {
    content: "The database is Postgres.",
    relevance: 0.8,
    confidence: 1,
    authority: "observation",
    semanticKey: null,
    status: "active",
    supersededBy: null,
    ...given,
  };
}
const port = (number: number, given: Partial<AnswerItem> = {}) =>
  answer({ content: `The billing service listens on port ${number}.`, ...given });

describe("answerStatusOf", () => {
  it.each<[string, AnswerItem[], number, string]>([
    ["nothing", [], 1, "no_memories"],
    ["a strong match that covers the query", [answer()], 0.8, "confirmed_answer"],
    ["a strong match that covers less than half of it", [answer()], 0.4, "partial_answer"],
    ["a middling match", [answer({ relevance: 0.7 })], 0.65, "partial_answer"],
    [
      "a middling match that was verified",
      [answer({ relevance: 0.7, authority: "verified" })],
      0.65,
      "confirmed_answer",
    ],
    ["an inference", [answer({ authority: "inference" })], 1, "partial_answer"],
    ["little confidence", [answer({ confidence: 0.2 })], 1, "partial_answer"],
    ["a superseded answer", [answer({ status: "superseded" })], 1, "no_confirmed_answer"],
    ["a weak match", [answer({ relevance: 0.3 })], 1, "no_confirmed_answer"],
    ["other numbers", [port(8080), port(9090)], 1, "conflicting_answers"],
    ["other numbers, one superseded", [port(8080, { supersededBy: "x" }), port(9090)], 1, "confirmed_answer"],
    [
      "other numbers, one hardly relevant",
      [port(8080), port(9090, { relevance: 0.4 })],
      1,
      "confirmed_answer",
    ],
    [
      "one key, two contents",
      [answer({ semanticKey: "db" }), answer({ semanticKey: "db", content: "MySQL" })],
      1,
      "conflicting_answers",
    ],
    [
      "one key, one content",
      [answer({ semanticKey: "db" }), answer({ semanticKey: "db" })],
      1,
      "confirmed_answer",
    ],
  ])("of %s", (_, items, coverage, expected) => {
    expect(answerStatusOf(items, coverage)).toBe(expected);
  });

  it("does not depend on the order of items", () => {
    fc.assert(
      fc.property(anyCandidates(6), fc.double({ min: 0, max: 1, noNaN: true }), (given, coverage) => {
        const items = given.filter((item) => !Number.isNaN(item.relevance));
        expect(answerStatusOf([...items].reverse(), coverage)).toBe(answerStatusOf(items, coverage));
      }),
      { numRuns: 300 },
    );
  });

  it("reads what long texts state from their beginnings, and of one fact compares them whole", () => {
    const rest = "Much more was written about it on that day. ".repeat(1400);
    const note = (number: number, end = "", given: Partial<AnswerItem> = {}) =>
      answer({ content: `The service listens on port ${number}. ${rest}${end}`, ...given });
    expect(answerStatusOf([note(8080), note(9090)], 1)).toBe("conflicting_answers");
    expect(answerStatusOf([note(8080, "a"), note(8080, "b")], 1)).toBe("confirmed_answer");
    const fact = { semanticKey: "port" };
    expect(answerStatusOf([note(8080, "a", fact), note(8080, "b", fact)], 1)).toBe("conflicting_answers");
    expect(answerStatusOf([note(8080, "a", fact), note(8080, " a ", fact)], 1)).toBe("confirmed_answer");
  });
});
