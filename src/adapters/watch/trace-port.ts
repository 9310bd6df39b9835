/** Attributes of a span: never content, never an id that a caller chose. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Traces, where they are set up. Its implementation is loaded only then. */
export interface Tracing {
  /** Carries out a request in a span of the server's kind, below the one that its headers name. */
  request<T>(name: string, attributes: Attributes, headers: Headers, work: () => Promise<T>): Promise<T>;
  /** Carries out a part of what is being carried out. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Begins a part that nothing is below; ended by the answered function, with the failure or null. */
  begin(name: string, attributes: Attributes): ((failure: unknown) => void) | null;
  /** More about the part that is being carried out. */
  note(attributes: Attributes): void;
  /** Says that it failed. */
  fail(): void;
  traceId(): string | null;
  /** Whether the trace is sent anywhere. */
  isKept(): boolean;
  /** Sends what is left; never rejects. */
  stop(): Promise<void>;
}
