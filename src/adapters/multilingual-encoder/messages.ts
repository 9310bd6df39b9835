import type { MultilingualText } from "../../core/embedding/multilingual-encoder.ts";

/** One job for the thread: a text with its language, or several vectors of a query. */
export type Job =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "vectors"; readonly texts: readonly string[] };

/** The result of each kind of job. */
export interface Results {
  readonly text: MultilingualText;
  readonly vectors: readonly Float32Array[];
}

/** The thread's messages: `ready` once, then one for each job. */
export type Message =
  | { readonly ready: true }
  | { readonly result: Results[Job["kind"]] }
  | { readonly failed: string };
