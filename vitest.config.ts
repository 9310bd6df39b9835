import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const listed = (globs: string | undefined) => globs?.split(",").filter((glob) => glob !== "");

/** What takes longest begins first, or one worker would still be at it when the others have nothing left. */
export const LONGEST = [
  // Of npm test.
  "surfaces/parity",
  "teams/roles",
  "teams/others-word",
  "project/unseen",
  "oauth/accounts",
  "teams/invitations",
  "authorization/mcp-matrix",
  "oauth/refresh",
  "project/concurrency",
  // On Elasticsearch.
  "faults/engine",
  "faults/wire",
  "projection/elasticsearch/build",
  "adapters/elasticsearch/retrieval",
  "conformance/elasticsearch/recall-index",
  "erasure/elasticsearch/erase",
  // Of npm run test:deep.
  "failover/servers",
  "documents/blocks",
  "packaging/image",
  "durability/rolling-restart",
  "documents/site",
  "failover/disk",
  "packaging/release",
  "runtimes/smoke",
  "admin/house",
  "admin/home-counts",
  "admin/attacks",
  "admin/failures",
  "admin/admin",
  "admin/roles",
  "admin/projects",
  "watch/alerts",
  "admin/browse",
  "browser/accessible",
  "admin/jobs",
  "admin/access-pages",
  "surfaces/mcp/{answer-size,long-calls}",
  "erasure/kill-server",
  "erasure/subject",
  "cli/commands",
  "project/maintenance-concurrency",
  "admin/live",
  "packaging/tarball",
  "authorization/rest-matrix",
  "browser/other-origin",
  "oauth/runtimes",
  "durability/token-model",
  "handoff/runtimes",
  "cli/retention",
  "connect/connect",
  "client/package",
  "durability/kill",
  "search-engine/start",
  "settings/at-the-start",
  "admin/lab",
  "runtimes/own-runtime",
  "erasure/kill",
  "events/runtimes",
  "admin/recall-log-page",
];

/**
 * Tests of whole programs that are started, stopped and killed, share a folder, count together or run elsewhere, of what a
 * browser shows, of what many do at once, of whole random worlds, and of large records: in `npm run test:deep`. Here only if one of them is named.
 */
export const WHOLE_PROGRAMS = [
  "admin/{access-pages,admin,alerts-page,as-of,attacks,browse,changes-runtimes,end-users-page,erasing,failures,home-counts,house,jobs,lab}",
  "admin/{live,projects,recall-log-page,removing,roles}",
  "adapters/embedded-postgres/*",
  "browser/{accessible,binding,client,consent,memory-card,other-origin,plain-http}",
  "adapters/multilingual-encoder/*",
  "cli/{commands,interrupted,retention}",
  "client/{faults,handoff,package,runtimes}",
  "connect/connect",
  "core/transfer/{backup,bulk,killed}",
  "documents/{blocks,site}",
  "durability/{events,kill,rolling-restart,token-model}",
  "erasure/{kill,kill-server,request,subject}",
  "events/runtimes",
  "examples/examples",
  "failover/{disk,pool,servers,tls}",
  "handoff/runtimes",
  "integrations/{claude-code-hooks,hosts}",
  "limits/{answer-bytes,largest-answers,replicas}",
  "memory/{far-pages,totals}",
  "migrations/{beside-traffic,one-step-back}",
  "oauth/{client-metadata,flood,grants,own-agent,runtimes,sdk-clients,unavailable}",
  "packaging/*",
  "partitioned/*",
  "patterns",
  "peers/{command,readers}",
  "project/{context-scale,large,maintenance-concurrency,maintenance-kill,maintenance-schedule}",
  "race/race",
  "recall/no-worse-than-parts",
  "replicas/{stored-index,two-servers}",
  "runtimes/*",
  "settings/at-the-start",
  "stress/hostile-runtimes",
  "surfaces/doors",
  "surfaces/mcp/answer-size",
  "surfaces/{mcp,rest}/runtimes",
  "watch/{alerts,tracing}",
  "worlds/*",
].map((name) => `test/${name}.test.ts`);

/** Files that this run leaves out. The gate divides them over its runs by TEST_EXCLUDE and TEST_INCLUDE. */
export const LEFT_OUT = [...configDefaults.exclude, ...(listed(process.env.TEST_EXCLUDE) ?? [])];

const chosen = listed(process.env.TEST_INCLUDE);
const isNamed = chosen !== undefined || process.argv.some((argument) => argument.startsWith("test/"));

function rank({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? LONGEST.length : at;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }

  /** Deals them out, the longest first: by number alone one shard may take twice as long as another. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const dealt = files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
    return dealt.filter((_, at) => at % count === index - 1);
  }
}

export default defineConfig({
  test: {
    include: chosen ?? ["test/**/*.test.ts"],
    exclude: isNamed ? LEFT_OUT : [...LEFT_OUT, ...WHOLE_PROGRAMS],
    globalSetup: ["test/support/database.ts", "test/support/skipped.ts"],
    setupFiles: ["test/support/setup.ts"],
    // Twice the cores of the machines this runs on: tests wait for the database about half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Loading the service anew for each file took longer than most files' tests. Nothing in it is kept in modules.
    isolate: false,
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
});
