import type { AlertMeasure } from "../../contract/alert.ts";
import type { Ports } from "../ports.ts";
import type { AlertStore, ExceededThreshold, WatchedWorkspace } from "./alert-store.ts";
import type { FigureRow } from "./figure-store.ts";
import { latencyPercentile } from "./latency.ts";

/** How often a workspace is measured. */
const EVERY_MS = 30_000;
const WINDOW_MS = 900_000;
/** A single slow or fast recall says little. */
const RECALLS_MIN = 5;
/** A value that moves around its threshold raises one alert, which lasts until the value has stayed calm. */
const CALM_MS = 300_000;
const HOUR_MS = 3_600_000;

type EvaluatePorts = { readonly alerts: AlertStore } & Pick<Ports, "figures" | "clock" | "report">;

/**
 * Measures the workspaces that are due, and raises and ends their alerts. Several replicas may call this concurrently:
 * each workspace is measured by one of them. A failing workspace is reported and does not affect the others.
 */
export async function evaluateAlerts(
  ports: EvaluatePorts,
  { isStopping }: { readonly isStopping: () => boolean },
): Promise<void> {
  const now = ports.clock();
  for (const workspace of await ports.alerts.takeDue({ now, before: now - EVERY_MS })) {
    if (isStopping()) return;
    await evaluate(ports, workspace).catch(ports.report);
  }
}

async function evaluate(ports: EvaluatePorts, workspace: WatchedWorkspace): Promise<void> {
  const now = ports.clock();
  const exceeded = await exceededIn(ports, workspace, now);
  await ports.alerts.record(workspace.ownerId, exceeded, { now, calmBefore: now - CALM_MS });
}

async function exceededIn(
  { alerts, figures }: EvaluatePorts,
  { ownerId, thresholds }: WatchedWorkspace,
  now: number,
): Promise<ExceededThreshold[]> {
  const { recall_p95, recall_coverage, open_conflicts, silent_agent } = thresholds;
  const exceeded: ExceededThreshold[] = [];
  const exceeds = (measure: AlertMeasure, value: number, threshold: number, about = "") =>
    exceeded.push({ measure, about, value, threshold });
  if (recall_p95 !== null || recall_coverage !== null) {
    const { p95, coverage } = recallIn(await figures.read(ownerId, "minute", now - WINDOW_MS));
    if (recall_p95 !== null && p95 !== null && p95 > recall_p95) exceeds("recall_p95", p95, recall_p95);
    if (recall_coverage !== null && coverage !== null && coverage < recall_coverage)
      exceeds("recall_coverage", coverage, recall_coverage);
  }
  if (open_conflicts !== null) {
    const conflicts = await alerts.conflicts(ownerId, now);
    if (conflicts > open_conflicts) exceeds("open_conflicts", conflicts, open_conflicts);
  }
  if (silent_agent !== null)
    for (const { id, lastUsedAt } of await alerts.silent(ownerId, now - silent_agent * HOUR_MS))
      exceeds("silent_agent", (now - lastUsedAt) / HOUR_MS, silent_agent, id);
  return exceeded;
}

/** null if there were too few recalls to tell. */
function recallIn(rows: readonly FigureRow[]): {
  readonly p95: number | null;
  readonly coverage: number | null;
} {
  const sum = (of: (row: FigureRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const latency = (rows[0]?.latency ?? []).map((_, step) => sum((row) => row.latency[step] ?? 0));
  const covered = sum((row) => row.covered);
  return {
    p95: sum((row) => row.recalls) < RECALLS_MIN ? null : latencyPercentile(latency, 0.95),
    coverage: covered < RECALLS_MIN ? null : sum((row) => row.coverageSum) / covered,
  };
}
