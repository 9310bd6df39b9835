import { defineConfig } from "vitest/config";
import base, { WHOLE_PROGRAMS } from "./vitest.config.ts";

// The seed chooses this share; of the REST matrix, which is large, a third of it (test/authorization/matrix.ts).
process.env.RECOLLECT_RUNS ??= "0.1";

/** What whole programs do, and the longest matrix. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["test/authorization/rest-matrix.test.ts", ...WHOLE_PROGRAMS],
    exclude: base.test?.exclude?.filter((glob) => !WHOLE_PROGRAMS.includes(glob)) ?? [],
  },
});
