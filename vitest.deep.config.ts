import { defineConfig } from "vitest/config";
import base, { WHOLE_PROGRAMS } from "./vitest.config.ts";

// Of the matrix a tenth, which the seed chooses. `npm test` tries only the cells that decide.
process.env.RECOLLECT_RUNS ??= "0.1";

/** What whole programs do, and the longest matrix. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["test/authorization/rest-matrix.test.ts", ...WHOLE_PROGRAMS],
    exclude: base.test?.exclude?.filter((glob) => !WHOLE_PROGRAMS.includes(glob)) ?? [],
  },
});
