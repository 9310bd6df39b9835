import type { DecisionStatus, ImpactLevel } from "../../contract/project.ts";

/** What a decision is about and how it stands. Instants in milliseconds since the epoch. */
export interface Decision {
  readonly context: string;
  readonly options: readonly string[];
  readonly impactLevel: ImpactLevel | null;
  readonly status: DecisionStatus;
  readonly proposedBy: string | null;
  readonly resolution: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly dueAt: number | null;
  readonly sourceMemoryId: string | null;
  /** The caller's own metadata. */
  readonly extra: Readonly<Record<string, unknown>>;
}
