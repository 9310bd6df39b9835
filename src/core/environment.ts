/** Injected dependencies of the core: time, ids, hashes, the operator's settings, and fault reporting. */

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Time-ordered UUIDs (version 7). */
export type IdSource = () => string;

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export type Hash = (text: string) => string;

/** Reports a fault to the operator; the work continues. */
export type ReportFault = (error: unknown) => void;

/** The operator's settings that use cases need. */
export interface Settings {
  /** Public address of this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether agents without a credential may register themselves. */
  readonly selfRegistration: boolean;
}
