import { applyRetention, type RetentionPorts } from "../core/retention/apply-retention.ts";
import { hasRules, type RetentionPolicy } from "../core/retention/policy.ts";
import { startLoop, type Worker } from "./loop.ts";

const EVERY_MS = 3_600_000;

export interface RetentionWorkerPorts extends RetentionPorts {
  /** Runs the work while no other server does, or answers null at once where one does. */
  alone<T>(work: () => Promise<T>): Promise<T | null>;
}

/** Applies the rules at the start and every hour; one server at a time. null where there are none. */
export function startRetention(
  ports: RetentionWorkerPorts,
  policy: RetentionPolicy,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): Worker | null {
  if (!hasRules(policy)) return null;
  const stopping = new AbortController();
  async function round(): Promise<{ isMoreWaiting: boolean }> {
    const done = await ports.alone(() => applyRetention(ports, policy, { signal: stopping.signal }));
    const count = (of: "memories" | "audit") =>
      (done ?? []).filter((applied) => applied.of === of).reduce((sum, applied) => sum + applied.count, 0);
    if (count("memories") + count("audit") > 0)
      log(`Retention: ${count("memories")} memories and ${count("audit")} audit lines were removed.`);
    return { isMoreWaiting: false };
  }
  const loop = startLoop(round, EVERY_MS, report);
  return {
    stop() {
      stopping.abort();
      return loop.stop();
    },
  };
}
