import { framesOf } from "../grammar.ts";

/** A backslash stands for the slash of a path; what follows a slash is the form asked for in words. */
export const SLOTS = {
  file: String.raw`src\auth\session.ts/the session code;src\billing\invoice.ts/the invoice code;src\queue\worker.ts/the queue worker;src\http\router.ts/the request router;lib\cache\lru.ts/the in-memory cache;src\mail\render.ts/the mail templates;src\search\tokenise.ts/the tokeniser;app\forms\upload.tsx/the upload form;src\db\migrate.ts/the schema migrations;src\cli\flags.ts/the command-line parser;src\geo\distance.ts/the distance calculation;src\audit\trail.ts/the audit trail`,
  test: `login.test.ts/the login test;checkout.spec.ts/the checkout test;export_csv_test.py/the test of the CSV export;retry.test.ts/the test of retries;timezone.spec.ts/the test of time zones;upload_limit_test.py/the test of upload sizes;websocket.test.ts/the socket test;pagination.spec.ts/the paging test;permissions_test.go/the test of access rights;snapshot.test.tsx/the test of rendered pages;webhook_replay.test.ts/the test of replayed callbacks;currency_round_test.go/the test of money amounts;password_reset.spec.ts/the test of forgotten passwords;geo_fence_test.py/the test of map areas;sitemap.test.ts/the test of the page list;throttle.spec.ts/the test of request limits;avatar_crop_test.py/the test of profile pictures`,
  error: `ECONNREFUSED 127.0.0.1:5432/no database to connect to;TypeError: Cannot read properties of undefined (reading 'id')/a missing object;ENOSPC: no space left on device/a full disk;EADDRINUSE: address already in use :::8080/a port that another process holds;x509: certificate has expired or is not yet valid/an outdated certificate;ModuleNotFoundError: No module named 'yaml'/a package that was not installed;deadlock detected/two transactions that wait for each other;context deadline exceeded/an operation that took too long;EMFILE: too many open files/too many handles at once;413 Payload Too Large/a body that is too big`,
  cause: `the fixture clock was in UTC and the runner in CET;the mock server was started after the first request;a parallel job removed the shared temp folder;the secret was not passed to jobs of forks;the lockfile pinned an older driver;the seed script ran twice;the locale of the image sorts umlauts last;the runner has IPv6 only;the container had 64 MB of shared memory;a leftover .env overrode the settings`,
  flag: `--no-index/without the index;--dry-run-writes/without saving anything;--single-tenant/for one customer only;--skip-warmup/without filling the caches first;--trace-sql/with every statement printed;--offline-models/without fetching weights;--max-heap-512/with little memory;--drain-first/after the pending jobs are done;--ignore-lease/even though another one holds the lock;--readonly-fs/without touching the disk`,
  program: "worker;scheduler;indexer;gateway;mailer;importer;thumbnailer;billing daemon",
  config:
    "pool.maxConnections;http.keepAliveMs;cache.ttlSeconds;retry.baseDelayMs;upload.maxMegabytes;queue.visibilityTimeout;search.minScore;log.sampleRate;session.idleMinutes;export.chunkRows;mail.batchSize;auth.maxAttempts;image.jpegQuality;feed.pollSeconds;backup.keepDays;grpc.windowBytes;report.maxPages;tokens.refreshHours",
  symbol:
    "parseDuration;normaliseEmail;computeChecksum;acquireLease;mergeRanges;escapeHtml;hashTenant;debounceFlush;toCents;clampOffset;rotateLog;resolveTenant;packBits;stripMarks;advanceCursor;joinShards;verifyNonce;walkTree;dedupeEvents;signCookie",
  library: "zod;drizzle-orm;fastify;pino;undici;vitest;luxon;ioredis;sharp;esbuild",
  symptom:
    "memory grows until the pod is killed;dates shift by a day;requests hang after the 100th;the same mail is sent twice;numbers lose their last digit;searches miss umlauts;logins fail right after midnight;images come out rotated",
  why: "the stream is never closed;a float is used for money;the parser assumes local time;the retry ignores the idempotency key;the pool is exhausted by unreleased clients;the cache key lacks the tenant;the header is dropped by the proxy;EXIF data are ignored",
  branch: String.raw`fix\lease-race;feat\bulk-import;chore\node-22;fix\csv-quotes;feat\passkeys;refactor\outbox;fix\tz-midnight;feat\dark-mode`,
  agent: "agent-7;claude-review;nightly-bot;codex-ci;pair-agent;release-bot",
} as const;

export const FRAMES = framesOf(
  String.raw`
{test} failed on CI: {cause}. Locally it passes. || CI run #{2100-8900}: FAIL {test}\n  cause: {cause}\n  local: PASS => Why did {test} fail on CI? || {test} CI failure cause => For what reason was {test~} red on the build machine but fine here?
Start the {program} with ${"`{flag}`"}, see {program}.md. || $ bin/{program} {flag} --port {3100-9800}\nstarted => Does {flag} exist for the {program}? || {program} {flag} => Which option starts the {program} {flag~}?
{config} is {a:12-950} in production and {b:2-11} in staging. || prod.yaml: {config}: {a:12-950}\nstaging.yaml: {config}: {b:2-11} => What is {config} in production? || production value of {config} => How is {config} set where customers are?
{error}\n    at {symbol} ({file}:{a:14-390}:{b:3-40})\n    at processTicksAndRejections (node:internal/process/task_queues:95:5) => Where is {error} thrown by {symbol}? || {symbol} {error} stack trace => Which crash in {file~} was due to {error~}?
{symbol} moved from {file} to {file2}; callers import it from there. || refactor: move {symbol}\n- {file}\n+ {file2} => Where did {symbol} move? || {symbol} moved to which file => In which module is {symbol} after it left {file~}?
If {symptom}, {why} in {file}. || Root cause: {symptom} because {why} ({file}:{20-400}). => Root cause of "{symptom}" in {file}? || why {symptom}, {file} => What is wrong in {file~} when {symptom}?
Pinned {library} at {a:2-9}.{b:0-20}.{c:0-9}: the next release breaks {symbol}. || package.json: "{library}": "{a:2-9}.{b:0-20}.{c:0-9}" (do not bump, {symbol} breaks) => Which version of {library} is pinned because of {symbol}? || {library} {symbol} pinned => What happens to {symbol} if I upgrade {library}?
Branch {branch}: {symbol} in {file} now returns null instead of throwing; {agent} reviewed. || commit {1000000-9999999} on {branch}: {symbol} returns null instead of throwing ({file}) => What does {symbol} return on {branch}? || {branch} {symbol} change => How does {symbol} behave on {branch} when something is missing?
diff --git a/{file} b/{file}\n@@ -{a:10-300},4 +{a:10-300},5 @@\n-  return {symbol}(input)\n+  if (input === null) return 0\n+  return {symbol}(input) => Where is the null check before {symbol} in {file}? || {file} {symbol} diff null => Which change guards {file~} against an empty argument of {symbol}?
To run only {test}: npm test -- {test} --retry={a:0-4}, needs Docker. || Run {test} alone with npm test -- {test} --retry={a:0-4}; Docker has to be up. => How do I run only {test}? || command for {test} alone => What has to be up before I try {test~} by itself?
`.trim(),
);

/** Other notes of the same kind, that no question asks for. */
export const NOISE: readonly string[] = `
{agent} opened {branch} for {symbol}, waiting for review.
TODO: {symbol} in {file} has no test for an empty list.
Ran {test} {3-40} times in a loop without a failure.
{program} takes {2-50} s to stop; not urgent.
Lint: unused import in {file}.
{config} is documented, no change needed.
Reverted {branch} since the {program} did not start.
{symbol} is called {12-400} times a second under load, p95 {2-80} ms.
Upgraded {library} in {branch}, all tests of {file} pass.
{agent}: renamed a local in {symbol} ({file}:{10-380}).
Checked whether {error} still occurs: not in the last {2-30} days.
The docs of {program} mention {flag} twice.
Formatting only in {file}, {test}.
Asked {agent} to split {branch} in two.
`
  .trim()
  .split("\n");
