/** Why an index could not answer, in the words that callers and operators read. None holds content. */
export const UNAVAILABLE = {
  away: "it cannot be reached",
  untrusted: "its certificate is not trusted",
  slow: "it did not answer in time",
  credentials: "it refuses the credentials",
  forbidden: "the credentials do not allow what recall needs",
  overloaded: "it is overloaded",
  incomplete: "parts of its index did not answer",
  unintelligible: "its answer was not understood",
  building: "its index is being built",
  outdated: "it is of a version that is not supported",
  failed: "it failed",
} as const;

export type Unavailability = keyof typeof UNAVAILABLE;

interface IndexUnavailableOptions {
  readonly cause?: unknown;
  readonly detail?: string | null;
}

/** An index that cannot answer now. It says nothing of the request, which another index can answer. */
export class IndexUnavailable extends Error {
  override readonly name = "IndexUnavailable";
  readonly reason: Unavailability;
  /** What the index itself calls it, for the log: a class of error, without content. */
  readonly detail: string | null;

  constructor(reason: Unavailability, { detail = null, ...options }: IndexUnavailableOptions = {}) {
    super(UNAVAILABLE[reason], options);
    this.reason = reason;
    this.detail = detail;
  }
}
