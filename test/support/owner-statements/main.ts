/**
 * Writes the list of statements that run over all owners anew into decision 63, from `exceptions.ts`.
 *
 *   npx tsx test/support/owner-statements/main.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { DECISION, withList } from "./decision.ts";

writeFileSync(DECISION, withList(readFileSync(DECISION, "utf8")));
