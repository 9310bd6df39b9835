import { defineConfig } from "vitest/config";
import { testsThatReach } from "./test/support/imports.ts";
import base, { LEFT_OUT } from "./vitest.config.ts";

// All that random tests and matrices can try; RECOLLECT_RUNS=10 is ten times as much.
process.env.RECOLLECT_RUNS ??= "1";

/** Every test of which other runs try a share. */
export default defineConfig({
  test: {
    ...base.test,
    include: testsThatReach("test/support/random.ts"),
    exclude: LEFT_OUT,
  },
});
