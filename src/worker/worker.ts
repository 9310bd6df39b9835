import { DomainError } from "../core/error.ts";
import type { IndexGenerations } from "../core/projection/index-generations.ts";
import type { Outbox, OwnedMemory } from "../core/projection/outbox.ts";
import { type ProjectPorts, project } from "../core/projection/project.ts";
import { lagging, type ProjectionStatus } from "../core/projection/projection-status.ts";
import { IndexUnavailable } from "../core/recall/index-unavailable.ts";
import { type KeeperPorts, startIndexKeeper } from "./index-keeper.ts";
import { createPause, type Worker } from "./loop.ts";

const LINES_PER_ROUND = 2000;
const IDLE_MS = 200;
const RETRY_MS_MAX = 10_000;
const RENEW_EVERY_MS = 3000;
const SWEEP_EVERY_MS = 600_000;
/** Soon after the first import has begun. */
const LEARN_EVERY_MS = 2000;
/** What writes have counted meanwhile, lists add up themselves: some thousand rows of a busy owner. */
const FOLD_EVERY_MS = 5000;
const LOG_EVERY_MS = 60_000;
/** The longest round that should be: all that an embedder's deadlines and tries again allow takes less. */
const STALLED_SECONDS = 120;

/** A search engine or an embedder that is away is named by its own name. */
function isElsewhere(error: unknown): boolean {
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
  /** Called with memories that were written, soon after their commit: never with none, with some more than once. */
  onWritten(memories: readonly OwnedMemory[]): void;
  /** What is worth a line about owners that have little room left; null where nothing is. */
  room(): Promise<string | null>;
}

export interface ObservedWorker extends Worker {
  /** Why what writes leave is not done now, in a few words; null where it is. */
  outage(): string | null;
}

/**
 * Does what writes left to be done, as long as the service runs, and keeps the search engine's index. A round that fails
 * is reported and tried again.
 */
export function startWorker(
  ports: WorkerPorts,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): ObservedWorker {
  const { outbox, generations } = ports;
  const search = ports.search && { engine: ports.search.engine, generations };
  const idle = createPause();
  let isStopping = false;
  let failures = 0;
  /** Of the failures, those in a row that no other dependency has to answer for. */
  let faults = 0;
  let roundSince = performance.now();

  /** Answers how many lines it took. */
  async function round(): Promise<number> {
    const { lease, lines, done } = await outbox.claim(LINES_PER_ROUND);
    // A round that finds nothing, or embeds again what was written before, is no sign of anybody at work.
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

  async function run(): Promise<void> {
    while (!isStopping) {
      roundSince = performance.now();
      try {
        const taken = await round();
        failures = 0;
        faults = 0;
        if (taken < LINES_PER_ROUND) await idle.wait(IDLE_MS);
      } catch (error) {
        if (!isStopping) reportNow(error);
        failures += 1;
        faults = isElsewhere(error) ? 0 : faults + 1;
        await idle.wait(Math.min(RETRY_MS_MAX, IDLE_MS * 2 ** failures) * (0.5 + Math.random()));
      }
    }
  }

  let reportedAt = Number.NEGATIVE_INFINITY;
  /** The same failure again and again is one line a minute. */
  function reportNow(error: unknown): void {
    if (failures > 0 && performance.now() - reportedAt < LOG_EVERY_MS) return;
    reportedAt = performance.now();
    report(error);
  }

  async function sweep(): Promise<void> {
    await outbox.sweep();
  }

  let hasLearnt = false;
  async function learn(): Promise<void> {
    if (!hasLearnt) hasLearnt = await outbox.learnFirst();
  }

  let toldOfRoom: string | null = null;
  async function logLag(): Promise<void> {
    const line = lagging(await ports.status());
    if (line !== null) log(line);
    const room = await ports.room();
    if (room !== null && room !== toldOfRoom) log(`Room: ${room}. recollect usage lists them.`);
    toldOfRoom = room;
    if (search === null) await generations.forgetRetired();
  }

  const timers = [
    every(SWEEP_EVERY_MS, sweep, true),
    every(FOLD_EVERY_MS, () => outbox.fold(), false),
    every(LEARN_EVERY_MS, learn, false),
    every(LOG_EVERY_MS, logLag, false),
  ];

  /** Repeats the work until the worker stops, and never twice at once. */
  function every(ms: number, work: () => Promise<void>, isAtOnce: boolean) {
    const pause = createPause();
    const running = (async () => {
      if (!isAtOnce) await pause.wait(ms);
      while (!isStopping) {
        await work().catch((error: unknown) => isStopping || report(error));
        await pause.wait(ms);
      }
    })();
    return {
      stop() {
        pause.end();
        return running;
      },
    };
  }

  const keeper =
    ports.search && startIndexKeeper({ ...ports, ...ports.search, generations }, { report, log });
  const abandoned = search === null ? generations.retireAll().catch(report) : null;
  const running = run();
  return {
    outage() {
      if (faults > 0) return `its last ${faults === 1 ? "round" : `${faults} rounds`} failed`;
      const seconds = Math.floor((performance.now() - roundSince) / 1000);
      return seconds > STALLED_SECONDS ? `a round has taken ${seconds} seconds so far` : null;
    },
    async stop() {
      isStopping = true;
      idle.end();
      await Promise.all([running, keeper?.stop(), abandoned, ...timers.map((timer) => timer.stop())]);
    },
  };
}
