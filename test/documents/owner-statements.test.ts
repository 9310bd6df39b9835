/** Whoever writes a statement of a table that is an owner's says whose rows it means, or says in decision 63 that it does not. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DECISION, withList } from "../../tools/owner-statements/decision.ts";
import { ownerStatements } from "../../tools/owner-statements/statements.ts";

test("decision 63 lists every statement that names no owner: a new one does, and what has learned to is taken off", () => {
  const page = readFileSync(DECISION, "utf8");
  // `npx tsx tools/owner-statements/main.ts` writes the list anew.
  expect(withList(page, ownerStatements())).toBe(page);
});
