import { configDefaults, defineConfig } from "vitest/config";

const listed = (globs: string | undefined) => globs?.split(",").filter((glob) => glob !== "");

export default defineConfig({
  test: {
    // The gate divides the files over its runs by these two.
    include: listed(process.env.TEST_INCLUDE) ?? ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(listed(process.env.TEST_EXCLUDE) ?? [])],
    globalSetup: ["test/support/database.ts", "test/support/skipped.ts"],
    // Two at a time: the machines this runs on are small, and each file has a database of its own.
    maxWorkers: 2,
    // Loading the service anew for each file took longer than most files' tests. Nothing in it is kept in modules.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
