import type { TokenEncoder } from "../core/embedding/token-encoder.ts";
import { encodeMemories, type TokenBacklog } from "../core/projection/encode-tokens.ts";
import type { OwnedMemory } from "../core/projection/outbox.ts";
import type { Unembedded } from "../core/projection/reembed.ts";
import { createPause, type Next, startLoop, type Worker } from "./loop.ts";

/** So many memories are encoded between two looks at what has just been written: a second's work or so. */
const BATCH = 32;
/** A full scan finds memories that it was not notified of: those of a server without the model, and of a restore. */
const LOOK_EVERY_MS = 600_000;
const RETRY_MS = 2000;
const RETRY_MS_MAX = 60_000;
/** More than this has been written at once: it is found by looking through all. */
const TOLD_MAX = 10_000;

/** So long after a request the service counts as busy, and the build takes this part of one processor at most. */
const BUSY_MS = 1000;
const BUSY_SHARE = 0.1;

export interface TokenBuildPorts {
  readonly encoder: TokenEncoder;
  readonly backlog: TokenBacklog;
  /** When somebody last asked something of the model, by `performance.now()`. */
  readonly askedAt: () => number;
  /** Runs the work while no other server does it, or answers null at once where one does. */
  readonly withSessionLock: <T>(work: () => Promise<T>) => Promise<T | null>;
}

export interface TokenBuild extends Worker {
  /** These memories were written: those that lack vectors are next. */
  tell(memories: readonly OwnedMemory[]): void;
}

/**
 * Makes token vectors in the background, as long as the service runs: of what has just been written first, then of everything
 * that has none, the newest first. Nothing is lost where it is broken off: what lacks vectors is found again by the next start.
 */
export function startTokenBuild(
  { encoder, backlog, askedAt, withSessionLock }: TokenBuildPorts,
  report: (error: unknown) => void,
): TokenBuild {
  const resting = createPause();
  const told = new Map<string, OwnedMemory>();
  let lookAt = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let hasOthers = true;

  /** Requests come first: beside them this takes its time. */
  async function rest(tookMs: number): Promise<void> {
    if (performance.now() - Math.max(toldAt, askedAt()) < BUSY_MS)
      await resting.wait(tookMs * (1 / BUSY_SHARE - 1));
  }

  const encode = (memories: readonly Unembedded[], signal: AbortSignal) =>
    encodeMemories({ encoder, backlog }, memories, { signal, rest });

  async function encodeTold(signal: AbortSignal): Promise<void> {
    while (told.size > 0 && !signal.aborted) {
      const memories = [...told.values()].slice(0, BATCH);
      // Before they are read: what changes meanwhile is told anew.
      for (const { memory } of memories) told.delete(memory);
      await encode(await backlog.readOf(memories), signal);
    }
  }

  /** Looks through all memories. What has just been written is encoded in between. */
  async function encodeAll(signal: AbortSignal): Promise<true> {
    for (let before: string | null = null; !signal.aborted; ) {
      await encodeTold(signal);
      const batch = await backlog.read(before, BATCH);
      const last = batch.at(-1);
      if (last === undefined) break;
      await encode(batch, signal);
      before = last.memory;
    }
    if (!signal.aborted && hasOthers) {
      // Those of a former model served until now, on servers that still have it.
      await backlog.dropOthers();
      hasOthers = false;
    }
    return true;
  }

  async function encodeWhatIsLeft(signal: AbortSignal): Promise<Next> {
    await encodeTold(signal);
    if (performance.now() >= lookAt) {
      // Before it begins: what is asked for meanwhile is another one.
      lookAt = performance.now() + LOOK_EVERY_MS;
      const done = await withSessionLock(() => encodeAll(signal));
      if (done === null) lookAt = performance.now() + RETRY_MS;
    }
    return told.size > 0 ? "at once" : Math.max(0, lookAt - performance.now());
  }

  const round = (signal: AbortSignal) =>
    encodeWhatIsLeft(signal).catch((error: unknown) => {
      // The memories that it was about to encode are found again by looking through all.
      lookAt = 0;
      throw error;
    });
  const loop = startLoop(round, { pauseMs: RETRY_MS, retryMsMax: RETRY_MS_MAX, report });
  return {
    tell(memories) {
      toldAt = performance.now();
      if (told.size + memories.length > TOLD_MAX) lookAt = 0;
      else for (const { ownerId, memory } of memories) told.set(memory, { ownerId, memory });
      loop.wake();
    },
    stop() {
      const stopped = loop.stop();
      resting.end();
      return stopped;
    },
  };
}
