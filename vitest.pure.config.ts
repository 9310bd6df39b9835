import { defineConfig } from "vitest/config";
import { serverlessTests } from "./test/support/imports.ts";
import base from "./vitest.config.ts";

/** The tests of `npm test` that need no database and start nothing: for the minute between two changes. */
export default defineConfig({
  test: { ...base.test, include: serverlessTests(), globalSetup: [] },
});
