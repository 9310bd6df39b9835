/** Writes the pages of docs/ that are made from the code anew: `npm run docs:pages`. */
import { writeFileSync } from "node:fs";
import { madePages } from "./pages.ts";

for (const [path, content] of Object.entries(madePages()))
  writeFileSync(new URL(`../../../${path}`, import.meta.url), content);
