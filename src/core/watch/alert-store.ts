import type { AlertMeasure } from "../../contract/alert.ts";
import type { Caller } from "../caller.ts";

/** null: not watched. In the units of `alertMeasures`. */
export type AlertThresholds = Readonly<Record<AlertMeasure, number | null>>;

/** A workspace that has at least one threshold. */
export interface WatchedWorkspace {
  readonly ownerId: string;
  readonly thresholds: AlertThresholds;
}

export interface ExceededThreshold {
  readonly measure: AlertMeasure;
  /** Id of the silent agent, or of the credential if it is of no agent; "" for other measures. */
  readonly about: string;
  readonly value: number;
  readonly threshold: number;
}

export interface RaisedAlert extends ExceededThreshold {
  /** Name of the silent agent or credential. */
  readonly name: string | null;
  readonly isAgent: boolean;
  readonly raisedAt: number;
  /** Since when the threshold is kept again; null while it is exceeded. */
  readonly calmSince: number | null;
}

/** Thresholds and raised alerts, by owner. Raising and ending an alert each write one event, in the same transaction. */
export interface AlertStore {
  thresholds(ownerId: string): Promise<AlertThresholds>;
  /** Replaces all thresholds, ends alerts of measures without one, and writes an audit line. */
  setThresholds(caller: Caller, ownerId: string, thresholds: AlertThresholds): Promise<void>;
  /** The longest raised first. */
  raised(ownerId: string): Promise<RaisedAlert[]>;
  /** Workspaces not measured since `before`, which are measured now. Each is returned to one server only. */
  takeDue(when: { readonly now: number; readonly before: number }): Promise<WatchedWorkspace[]>;
  /** Memories open to recall that state the same fact as another one. */
  conflicts(ownerId: string, now: number): Promise<number>;
  /** Credentials in use within the last weeks, or with a raised alert, that have not been since `before`. */
  silent(ownerId: string, before: number): Promise<{ readonly id: string; readonly lastUsedAt: number }[]>;
  /**
   * Raises alerts for what is exceeded, unless they are raised or the threshold has changed. Those that are not exceeded
   * become calm, and end once they have been calm since `calmBefore`.
   */
  record(
    ownerId: string,
    exceeded: readonly ExceededThreshold[],
    when: { readonly now: number; readonly calmBefore: number },
  ): Promise<void>;
}
