/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  /** Of how many; it does not change within a piece of work. */
  readonly total: number;
}

/** Told how far a piece of work has come, each time with more done than before. */
export type OnProgress = (progress: Progress) => void;
