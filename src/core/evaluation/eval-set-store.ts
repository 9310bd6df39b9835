import type { Caller } from "../caller.ts";

export interface EvalQuestion {
  readonly id: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Public ids. */
  readonly relevant: readonly string[];
  readonly stale: readonly string[];
}

interface OfSet {
  readonly ownerId: string;
  readonly name: string;
}

/**
 * Stored evaluation sets. Callers see the questions whose memories they all see; a question goes with the first of its
 * memories that is permanently removed, as a logged recall does.
 */
export interface EvalSetStore {
  list(
    caller: Caller,
    ownerId: string,
  ): Promise<{ readonly name: string; readonly questions: number; readonly updatedAt: number }[]>;
  /** In the order in which they were added. */
  questions(caller: Caller, set: OfSet): Promise<EvalQuestion[]>;
  /**
   * Adds questions, which replace those that ask the same. Returns the number of questions in the set, or the first
   * public id that the caller does not see, or the limit that would be exceeded; nothing is added then.
   */
  add(
    caller: Caller,
    set: OfSet,
    questions: readonly EvalQuestion[],
    max: { readonly sets: number; readonly questions: number },
  ): Promise<
    { readonly count: number } | { readonly unknown: string } | { readonly full: "sets" | "questions" }
  >;
  /** Removes these questions, or all. Returns how many were removed. */
  remove(set: OfSet, ids: readonly string[] | null): Promise<number>;
}
