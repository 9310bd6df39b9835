/** Attributes of a span: never content, never an id that a caller chose. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Traces. The implementation is loaded only if tracing is configured. */
export interface Tracing {
  /** Runs a request in a server span, as a child of the one that its headers name. */
  request<T>(name: string, attributes: Attributes, headers: Headers, work: () => Promise<T>): Promise<T>;
  /** Runs work in a child span of the current one. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Begins a span without children. The returned function ends it, with the failure or null. */
  begin(name: string, attributes: Attributes): ((failure: unknown) => void) | null;
  /** Adds attributes to the current span. */
  note(attributes: Attributes): void;
  /** Marks the current span as failed. */
  fail(): void;
  traceId(): string | null;
  /** Whether the current trace is sampled. */
  isKept(): boolean;
  /** Sends what is left; never rejects. */
  stop(): Promise<void>;
}
