import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const listed = (globs: string | undefined) => globs?.split(",").filter((glob) => glob !== "");

/** What takes longest begins first, or one worker would still be at it when the others have nothing left. */
export const LONGEST = [
  "browser/other-origin",
  "authorization/rest-matrix",
  "authorization/mcp-matrix",
  "browser/accessible",
  "runtimes/stopping",
  "faults/engine",
  "faults/acceptable",
  "browser/binding",
  "browser/consent",
  "project/maintenance-schedule",
  "limits/replicas",
  "runtimes/smoke",
  "packaging/{deploy,image,tarball}",
  "oauth/grants",
  "limits/counters",
  "project/concurrency",
  "oauth/accounts",
  "worlds/worlds",
];

/**
 * Tests of whole programs that are started, stopped and killed, share a folder, count together or run elsewhere, of what a
 * browser shows, of whole random worlds, and of large records: in `npm run test:deep`. Here only if one of them is named.
 */
export const WHOLE_PROGRAMS = [
  "admin/{access-pages,admin,attacks,browse,changes-runtimes,failures,home-counts,house,jobs,lab,live,projects,removing,roles}",
  "adapters/embedded-postgres/*",
  "browser/{accessible,binding,client,consent,other-origin,plain-http}",
  "cli/{interrupted,retention}",
  "client/{faults,handoff,package}",
  "connect/connect",
  "core/transfer/{backup,bulk,killed}",
  "documents/{blocks,site}",
  "durability/{events,kill,rolling-restart,token-model}",
  "erasure/{kill,kill-server}",
  "events/runtimes",
  "examples/examples",
  "failover/{disk,pool,servers,tls}",
  "handoff/runtimes",
  "integrations/claude-code-hooks",
  "limits/{largest-answers,replicas}",
  "migrations/one-step-back",
  "oauth/{client-metadata,grants,own-agent,runtimes,sdk-clients}",
  "packaging/*",
  "partitioned/*",
  "patterns",
  "peers/command",
  "project/{context-scale,maintenance-kill,maintenance-schedule}",
  "race/race",
  "recall/no-worse-than-parts",
  "replicas/two-servers",
  "runtimes/*",
  "settings/at-the-start",
  "stress/hostile-runtimes",
  "surfaces/doors",
  "surfaces/mcp/answer-size",
  "surfaces/{mcp,rest}/runtimes",
  "watch/{alerts,tracing}",
  "worlds/*",
].map((name) => `test/${name}.test.ts`);

const chosen = listed(process.env.TEST_INCLUDE);
const isNamed = chosen !== undefined || process.argv.some((argument) => argument.startsWith("test/"));

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
    include: chosen ?? ["test/**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      ...(listed(process.env.TEST_EXCLUDE) ?? []),
      ...(isNamed ? [] : WHOLE_PROGRAMS),
    ],
    globalSetup: ["test/support/database.ts", "test/support/skipped.ts"],
    setupFiles: ["test/support/properties.ts"],
    // Twice the cores of the machines this runs on: tests wait for the database about half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Loading the service anew for each file took longer than most files' tests. Nothing in it is kept in modules.
    isolate: false,
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
