/** Writes `docs/errors.md` anew from the contract: `npm run errors-page`. */
import { writeFileSync } from "node:fs";
import { errorsPage } from "./page.ts";

writeFileSync(new URL("../../docs/errors.md", import.meta.url), errorsPage());
