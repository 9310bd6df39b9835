import { applyRetention, type RetentionPorts } from "../core/retention/apply-retention.ts";
import { hasRules, type RetentionPolicy } from "../core/retention/policy.ts";
import { startLoop, type Worker } from "./loop.ts";

const EVERY_MS = 3_600_000;

export interface RetentionWorkerPorts extends RetentionPorts {
  /** Runs the work unless another server is doing it; then returns null at once. */
  alone<T>(work: () => Promise<T>): Promise<T | null>;
}

/** Applies the rules at the start and every hour, on one server at a time. Returns null if there are no rules. */
export function startRetention(
  ports: RetentionWorkerPorts,
  policy: RetentionPolicy,
  { report, log }: { report: (error: unknown) => void; log: (message: string) => void },
): Worker | null {
  if (!hasRules(policy)) return null;
  async function round(signal: AbortSignal): Promise<void> {
    const done = await ports.alone(() => applyRetention(ports, policy, { signal }));
    const count = (of: "memories" | "audit") =>
      (done ?? []).filter((applied) => applied.of === of).reduce((sum, applied) => sum + applied.count, 0);
    if (count("memories") + count("audit") > 0)
      log(`Retention: ${count("memories")} memories and ${count("audit")} audit lines were removed.`);
  }
  return startLoop(round, { pauseMs: EVERY_MS, report });
}
