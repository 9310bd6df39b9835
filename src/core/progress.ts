/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  /** The total, constant within a piece of work; null if it is unknown before the end. */
  readonly total: number | null;
}

/** Told how far a piece of work has come, each time with more done than before. */
export type OnProgress = (progress: Progress) => void;

/**
 * The same, told only of what is more than it was told before: work of several parts begins to count anew with each.
 */
export function rising(tell: OnProgress): OnProgress {
  let told = 0;
  return (progress) => {
    if (progress.done <= told) return;
    told = progress.done;
    tell(progress);
  };
}
