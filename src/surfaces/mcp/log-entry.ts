/** Something an operator should see. It never holds a tool's arguments or what was recalled. */
export interface McpLogEntry {
  /** `error`: a fault of ours. `warn`: a request that the protocol refuses. */
  readonly level: "warn" | "error";
  readonly message: string;
  readonly requestId: string | null;
  readonly tool: string | null;
  readonly error: unknown;
}
