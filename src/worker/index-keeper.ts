import { type BuildPorts, type BuildTarget, buildIndex } from "../core/projection/build-index.ts";
import { checkIndex, compareIndex, IndexAhead } from "../core/projection/compare-index.ts";
import { OWNER_PORTIONS } from "../core/projection/fingerprint.ts";
import type { IndexGeneration } from "../core/projection/index-generations.ts";
import { type KeepPorts, type LiveIndex, lookAtIndexes, needOf } from "../core/projection/keep-index.ts";
import type { ProjectionStatus } from "../core/projection/projection-status.ts";
import { startLoop, type Worker } from "./loop.ts";

const LOOK_EVERY_MS = 2000;
const RETRY_MS_MAX = 60_000;
const NOTE_EVERY_MS = 60_000;
/** Tombstones are kept much longer than a stalled worker may take to resume, and than the oldest outbox line waits. */
const TOMBSTONES_KEPT_MS = 24 * 3_600_000;
const MARGIN_MS = 3_600_000;

export interface KeeperPorts extends BuildPorts, KeepPorts {
  readonly target: BuildTarget;
  /** Whether the vectors of the target's generation are made, as far as they can be. */
  embeddingsReady(): boolean;
  status(): Promise<ProjectionStatus>;
}

/** Maintains the engine's indexes: tracks which one serves, builds missing ones, checks and purges. */
export function startIndexKeeper(
  ports: KeeperPorts,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): Worker {
  const { engine, generations, incarnations, state, target } = ports;
  /** True until an index that fits the settings was found or built. */
  let isStart = true;
  let building: Promise<void> | null = null;
  let failures = 0;
  let tryAgainAt = 0;

  async function look(signal: AbortSignal): Promise<void> {
    const left = await lookAtIndexes(ports);
    const unknown = left.find((index) => index.state === "active" && index.trust === "unknown");
    if (unknown !== undefined) return adopt(unknown, signal);
    await noteRecord(left);
    const need = needOf(left, engine, target, isStart);
    if (!need.isBuildNeeded) {
      isStart = false;
      const checks = await generations.checkDue();
      if (checks !== null) await maintain(left, checks % OWNER_PORTIONS, signal);
      return;
    }
    const isOtherModel = left.some(
      (index) => index.state === "active" && index.embeddingGeneration !== target.embeddingGeneration,
    );
    // Queries use the old vectors until the new ones exist.
    if (isOtherModel && !ports.embeddingsReady()) return;
    if (building === null && performance.now() >= tryAgainAt)
      building = build(signal).finally(() => (building = null));
  }

  async function build(signal: AbortSignal): Promise<void> {
    try {
      const isDone = await generations.whileBuilding(async () => {
        const need = needOf(await lookAtIndexes(ports), engine, target, isStart);
        if (!need.isBuildNeeded) return false;
        log("The search index is being built.");
        return buildIndex(ports, target, { signal });
      });
      failures = 0;
      if (!isDone) return;
      log("The search index is built.");
      loop.wake();
    } catch (error) {
      failures += 1;
      tryAgainAt = performance.now() + Math.min(RETRY_MS_MAX, LOOK_EVERY_MS * 2 ** failures);
      if (error instanceof IndexAhead) await forget("building");
      if (!signal.aborted) report(error);
    }
  }

  /** Adopts an index made by an earlier version if it belongs to this record; otherwise a new one is built. */
  async function adopt(index: LiveIndex, signal: AbortSignal): Promise<void> {
    const found = await compareIndex(ports, index, { signal }).catch((error: unknown) => {
      if (error instanceof IndexAhead) return null;
      throw error;
    });
    if (signal.aborted) return;
    if (found !== null && found.missing + found.outdated + found.foreign === 0) {
      const { id: incarnation } = await incarnations.current();
      await engine.note(index.name, { incarnation, log: await incarnations.log() });
    } else {
      log("The search index is not the one of this record: it is built anew.");
      await generations.forget(index.name);
    }
    loop.wake();
  }

  let noted = { at: Number.NEGATIVE_INFINITY, log: 0n };
  /** Stores the record's position beside the index. If a backup of the record is restored, the index is ahead of it. */
  async function noteRecord(left: readonly LiveIndex[]): Promise<void> {
    const active = left.find((index) => index.state === "active" && index.trust === "whole");
    if (active === undefined || performance.now() - noted.at < NOTE_EVERY_MS) return;
    const { id: incarnation } = await incarnations.current();
    const log = await incarnations.log();
    if (log > noted.log) await engine.note(active.name, { incarnation, log });
    noted = { at: performance.now(), log };
  }

  async function maintain(
    left: readonly IndexGeneration[],
    portion: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { oldestSeconds } = await ports.status();
    const kept = Math.max(TOMBSTONES_KEPT_MS, (oldestSeconds ?? 0) * 1000 + MARGIN_MS);
    for (const index of left) await engine.purge(index.name, ports.clock() - kept);
    const active = left.find((index) => index.state === "active");
    if (active === undefined) return;
    try {
      const found = await checkIndex(ports, active, { portion, signal });
      const wrong = found.missing + found.outdated + found.foreign;
      if (wrong > 0) log(`The search index differed from the record in ${wrong} memories: put right.`);
    } catch (error) {
      if (!(error instanceof IndexAhead)) throw error;
      log("The search index is ahead of the record, as after a restored backup: it is built anew.");
      await forget("active");
    }
  }

  async function forget(which: IndexGeneration["state"]): Promise<void> {
    const live = await generations.live().catch(() => []);
    for (const index of live.filter(({ state }) => state === which)) await generations.forget(index.name);
  }

  const loop = startLoop(look, { pauseMs: LOOK_EVERY_MS, report });
  state.whenSuspected(loop.wake);
  return {
    async stop() {
      await loop.stop();
      await building;
    },
  };
}
