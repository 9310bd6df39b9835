import { Counter, exponentialBuckets, Gauge, Histogram, Registry } from "prom-client";
import { errorCodes } from "../../contract/error.ts";
import { cacheSizes } from "../../core/cache.ts";
import type { FairShareFigures } from "../../core/limits/fair-share.ts";
import type {
  AnsweredRequest,
  EndedOperation,
  PoolUse,
  QueueFigures,
  RecallMeasurement,
  Stage,
  StatementKind,
} from "../../core/watch/watch.ts";

/*
 * Every metric there is, with its name, labels and meaning. `docs/operations/watching.md` lists them, and a test compares. No
 * label
 * has values that a caller chooses: operations, stages, codes and the like are the contract's, and their number is
 * fixed.
 */

/** Buckets from half a millisecond to 16 seconds, each twice the previous. */
const SECONDS = exponentialBuckets(0.0005, 2, 16);
/** Buckets for shares, finest near 1, because what matters is whether anything is missing, and how much. */
const SHARES = [0, 0.5, 0.9, 0.95, 0.99, 0.999, 1];

/** Sources that are read each time the metrics are rendered. */
export interface Sources {
  readonly version: string;
  readonly runtime: string;
  /** The number of this process among those of the server; null if it is the only one. */
  readonly process: number | null;
  readonly pool: () => PoolUse;
  readonly connectionsMax: number;
  readonly share: () => FairShareFigures;
  /** For each dependency, whether it answers. */
  readonly dependencies: () => Promise<Readonly<Record<string, boolean>>>;
  /** The last known figures, with their age; null if they could not be read yet. */
  readonly queues: () => Promise<{ readonly figures: QueueFigures; readonly ageSeconds: number } | null>;
  /** Id of the current trace, if it is recorded; null otherwise. */
  readonly traceId: () => string | null;
}

/** The metrics, and the page that shows them. */
export interface Metrics {
  readonly contentType: string;
  /** Figures of this process, for `page`. If the server has several, the label `process` tells them apart. */
  ofProcess(): Promise<string>;
  /** The page in the OpenMetrics format: the figures of the processes, and once those of the database. */
  page(processes: readonly string[]): Promise<string>;
  stage(stage: Stage, seconds: number): void;
  recalled(recall: RecallMeasurement): void;
  answered(request: AnsweredRequest): void;
  operationEnded(operation: EndedOperation): void;
  statement(kind: StatementKind, seconds: number): void;
  statementFailed(sqlState: string | null): void;
  transaction(seconds: number, waitedSeconds: number): void;
  embedded(kind: "query" | "texts", texts: number, seconds: number, isAnswered: boolean): void;
  /** Counts a fault in the background. */
  failed(): void;
  stop(): void;
}

export function createMetrics(sources: Sources): Metrics {
  const registry = openMetricsRegistry();
  if (sources.process !== null) registry.setDefaultLabels({ process: String(sources.process) });
  /** Figures of the database, the same whichever process is asked. They are on the page once. */
  const shared = openMetricsRegistry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `recollect_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: readonly number[] = SECONDS,
    enableExemplars = false,
  ) =>
    new Histogram({
      name: `recollect_${name}`,
      help,
      labelNames,
      buckets: [...buckets],
      registers,
      enableExemplars,
    });
  /** A gauge whose value is read when the metrics are rendered. */
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    set: (gauge: Gauge<L>) => void | Promise<void>,
    of = registry,
  ) =>
    new Gauge({
      name: name.startsWith("process_") ? name : `recollect_${name}`,
      help,
      labelNames,
      registers: [of],
      async collect() {
        this.reset();
        await set(this);
      },
    });

  const requests = counter("requests_total", "Requests that were answered", ["door", "status"]);
  const requestSeconds = histogram(
    "request_duration_seconds",
    "Time from a request's headers to its answer",
    ["door"],
  );
  const operations = counter("operations_total", "Operations that were carried out or refused", [
    "operation",
    "door",
    "code",
  ]);
  const operationSeconds = histogram(
    "operation_duration_seconds",
    "Time an operation takes, including the wait for its place",
    ["operation", "outcome"],
    SECONDS,
    true,
  );
  const limits = counter("limits_hit_total", "Operations and requests that a limit refused", ["limit"]);
  const stages = histogram("stage_duration_seconds", "Time a stage of an operation takes", ["stage"]);
  const recalls = counter("recalls_total", "Recalls that were answered", ["engine", "degraded"]);
  const coverage = histogram(
    "recall_coverage",
    "Share of the memories in scope that a recall could consider",
    [],
    SHARES,
  );
  const statements = histogram(
    "postgres_statement_duration_seconds",
    "Time a statement takes, including the wait for a connection",
    ["kind"],
  );
  const statementFailures = counter("postgres_failures_total", "Statements that failed, by SQLSTATE class", [
    "class",
  ]);
  const transactions = histogram(
    "postgres_transaction_duration_seconds",
    "Time a transaction takes, including its commit",
  );
  const connectionWaits = histogram(
    "postgres_connection_wait_seconds",
    "Time a transaction waited for its connection",
  );
  const embeddings = histogram("embedding_duration_seconds", "Time the embedder takes to answer", [
    "kind",
    "outcome",
  ]);
  const embeddedTexts = counter("embedded_texts_total", "Texts and queries that were embedded", ["kind"]);
  const failures = counter("background_failures_total", "Failures of background work; each is tried again");
  const loopDelay = histogram(
    "event_loop_delay_seconds",
    "How late a timer of 20 ms goes off",
    [],
    exponentialBuckets(0.001, 2, 13),
  );

  gauge("build_info", "Always 1; the labels say which version runs on what", ["version", "runtime"], (one) =>
    one.set({ version: sources.version, runtime: sources.runtime }, 1),
  );
  gauge("dependency_up", "1 while the dependency answers, otherwise 0", ["dependency"], async (up) => {
    for (const [dependency, answers] of Object.entries(await sources.dependencies()))
      up.set({ dependency }, answers ? 1 : 0);
  });
  const pool = (name: string, help: string, of: (use: PoolUse) => number) =>
    gauge(`postgres_${name}`, help, [], (one) => one.set(of(sources.pool())));
  pool("connections_max", "Connections that the pool may open", () => sources.connectionsMax);
  pool("statements_running", "Statements the database is working on", (figures) => figures.running);
  pool("waiting", "Statements and transactions waiting for a connection", (figures) => figures.waiting);
  pool(
    "transactions_open",
    "Open transactions, each with a connection of its own",
    (one) => one.transactions,
  );

  const share = (name: string, help: string, of: (figures: FairShareFigures) => number) =>
    gauge(name, help, [], (one) => one.set(of(sources.share())));
  share("places_taken", "Requests that are running", (figures) => figures.running);
  share("places_waiting", "Requests that are waiting for a place", (figures) => figures.waiting);
  share("turns_waiting", "Pieces of work that are waiting for the processor", (one) => one.waitingForTurn);

  const queues = asked(sources.queues);
  const stored = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    set: (gauge: Gauge<L>, asked: QueueFigures, ageSeconds: number) => void,
  ) =>
    gauge(
      name,
      help,
      labelNames,
      async (one) => {
        const answer = await queues();
        if (answer !== null) set(one, answer.figures, answer.ageSeconds);
      },
      shared,
    );
  stored("queue_length", "Entries that are waiting, counted up to 100,000", ["queue"], (lengths, asked) => {
    for (const { name, length } of asked.queues) lengths.set({ queue: name }, length);
  });
  stored(
    "queue_oldest_seconds",
    "How long the oldest entry of a queue has waited",
    ["queue"],
    (ages, asked) => {
      for (const { name, oldestSeconds } of asked.queues)
        if (oldestSeconds !== null) ages.set({ queue: name }, oldestSeconds);
    },
  );
  stored("queues_asked_seconds", "How long ago the queues were last counted", [], (age, _, ageSeconds) =>
    age.set(ageSeconds),
  );
  stored(
    "index_build_ratio",
    "How far a new search index is built; 1 if none is being built",
    [],
    (ratio, asked) => ratio.set(asked.indexBuild ?? 1),
  );
  stored("memories", "Memories in the database; above 100,000 its own estimate", [], (memories, asked) =>
    memories.set(asked.memories),
  );
  stored(
    "record_incarnation",
    "Starts at 1; one more each time the record is restored, reset or taken over by a replica",
    [],
    (number, asked) => number.set(asked.incarnation),
  );
  stored(
    "record_mended",
    "0 while a restored record is being checked and repaired, otherwise 1",
    [],
    (is, asked) => is.set(asked.isMended ? 1 : 0),
  );

  gauge("cache_bytes", "Bytes a cache holds", ["cache"], (bytes) => {
    for (const cache of cacheSizes()) bytes.set({ cache: cache.name }, cache.bytes);
  });
  gauge("cache_bytes_max", "Bytes a cache may hold", ["cache"], (bytes) => {
    for (const cache of cacheSizes()) bytes.set({ cache: cache.name }, cache.bytesMax);
  });
  gauge("cache_entries", "Entries a cache holds", ["cache"], (entries) => {
    for (const cache of cacheSizes()) entries.set({ cache: cache.name }, cache.entries);
  });
  for (const { name, help, value } of processFigures())
    gauge(`process_${name}`, help, [], (one) => one.set(value()));
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time this process has used",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const stopMeasuring = eventLoopDelay((seconds) => loopDelay.observe(seconds));

  return {
    contentType: registry.contentType,
    ofProcess: () => registry.metrics(),
    page: async (processes) => mergedPages([...processes, await shared.metrics()]),
    stage: (stage, seconds) => stages.observe({ stage }, seconds),
    recalled(recall) {
      recalls.inc({ engine: recall.engine, degraded: String(recall.isDegraded) });
      coverage.observe(recall.coverage);
    },
    answered({ door, status, ms, code }) {
      requests.inc({ door, status: String(status) });
      requestSeconds.observe({ door }, ms / 1000);
      if (code !== null && isLimit(code)) limits.inc({ limit: code });
    },
    operationEnded({ operation, door, code, ms }) {
      operations.inc({ operation, door, code: code ?? "ok" });
      if (code !== null && isLimit(code)) limits.inc({ limit: code });
      const traceId = sources.traceId();
      operationSeconds.observe({
        labels: { operation, outcome: outcomeOf(code) },
        value: ms / 1000,
        ...(traceId && { exemplarLabels: { trace_id: traceId } }),
      } as never);
    },
    statement: (kind, seconds) => statements.observe({ kind }, seconds),
    statementFailed: (sqlState) => statementFailures.inc({ class: sqlState?.slice(0, 2) ?? "connection" }),
    transaction(seconds, waitedSeconds) {
      transactions.observe(seconds);
      connectionWaits.observe(waitedSeconds);
    },
    embedded(kind, texts, seconds, isAnswered) {
      embeddings.observe({ kind, outcome: isAnswered ? "ok" : "failed" }, seconds);
      if (isAnswered) embeddedTexts.inc({ kind }, texts);
    },
    failed: () => failures.inc(),
    stop: stopMeasuring,
  };
}

function openMetricsRegistry(): Registry {
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  return registry;
}

const END = "# EOF\n";

/** Returns one page with the samples of all. Each metric is described once, with its samples below. */
function mergedPages(pages: readonly string[]): string {
  const families = new Map<string, string>();
  for (const page of pages)
    for (const family of page.replace(END, "").split(/^(?=# HELP )/m)) {
      const [head = ""] = /^(?:#.*\n)*/.exec(family) ?? [];
      families.set(head, (families.get(head) ?? "") + family.slice(head.length));
    }
  return [...families].map((family) => family.join("")).join("") + END;
}

const LIMITS = ["rate_limited", "overloaded", "quota_exceeded", "payload_too_large"] as const;

function isLimit(code: string): code is (typeof LIMITS)[number] {
  return (LIMITS as readonly string[]).includes(code);
}

/** Classifies an operation: done, refused, or failed by a fault. */
export function outcomeOf(code: keyof typeof errorCodes | null): "ok" | "refused" | "failed" {
  if (code === null) return "ok";
  return errorCodes[code].status < 500 ? "refused" : "failed";
}

/** Shares one call among concurrent readers. */
function asked<T>(ask: () => Promise<T>): () => Promise<T> {
  let question: Promise<T> | null = null;
  return () => {
    question ??= ask().finally(() => {
      question = null;
    });
    return question;
  };
}

/** Memory and CPU use of the process, by figures that all three runtimes have. */
export function processFigures(): {
  readonly name: string;
  readonly help: string;
  readonly value: () => number;
}[] {
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    { name: "start_time_seconds", help: "When this process began, since the epoch", value: () => startedAt },
    {
      name: "resident_memory_bytes",
      help: "Memory of this process, without its database's",
      value: () => process.memoryUsage.rss(),
    },
    {
      name: "heap_used_bytes",
      help: "Memory of the runtime's heap that is in use",
      value: () => process.memoryUsage().heapUsed,
    },
  ];
}

const EVERY_MS = 20;

/**
 * Measures the delay of timers until the returned function is called. On Deno `monitorEventLoopDelay` hardly shows a
 * blocked event loop.
 */
export function eventLoopDelay(observe: (seconds: number) => void): () => void {
  let expectedAt = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    observe(Math.max(0, now - expectedAt) / 1000);
    expectedAt = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
