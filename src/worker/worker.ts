import type { Outbox } from "../core/projection/outbox.ts";
import { project } from "../core/projection/project.ts";
import type { Embedder } from "../core/recall/embedder.ts";
import type { RecallIndex } from "../core/recall/recall-index.ts";

const LINES_PER_ROUND = 500;
const IDLE_MS = 200;
const SWEEP_EVERY_MS = 600_000;

export interface Worker {
  /** Finishes the round that is running, then stops. */
  stop(): Promise<void>;
}

/** Does what writes left to be done, as long as the service runs. A round that fails is reported and tried again. */
export function startWorker(
  ports: { outbox: Outbox; embedder: Embedder; index: Pick<RecallIndex, "refresh"> },
  report: (error: unknown) => void,
): Worker {
  let isStopping = false;
  let wake = () => {};
  let sweptAt = 0;

  async function round(): Promise<number> {
    if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
      await ports.outbox.sweep();
      sweptAt = Date.now();
    }
    return ports.outbox.process(LINES_PER_ROUND, (lines) => project(ports, lines));
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const taken = await round().catch(reported);
      if (taken < LINES_PER_ROUND && !isStopping) await pause();
    }
  }

  function reported(error: unknown): number {
    if (!isStopping) report(error);
    return 0;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = run();
  return {
    stop() {
      isStopping = true;
      wake();
      return running;
    },
  };
}
