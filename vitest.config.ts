import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const listed = (globs: string | undefined) => globs?.split(",").filter((glob) => glob !== "");

/** What takes longest begins first, or one worker would still be at it when the others have nothing left. */
const LONGEST = [
  "authorization/rest-matrix",
  "authorization/mcp-matrix",
  "runtimes/stopping",
  "faults/engine",
  "faults/acceptable",
  "runtimes/smoke",
  "packaging/image",
  "limits/replicas",
  "limits/counters",
  "project/concurrency",
  "memory/secrets",
  "oauth/grants",
  "oauth/accounts",
  "oauth/refusals",
  "project/sequences",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // The gate divides the files over its runs by these two.
    include: listed(process.env.TEST_INCLUDE) ?? ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(listed(process.env.TEST_EXCLUDE) ?? [])],
    globalSetup: ["test/support/database.ts", "test/support/skipped.ts"],
    // One more than the machines this runs on have cores: tests wait for the database about half of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Loading the service anew for each file took longer than most files' tests. Nothing in it is kept in modules.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
