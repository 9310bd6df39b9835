/** Why an index could not answer, as shown to callers and operators. Contains no content. */
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

/** An index that cannot answer now. The request itself may be valid: another index can answer it. */
export class IndexUnavailable extends Error {
  override readonly name = "IndexUnavailable";
  readonly reason: Unavailability;
  /** The index's own name for the error, for the log: a class of error, without content. */
  readonly detail: string | null;

  constructor(reason: Unavailability, { detail = null, ...options }: IndexUnavailableOptions = {}) {
    super(UNAVAILABLE[reason], options);
    this.reason = reason;
    this.detail = detail;
  }
}
