/**
 * Writes the list of statements that name no owner anew into decision 63. test/documents/owner-statements.test.ts compares the two.
 *
 *   npx tsx tools/owner-statements/main.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { DECISION, withList } from "./decision.ts";
import { ownerStatements } from "./statements.ts";

writeFileSync(DECISION, withList(readFileSync(DECISION, "utf8"), ownerStatements()));
