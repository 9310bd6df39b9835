import type { AgentStore } from "./agent/agent-store.ts";
import type { Embedder } from "./embedding/embedder.ts";
import type { Lexicon } from "./recall/lexicon.ts";
import type { Serving } from "./recall/serving.ts";
import type { Secrets } from "./secrets/secret-scanner.ts";
import type { SystemOfRecord } from "./system-of-record.ts";

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Time-ordered UUIDs (version 7). */
export type IdSource = () => string;

/** SHA-256 of the text's UTF-8 bytes, in lower-case hexadecimal. */
export type Hash = (text: string) => string;

/** Lets the process do what else is waiting: for work that takes longer than others should wait. */
export type Breathe = () => Promise<void>;

/** Tells the operator of a fault that the work goes on after. */
export type ReportFault = (error: unknown) => void;

/** What the operator decides and use cases must know. */
export interface Settings {
  /** Where people reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether agents without a credential may register themselves. */
  readonly selfRegistration: boolean;
}

/** What the use cases stand on. Each takes the part it needs by `Pick`. */
export interface Ports {
  readonly store: SystemOfRecord;
  readonly agents: AgentStore;
  readonly settings: Settings;
  readonly serving: () => Serving;
  /** For what is written. */
  readonly embedder: Embedder;
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
  readonly secrets: Secrets;
  readonly breathe: Breathe;
  readonly report: ReportFault;
}
