/**
 * Dependencies that the core must not reach for itself: time, ids, hashes, the operator's settings, and how faults
 * are reported.
 */

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Time-ordered UUIDs (version 7). */
export type IdSource = () => string;

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export type Hash = (text: string) => string;

/** Tells the operator of a fault that the work goes on after. */
export type ReportFault = (error: unknown) => void;

/** The operator's settings that use cases need. */
export interface Settings {
  /** Public address of this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether agents without a credential may register themselves. */
  readonly selfRegistration: boolean;
}
