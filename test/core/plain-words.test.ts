import { expect, test } from "vitest";
import { z } from "zod";
import { operationList } from "../../src/contract/operations.ts";
import { inPlainWords } from "../../src/core/input/plain-words.ts";

const order = z.strictObject({
  name: z.string().min(2).max(8),
  count: z.number().int().min(1).lt(100),
  share: z.number().gt(0).max(1),
  step: z.number().multipleOf(5),
  code: z.string().length(4),
  pair: z.array(z.string()).length(2),
  tags: z.array(z.string()).min(1).max(3),
  isOpen: z.boolean(),
  state: z.enum(["open", "closed"]),
  kind: z.literal("order"),
  id: z.uuid(),
  at: z.iso.datetime(),
  page: z.url(),
  amount: z.union([z.string(), z.number()]),
  either: z.union([z.string().regex(/^a/), z.array(z.string())]),
  place: z.object({ path: z.string() }),
});

test.each([
  ["name", undefined, "is required"],
  ["name", 7, "must be a string, not a number"],
  ["name", null, "must be a string, not null"],
  ["name", "a", "must be at least 2 characters"],
  ["name", "far too long", "must be at most 8 characters"],
  ["count", 1.5, "must be a whole number"],
  ["count", 0, "must be at least 1"],
  ["count", 100, "must be less than 100"],
  ["count", ["1"], "must be a number, not a list"],
  ["share", 0, "must be more than 0"],
  ["share", 2, "must be at most 1"],
  ["share", Number.NaN, "must be a number"],
  ["step", 7, "must be a multiple of 5"],
  ["code", "abc", "must be exactly 4 characters"],
  ["pair", ["a"], "must have exactly 2 items"],
  ["tags", [], "must not be empty"],
  ["tags", ["a", "b", "c", "d"], "must have at most 3 items"],
  ["isOpen", "true", "must be true or false, not a string"],
  ["state", "opne", "must be one of open, closed (did you mean open?)"],
  ["state", "lost", "must be one of open, closed"],
  ["kind", "invoice", "must be order"],
  ["id", "7", "must be a UUID, such as 018f2f6e-6a1c-7cc1-9d2f-0a5c0e5b7d11"],
  ["at", "today", "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z"],
  ["page", "nowhere", "must be a URL, such as https://example.org/path"],
  ["amount", true, "must be a string or a number, not a boolean"],
  ["amount", undefined, "is required"],
  ["either", "b", "is not written in the form that is expected here"],
  ["place", "here", "must be an object, not a string"],
])("%s of %j %s", (name, value, words) => {
  const { error } = order.safeParse({ [name]: value }, inPlainWords);
  expect(error?.issues.filter(({ path }) => path[0] === name).map(({ message }) => message)).toEqual([words]);
});

test("an object that takes no other members says which was meant, or which there are", () => {
  const place = z.strictObject({ path: z.string().optional(), bucket: z.string().optional() });
  const said = (given: object) => place.safeParse(given, inPlainWords).error?.issues[0]?.message;
  expect(said({ bukcet: "a" })).toBe("has a member that is not known here: did you mean bucket?");
  expect(said({ colour: "a" })).toBe("has a member that is not known here; known are path, bucket");
});

test("nothing of zod's own wording is left in what an operation says of any wrong value", () => {
  const wrong = [1.5, -1, 1e12, "", "?", "x".repeat(70_000), true, null, [], [1], {}, { a: 1 }, undefined];
  for (const { input } of operationList) {
    for (const name of Object.keys(input.shape)) {
      for (const value of wrong) {
        const { error } = input.safeParse({ [name]: value }, inPlainWords);
        for (const { message } of error?.issues ?? [])
          expect(message).toMatch(/^(?:must |has |is |would |cannot )/);
      }
    }
  }
});
