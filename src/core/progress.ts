/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  /** Of how many; it does not change within a piece of work. null where nobody knows before it is done. */
  readonly total: number | null;
}

/** Told how far a piece of work has come, each time with more done than before. */
export type OnProgress = (progress: Progress) => void;

/** The same, told only of what is more than it was told before: work of several parts begins to count anew with each. */
export function rising(tell: OnProgress): OnProgress {
  let told = 0;
  return (progress) => {
    if (progress.done <= told) return;
    told = progress.done;
    tell(progress);
  };
}
