import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const built = (name: string) => fileURLToPath(new URL(`dist/client/${name}.js`, import.meta.url));

/** The client's integrations with the real frameworks, which `npm run client:frameworks` installs, against a server. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@recollect\/client$/, replacement: built("index") },
      { find: /^@recollect\/client\/(.+)$/, replacement: built("integrations/$1") },
    ],
  },
  test: {
    include: ["packages/client/test/**/*.test.ts"],
    globalSetup: ["packages/client/test/server.ts"],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
