// Loaded by `bun test` before any test: Bun's own runner cannot run these, which are Vitest's.
process.stderr.write(
  "These tests run with Vitest: type `bun run test` or `npm test`. For one file: npx vitest run test/memory/update.test.ts\n",
);
process.exit(1);
