import { defineConfig } from "vitest/config";
import base, { LEFT_OUT, WHOLE_PROGRAMS } from "./vitest.config.ts";

// The seed chooses this share; of the REST matrix, which is large, a tenth of it (test/authorization/matrix.ts).
process.env.RECOLLECT_RUNS ??= "0.1";

/** What whole programs do, and the longest matrix. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["test/authorization/rest-matrix.test.ts", ...WHOLE_PROGRAMS],
    exclude: LEFT_OUT,
  },
});
