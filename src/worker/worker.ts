import type { Outbox } from "../core/projection/outbox.ts";
import { project } from "../core/projection/project.ts";
import type { Embedder } from "../core/recall/embedder.ts";
import type { RecallIndex } from "../core/recall/recall-index.ts";
import { startLoop, type Worker } from "./loop.ts";

const LINES_PER_ROUND = 500;
const IDLE_MS = 200;
const SWEEP_EVERY_MS = 600_000;

/** Does what writes left to be done, as long as the service runs. A round that fails is reported and tried again. */
export function startWorker(
  ports: { outbox: Outbox; embedder: Embedder; index: Pick<RecallIndex, "refresh"> },
  report: (error: unknown) => void,
): Worker {
  let sweptAt = 0;

  async function round() {
    if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
      await ports.outbox.sweep();
      sweptAt = Date.now();
    }
    const taken = await ports.outbox.process(LINES_PER_ROUND, (lines) => project(ports, lines));
    return { isMoreWaiting: taken >= LINES_PER_ROUND };
  }

  return startLoop(round, IDLE_MS, report);
}
