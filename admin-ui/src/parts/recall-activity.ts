/** Recalls by who asked for them, from the recall log. */
import type { Outputs } from "../shell/trpc.ts";

type Caller = Outputs["recallActivity"]["callers"][number];

export interface Activity {
  /** In each step, oldest first. */
  readonly recalls: readonly number[];
  readonly total: number;
  /** Part of the contexts that were answered; null without any. */
  readonly answered: number | null;
}

/** The sum of what some callers asked for. */
export function activityOf(callers: readonly Caller[], steps: number): Activity {
  const sum = (of: (caller: Caller) => number) => callers.reduce((total, one) => total + of(one), 0);
  const recalls = Array.from({ length: steps }, (_, step) => sum((one) => one.recalls[step] ?? 0));
  const answered = sum((one) => one.answered);
  const contexts = answered + sum((one) => one.partial + one.none);
  return {
    recalls,
    total: recalls.reduce((total, count) => total + count, 0),
    answered: contexts === 0 ? null : answered / contexts,
  };
}
