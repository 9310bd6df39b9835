/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  /** The total, constant within a piece of work; null if it is unknown before the end. */
  readonly total: number | null;
}

/** Called with the progress of a piece of work, which only increases. */
export type OnProgress = (progress: Progress) => void;

/** Passes on only increases, for work of several parts that each count from 0. */
export function rising(tell: OnProgress): OnProgress {
  let told = 0;
  return (progress) => {
    if (progress.done <= told) return;
    told = progress.done;
    tell(progress);
  };
}
