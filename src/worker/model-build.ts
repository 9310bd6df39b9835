import { type EncodedMemory, type EncodePorts, encodeMemories } from "../core/projection/encode-later.ts";
import type { OwnedMemory } from "../core/projection/outbox.ts";
import type { Unembedded } from "../core/projection/reembed.ts";
import { createPause, type Next, startLoop, type Worker } from "./loop.ts";

/** Memories encoded between checks for new writes: about a second of work. */
const BATCH = 32;
/** A full scan finds memories without a notification: those written by a server without the model, or restored. */
const SCAN_EVERY_MS = 600_000;
const RETRY_MS = 2000;
const RETRY_MS_MAX = 60_000;
/** Maximum number of pending notifications. Beyond it, a full scan finds the memories. */
const NOTIFIED_MAX = 10_000;

/** How long after a request the service counts as busy, and the maximum share of one CPU that the build uses then. */
const BUSY_MS = 1000;
const BUSY_SHARE = 0.1;

export interface ModelBuildPorts<Encoded extends EncodedMemory> extends EncodePorts<Encoded> {
  /** When the model was last queried, by `performance.now()`. */
  readonly askedAt: () => number;
  /** Runs the work unless another server is doing it; then returns null at once. */
  readonly withSessionLock: <T>(work: () => Promise<T>) => Promise<T | null>;
}

export interface ModelBuild extends Worker {
  /** Notifies the build of written memories. Those that lack vectors are encoded next. */
  notify(memories: readonly OwnedMemory[]): void;
}

/**
 * Makes a model's vectors in the background: first for new writes, then for all memories without them, newest first. An
 * interruption loses nothing, since the next start finds what lacks vectors.
 */
export function startModelBuild<Encoded extends EncodedMemory>(
  { backlog, encode: encodeOne, askedAt, withSessionLock }: ModelBuildPorts<Encoded>,
  report: (error: unknown) => void,
): ModelBuild {
  const resting = createPause();
  const notified = new Map<string, OwnedMemory>();
  let scanAt = 0;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let hasOthers = true;

  /** Yields to requests: the build slows down while the service is busy. */
  async function rest(tookMs: number): Promise<void> {
    if (performance.now() - Math.max(notifiedAt, askedAt()) < BUSY_MS)
      await resting.wait(tookMs * (1 / BUSY_SHARE - 1));
  }

  const encode = (memories: readonly Unembedded[], signal: AbortSignal) =>
    encodeMemories({ backlog, encode: encodeOne }, memories, { signal, rest });

  async function encodeNotified(signal: AbortSignal): Promise<void> {
    while (notified.size > 0 && !signal.aborted) {
      const memories = [...notified.values()].slice(0, BATCH);
      // Deleted before the memories are read, so that a change meanwhile is notified again.
      for (const { memory } of memories) notified.delete(memory);
      await encode(await backlog.readOf(memories), signal);
    }
  }

  /** Scans all memories, and encodes new writes in between. */
  async function encodeAll(signal: AbortSignal): Promise<true> {
    for (let before: string | null = null; !signal.aborted; ) {
      await encodeNotified(signal);
      const batch = await backlog.read(before, BATCH);
      const last = batch.at(-1);
      if (last === undefined) break;
      await encode(batch, signal);
      before = last.memory;
    }
    if (!signal.aborted && hasOthers) {
      // Vectors of a former model have served until now, on servers that still run it.
      await backlog.dropOthers();
      hasOthers = false;
    }
    return true;
  }

  async function encodeBacklog(signal: AbortSignal): Promise<Next> {
    await encodeNotified(signal);
    if (performance.now() >= scanAt) {
      // Set before the scan, so that a scan requested meanwhile is not lost.
      scanAt = performance.now() + SCAN_EVERY_MS;
      const done = await withSessionLock(() => encodeAll(signal));
      if (done === null) scanAt = performance.now() + RETRY_MS;
    }
    return notified.size > 0 ? "at once" : Math.max(0, scanAt - performance.now());
  }

  const round = (signal: AbortSignal) =>
    encodeBacklog(signal).catch((error: unknown) => {
      // A full scan will find the memories that were about to be encoded.
      scanAt = 0;
      throw error;
    });
  const loop = startLoop(round, { pauseMs: RETRY_MS, retryMsMax: RETRY_MS_MAX, report });
  return {
    notify(memories) {
      notifiedAt = performance.now();
      if (notified.size + memories.length > NOTIFIED_MAX) scanAt = 0;
      else for (const { ownerId, memory } of memories) notified.set(memory, { ownerId, memory });
      loop.wake();
    },
    stop() {
      const stopped = loop.stop();
      resting.end();
      return stopped;
    },
  };
}
