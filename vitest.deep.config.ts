import { defineConfig } from "vitest/config";
import base, { WHOLE_PROGRAMS } from "./vitest.config.ts";

// All that random and exhaustive tests can try; RECOLLECT_RUNS=10 is ten times as much.
process.env.RECOLLECT_RUNS ??= "1";

/** The tests that try a tenth of it, or one runtime, in `npm test`. */
const DEEP = [
  "adapters/token-encoder/token-encoder",
  "authorization/rest-matrix",
  "client/{faults,handoff}",
  "core/reminder/occurrences",
  "core/transfer/backup",
  "credentials/isolation",
  "memory/temporary-facts-model",
  "peers/readers",
  "project/{concurrency,context-budget,context-pack,reminder-recurrence,sequences}",
  "project/maintenance-{concurrency,merge,model}",
  "quotas/counted",
  "race/race",
  "replicas/change-feed",
  "runtimes/{own-runtime,smoke}",
  "teams/random-roles",
  "worlds/{steering,worlds}",
];

export default defineConfig({
  test: {
    ...base.test,
    include: [...DEEP.map((name) => `test/${name}.test.ts`), ...WHOLE_PROGRAMS],
    exclude: base.test?.exclude?.filter((glob) => !WHOLE_PROGRAMS.includes(glob)) ?? [],
  },
});
