import type { Embedder } from "../core/embedding/embedder.ts";
import { type EmbeddingBacklog, reembed } from "../core/projection/reembed.ts";
import { startLoop, type Worker } from "./loop.ts";

const PAUSE_MS = 2000;
const RETRY_MS_MAX = 60_000;

export interface EmbeddingBuildPorts {
  readonly embedder: Embedder;
  readonly backlog: EmbeddingBacklog;
  /** Runs the work unless another server is doing it; then returns null at once. */
  readonly withSessionLock: <T>(work: () => Promise<T>) => Promise<T | null>;
}

export interface EmbeddingBuild extends Worker {
  /** True once all earlier memories have a vector, except those that the provider refuses. */
  isBuilt(): boolean;
}

/**
 * Embeds, once and in the background, all memories without a vector of the current generation, such as after a change
 * of model or a restore. The worker embeds what is written meanwhile. Retries while the provider is unavailable.
 */
export function startEmbeddingBuild(
  { embedder, backlog, withSessionLock }: EmbeddingBuildPorts,
  report: (error: unknown) => void,
): EmbeddingBuild {
  let isBuilt = false;
  const loop = startLoop(
    async (signal) => {
      const done = await withSessionLock(() => reembed({ backlog, embedder }, { signal }));
      isBuilt = done !== null && !signal.aborted;
      return isBuilt ? "never" : PAUSE_MS;
    },
    { pauseMs: PAUSE_MS, retryMsMax: RETRY_MS_MAX, report },
  );
  return { isBuilt: () => isBuilt, stop: loop.stop };
}
