import { createHmac } from "node:crypto";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { secret } from "../adapters/postgres/database/service-secret.ts";
import { createRecallLogStore } from "../adapters/postgres/recall/recall-log.ts";
import { createFigureStore } from "../adapters/postgres/watch/figure-store.ts";
import { createOutOfRoom } from "../adapters/postgres/watch/out-of-room.ts";
import { readQueueFigures } from "../adapters/postgres/watch/queue-figures.ts";
import { watchedSql } from "../adapters/postgres/watch/watched-sql.ts";
import { createMetrics, type Metrics } from "../adapters/watch/metrics.ts";
import type { Tracing } from "../adapters/watch/watch.ts";
import { createWatch } from "../adapters/watch/watch.ts";
import { SERVICE_VERSION } from "../contract/service.ts";
import type { Readiness } from "../core/doctor/health.ts";
import type { Embedder } from "../core/embedding/embedder.ts";
import type { FairShareFigures } from "../core/limits/fair-share.ts";
import { type RecallNotes, WaitingRecalls } from "../core/recall/recall-log.ts";
import type { Secrets } from "../core/secrets/secret-scanner.ts";
import type { FigureStore } from "../core/watch/figure-store.ts";
import { FigureTally } from "../core/watch/figure-tally.ts";
import { type SurfaceMetrics, UNWATCHED, type Watch } from "../core/watch/watch.ts";
import type { MetricsPage } from "../surfaces/rest/metrics-endpoint.ts";
import { startFigureKeeper } from "../worker/figure-keeper.ts";
import type { Worker } from "../worker/loop.ts";
import type { Config } from "./config.ts";
import type { Siblings } from "./processes.ts";

/** The service's monitoring. */
export interface Watching {
  readonly watch: Watch & SurfaceMetrics;
  /** The pool, with its statements measured. */
  readonly sql: Sql;
  /** The same without measurement, for monitoring itself, so that reading the metrics does not change them. */
  readonly pool: Sql;
  readonly figures: FigureStore;
  readonly recalls: RecallNotes;
  /** null: metrics are not served here. */
  readonly page: MetricsPage | null;
  /** Why the database refuses writes for lack of disk space, in a few words, or null. */
  readonly outOfRoom: () => string | null;
  /** Reports a fault in the background, and counts it. */
  readonly report: (error: unknown) => void;
  watchedEmbedder(embedder: Embedder): Embedder;
  /** Returns the pseudonym of an owner in logs: the same on every server, and useless without the database. */
  pseudonymOf(ownerId: string): string;
  /** Call once the rest of the service is ready, before the first request. */
  begin(parts: WatchedParts): Promise<void>;
  /** Writes and sends what is left. Call before the database is released. */
  close(): Promise<void>;
}

export interface WatchedParts {
  readonly share: () => FairShareFigures;
  readonly readiness: () => Promise<Readiness>;
  readonly secrets: Secrets;
}

interface WatchingOptions {
  readonly role: "server" | "tool";
  readonly isWatched?: boolean;
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
  readonly siblings?: Siblings | null;
}

/** Opens monitoring for a server. A tool has none, since its operator sees its output. */
export async function openWatching(config: Config, options: WatchingOptions, pool: Sql): Promise<Watching> {
  const { role, isWatched = role === "server" } = options;
  if (!isWatched) return unwatched(pool, options.report);
  return watchedServer(config, options, pool);
}

function unwatched(sql: Sql, report: (error: unknown) => void): Watching {
  return {
    watch: UNWATCHED,
    sql,
    pool: sql,
    figures: createFigureStore(sql),
    recalls: new WaitingRecalls(0),
    page: null,
    outOfRoom: () => null,
    report,
    watchedEmbedder: (embedder) => embedder,
    pseudonymOf: () => "unwatched",
    begin: async () => {},
    close: async () => {},
  };
}

/**
 * Minimum interval between the queries for metrics. Half of the usual scrape interval: with a longer one, every second
 * scrape would repeat the one before.
 */
const QUEUES_EVERY_MS = 5000;

async function watchedServer(config: Config, options: WatchingOptions, pool: Sql): Promise<Watching> {
  const { log, report, siblings = null } = options;
  const tracing = await tracingOf(config, log);
  const tally = new FigureTally(Date.now);
  const recalls = new WaitingRecalls(config.watch.recallLogDays);
  let parts: WatchedParts | null = null;
  let key: Uint8Array | null = null;
  let keeper: Worker | null = null;
  const room = createOutOfRoom(() => performance.now());
  const queues = cachedFor(() => readQueueFigures(pool), QUEUES_EVERY_MS);
  const metrics = createMetrics({
    version: SERVICE_VERSION,
    runtime: runtimeName(),
    process: config.process,
    connectionsMax: config.databaseConnections,
    pool: () => watched.use(),
    share: () => parts?.share() ?? { running: 0, waiting: 0, refused: 0, waitingForTurn: 0 },
    dependencies: async () => (parts === null ? {} : answering(await parts.readiness())),
    queues,
    traceId: () => (tracing?.isKept() ? tracing.traceId() : null),
  });
  siblings?.provideFigures(metrics.ofProcess);
  const render = async () => metrics.page((await siblings?.figures()) ?? [await metrics.ofProcess()]);
  const watch = createWatch(metrics, tracing, {
    operationEnded: (operation) => tally.operationEnded(operation),
    recalled: (recall) => tally.recalled(recall),
    statementFailed: room.failed,
  });
  const watched = watchedSql(pool, watch);
  const figures = createFigureStore(pool);
  const counted = (error: unknown) => {
    metrics.failed();
    report(error);
  };
  const { token, isForLoopback } = config.watch.metrics;
  const isReadable = token !== null || isForLoopback;
  return {
    watch,
    sql: watched.sql,
    pool,
    figures,
    recalls,
    page: isReadable ? { contentType: metrics.contentType, render, token, isForLoopback } : null,
    outOfRoom: room.outage,
    report: counted,
    watchedEmbedder: (embedder) => watchedEmbedder(embedder, metrics),
    pseudonymOf(ownerId) {
      if (key === null) throw new Error("A request is answered before the service has begun.");
      return createHmac("sha256", key).update(ownerId).digest("hex").slice(0, 16);
    },
    async begin(all) {
      parts = all;
      key = await secret(pool, "logged_owners");
      const indexLagSeconds = async () => {
        const answer = await queues();
        return answer?.figures.queues.find(({ name }) => name === "outbox")?.oldestSeconds ?? null;
      };
      const log = {
        take: () => recalls.take(all.secrets),
        store: createRecallLogStore(pool),
        keptDays: recalls.keptDays,
      };
      keeper = startFigureKeeper({ tally, store: figures, recalls: log, indexLagSeconds }, counted);
    },
    async close() {
      await keeper?.stop();
      metrics.stop();
      await tracing?.stop();
    },
  };
}

/** The packages for tracing are loaded only if it is set up. */
async function tracingOf({ watch }: Config, log: (message: string) => void): Promise<Tracing | null> {
  if (watch.tracing === null) return null;
  const { openTracing } = await import("../adapters/watch/tracing.ts");
  return openTracing({
    ...watch.tracing,
    version: SERVICE_VERSION,
    instance: watch.instance,
    // The collector's message could quote what was sent, so it is not logged.
    onFailure: () => log("Traces cannot be delivered; those that wait are dropped until they can be again."),
  });
}

function answering({ needed, others }: Readiness): Record<string, boolean> {
  const all = Object.entries({ ...needed, ...others });
  return Object.fromEntries(all.map(([name, why]) => [name, why === null]));
}

function runtimeName(): string {
  const { versions } = process as { versions: Record<string, string | undefined> };
  if (versions.bun !== undefined) return `bun ${versions.bun}`;
  return versions.deno === undefined ? `node ${versions.node}` : `deno ${versions.deno}`;
}

function watchedEmbedder(embedder: Embedder, metrics: Metrics): Embedder {
  async function timed<T>(kind: "query" | "texts", texts: number, ask: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    const over = (isAnswered: boolean) =>
      metrics.embedded(kind, texts, (performance.now() - begunAt) / 1000, isAnswered);
    try {
      const answer = await ask();
      over(true);
      return answer;
    } catch (error) {
      over(false);
      throw error;
    }
  }
  return {
    ...embedder,
    embed: (texts) => timed("texts", texts.length, () => embedder.embed(texts)),
    query: (whole, sentences) => timed("query", 1, () => embedder.query(whole, sentences)),
  };
}

/** How long a read of the metrics waits for a new value before it shows the last one. */
const WITHIN_MS = 1000;

/**
 * Caches an answer for `everyMs`, refreshing it at most once at a time, and returns it with its age; null if there was
 * none yet. Never rejects: on failure the last answer remains and ages.
 */
export function cachedFor<T>(
  ask: () => Promise<T>,
  everyMs: number,
): () => Promise<{ readonly figures: T; readonly ageSeconds: number } | null> {
  let last: { readonly figures: T; readonly at: number } | null = null;
  let asking: Promise<void> | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > everyMs) {
      asking ??= ask()
        .then((figures) => {
          last = { figures, at: performance.now() };
        })
        .catch(() => {})
        .finally(() => {
          asking = null;
        });
      await inTime(asking);
    }
    const known = last as { readonly figures: T; readonly at: number } | null;
    return known && { figures: known.figures, ageSeconds: (performance.now() - known.at) / 1000 };
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
