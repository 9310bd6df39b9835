import { DomainError } from "../core/error.ts";
import type { IndexGenerations } from "../core/projection/index-generations.ts";
import type { Outbox, OwnedMemory } from "../core/projection/outbox.ts";
import { type ProjectPorts, project } from "../core/projection/project.ts";
import { lagging, type ProjectionStatus } from "../core/projection/projection-status.ts";
import { IndexUnavailable } from "../recall/index/index-unavailable.ts";
import { type KeeperPorts, startIndexKeeper } from "./index-keeper.ts";
import { startLoop, type Worker } from "./loop.ts";

const LINES_PER_ROUND = 2000;
const IDLE_MS = 200;
const RETRY_MS_MAX = 10_000;
const RENEW_EVERY_MS = 3000;
const SWEEP_EVERY_MS = 600_000;
/** Short, so that a first import gets statistics soon after it begins. */
const LEARN_EVERY_MS = 2000;
/** Each write adds a row of counts, which lists must add up until they are folded: a few thousand for a busy owner. */
const FOLD_EVERY_MS = 5000;
const LOG_EVERY_MS = 60_000;
/** Longer than any round may take, including an embedder's timeouts and retries. */
const STALLED_SECONDS = 120;

/** True if the search engine or the embedder is unavailable. Health reports these outages under their own names. */
function isDependencyOutage(error: unknown): boolean {
  return (
    error instanceof IndexUnavailable ||
    (error instanceof DomainError && error.code === "dependency_unavailable")
  );
}

export interface WorkerPorts extends Omit<ProjectPorts, "search"> {
  readonly outbox: Outbox;
  readonly generations: IndexGenerations;
  /** null: there is no search engine. */
  readonly search: Omit<KeeperPorts, "source" | "generations" | "clock" | "status"> | null;
  status(): Promise<ProjectionStatus>;
  /** Called soon after memories were committed, with at least one; may repeat some of them. */
  onWritten(memories: readonly OwnedMemory[]): void;
  /** Returns a line about owners that are near their quota, or null. */
  quotaWarning(): Promise<string | null>;
}

export interface ObservedWorker extends Worker {
  /** Returns, in a few words, why the outbox is not being processed; null if it is. */
  outage(): string | null;
}

/**
 * Processes the outbox of writes while the service runs, and maintains the search engine's index. A failed round is
 * reported and retried.
 */
export function startWorker(
  ports: WorkerPorts,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): ObservedWorker {
  const { outbox, generations } = ports;
  const search = ports.search && { engine: ports.search.engine, generations };
  /** Consecutive failures for which no other dependency is responsible. */
  let faults = 0;
  let roundSince = performance.now();

  /** Returns the number of lines processed. */
  async function round(): Promise<number> {
    const { lease, lines, done } = await outbox.claim(LINES_PER_ROUND);
    // Rounds that find nothing, or embed older memories again, do not count as activity.
    const written = [...done, ...lines.filter(({ kind }) => kind === "put")];
    if (written.length > 0) ports.onWritten(written);
    if (lines.length === 0) return done.length;
    const renewing = setInterval(() => void outbox.renew(lease).catch(() => {}), RENEW_EVERY_MS);
    try {
      const { outcomes, failure } = await project({ ...ports, search }, lines);
      await outbox.settle(lease, outcomes);
      if (failure !== null) throw failure;
      return done.length + lines.length;
    } finally {
      clearInterval(renewing);
    }
  }

  async function observedRound(): Promise<"at once" | undefined> {
    roundSince = performance.now();
    try {
      const processed = await round();
      faults = 0;
      return processed < LINES_PER_ROUND ? undefined : "at once";
    } catch (error) {
      faults = isDependencyOutage(error) ? 0 : faults + 1;
      throw error;
    }
  }

  const learnStatistics = async () => ((await outbox.learnFirst()) ? "never" : undefined);

  let lastQuotaWarning: string | null = null;
  async function logLag(): Promise<void> {
    const line = lagging(await ports.status());
    if (line !== null) log(line);
    const warning = await ports.quotaWarning();
    if (warning !== null && warning !== lastQuotaWarning)
      log(`Quota: ${warning}. \`recollect usage\` lists them.`);
    lastQuotaWarning = warning;
    if (search === null) await generations.forgetRetired();
  }

  const loops = [
    startLoop(observedRound, { pauseMs: IDLE_MS, retryMsMax: RETRY_MS_MAX, report }),
    startLoop(() => outbox.sweep(), { pauseMs: SWEEP_EVERY_MS, report }),
    startLoop(() => outbox.fold(), { pauseMs: FOLD_EVERY_MS, startsAtOnce: false, report }),
    startLoop(learnStatistics, { pauseMs: LEARN_EVERY_MS, startsAtOnce: false, report }),
    startLoop(logLag, { pauseMs: LOG_EVERY_MS, startsAtOnce: false, report }),
  ];
  const keeper =
    ports.search && startIndexKeeper({ ...ports, ...ports.search, generations }, { report, log });
  const retiring = search === null ? generations.retireAll().catch(report) : null;
  return {
    outage() {
      if (faults > 0) return `its last ${faults === 1 ? "round" : `${faults} rounds`} failed`;
      const seconds = Math.floor((performance.now() - roundSince) / 1000);
      return seconds > STALLED_SECONDS ? `a round has taken ${seconds} seconds so far` : null;
    },
    async stop() {
      await Promise.all([keeper?.stop(), retiring, ...loops.map((loop) => loop.stop())]);
    },
  };
}
