/** The service's figures as charts want them: as many steps as can be drawn, and none left out. */
import type { Outputs } from "../../shell/trpc.ts";

type Figures = Outputs["figures"];
export type Range = Figures["range"];

export interface Step {
  /** Where it begins, in milliseconds since the epoch. */
  readonly at: number;
  readonly memories: number | null;
  readonly recalls: number;
  readonly writes: number;
  readonly recallsPerMinute: number;
  readonly writesPerMinute: number;
  readonly failures: number;
  /** Of the finer steps within, weighed by their recalls. */
  readonly p50: number | null;
  /** The worst of the finer steps within. */
  readonly p95: number | null;
  /** The least. */
  readonly coverage: number | null;
  /** The most. */
  readonly lag: number | null;
}

const MINUTE = 60_000;

/** How far back a range goes, and how long a step of a chart of it is: some 60 to 100 of them. */
export const RANGES: Readonly<
  Record<
    Range,
    { readonly label: string; readonly words: string; readonly ms: number; readonly stepMs: number }
  >
> = {
  hour: { label: "1 h", words: "the last hour", ms: 60 * MINUTE, stepMs: MINUTE },
  day: { label: "24 h", words: "the last 24 hours", ms: 1440 * MINUTE, stepMs: 15 * MINUTE },
  week: { label: "7 d", words: "the last 7 days", ms: 7 * 1440 * MINUTE, stepMs: 120 * MINUTE },
  quarter: { label: "90 d", words: "the last 90 days", ms: 90 * 1440 * MINUTE, stepMs: 1440 * MINUTE },
};

/** Every step of the range up to `now`, the oldest first. Where nothing happened there were no recalls and no writes. */
export function stepsOf({ range, steps, memories }: Figures, now: number): Step[] {
  const { ms, stepMs } = RANGES[range];
  const first = Math.floor((now - ms) / stepMs) + 1;
  const count = Math.floor(now / stepMs) - first + 1;
  const within: Figures["steps"][] = Array.from({ length: count }, () => []);
  for (const step of steps) within[Math.floor(Date.parse(step.at) / stepMs) - first]?.push(step);
  const made = within.map((parts, n) => {
    const at = (first + n) * stepMs;
    // The last step is not over.
    return together(parts, at, Math.max(MINUTE, Math.min(stepMs, now - at)) / MINUTE);
  });
  return withMemories(made, memories);
}

function together(parts: Figures["steps"], at: number, minutes: number): Step {
  const sum = (of: (part: Figures["steps"][number]) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const there = (name: "memories" | "recall_p95_ms" | "coverage" | "index_lag_seconds") =>
    parts.flatMap((part) => part[name] ?? []);
  const recalls = sum((part) => part.recalls);
  const writes = sum((part) => part.writes);
  const timed = parts.filter((part) => part.recall_p50_ms !== null);
  const weight = timed.reduce((total, part) => total + part.recalls, 0);
  return {
    at,
    memories: there("memories").at(-1) ?? null,
    recalls,
    writes,
    recallsPerMinute: recalls / minutes,
    writesPerMinute: writes / minutes,
    failures: sum((part) => part.failures),
    p50:
      weight === 0
        ? null
        : timed.reduce((total, part) => total + (part.recall_p50_ms ?? 0) * part.recalls, 0) / weight,
    p95: mostOf(there("recall_p95_ms")),
    coverage: leastOf(there("coverage")),
    lag: mostOf(there("index_lag_seconds")),
  };
}

const mostOf = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
const leastOf = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values));

/** Between two writes there are as many memories as after the one before; at the end as many as there are now. */
function withMemories(steps: readonly Step[], now: number): Step[] {
  let known: number | null = null;
  return steps.map((step, at) => {
    known = at === steps.length - 1 ? now : (step.memories ?? known);
    return { ...step, memories: known };
  });
}
