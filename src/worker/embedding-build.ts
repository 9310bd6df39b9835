import type { Embedder } from "../core/embedding/embedder.ts";
import { type EmbeddingBacklog, reembed } from "../core/projection/reembed.ts";
import { createPause } from "./loop.ts";

const PAUSE_MS = 2000;
const PAUSE_MAX_MS = 60_000;

export interface EmbeddingBuildPorts {
  readonly embedder: Embedder;
  readonly backlog: EmbeddingBacklog;
  /** Runs the work while no other server does it, or answers null at once where one does. */
  readonly withSessionLock: <T>(work: () => Promise<T>) => Promise<T | null>;
}

export interface EmbeddingBuild {
  /** Whether everything that was written before has been looked through and embedded, as far as the provider takes it. */
  isBuilt(): boolean;
  stop(): Promise<void>;
}

/**
 * Embeds, in the background and once, what has no vector of the current generation: after a change of the model, or of
 * what was restored. What is written meanwhile is the worker's. A provider that is away is asked again later.
 */
export function startEmbeddingBuild(
  { embedder, backlog, withSessionLock }: EmbeddingBuildPorts,
  report: (error: unknown) => void,
): EmbeddingBuild {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = createPause();
  let isBuilt = false;

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted && !isBuilt; ) {
      try {
        const done = await withSessionLock(() => reembed({ backlog, embedder }, { signal }));
        isBuilt = done !== null && !signal.aborted;
        failures = 0;
      } catch (error) {
        // Once: what follows is the same, and doctor counts what is without a vector.
        if (failures === 0 && !signal.aborted) report(error);
        failures++;
      }
      if (!isBuilt) await pause.wait(Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failures));
    }
  }

  const running = run();
  return {
    isBuilt: () => isBuilt,
    stop() {
      stopping.abort();
      pause.end();
      return running;
    },
  };
}
