/**
 * Measures that alerts watch, with the range of their thresholds, in milliseconds, a share, memories and hours. There is
 * no threshold, and so no alert, until somebody sets one. The suggested ones raise nothing in a new workspace.
 */
export const alertMeasures = {
  // An agent waits for recall in each turn.
  recall_p95: { min: 1, max: 600_000, suggested: 1000 },
  recall_coverage: { min: 0.01, max: 1, suggested: 0.95 },
  // One sitting of resolving them.
  open_conflicts: { min: 0, max: 1_000_000, suggested: 20 },
  // Longer than a weekend.
  silent_agent: { min: 1, max: 8760, suggested: 72 },
} as const satisfies Readonly<Record<string, Readonly<Record<"min" | "max" | "suggested", number>>>>;

export type AlertMeasure = keyof typeof alertMeasures;

export const alertMeasureNames = Object.keys(alertMeasures) as readonly AlertMeasure[];
