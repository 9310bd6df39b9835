/** Whoever writes a statement of a table that is an owner's says whose rows it means, or why it means those of all owners. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DECISION, withList } from "../support/owner-statements/decision.ts";
import { EXCEPTIONS } from "../support/owner-statements/exceptions.ts";
import { keyOf, ownerlessStatements } from "../support/owner-statements/statements.ts";

test("every statement names its owner but for the exceptions, and every exception is one still", () => {
  expect(ownerlessStatements().map(keyOf)).toEqual(EXCEPTIONS.map(keyOf));
});

test("decision 63 lists the exceptions and their reasons", () => {
  const page = readFileSync(DECISION, "utf8");
  // `npx tsx test/support/owner-statements/main.ts` writes the list anew.
  expect(withList(page)).toBe(page);
});
