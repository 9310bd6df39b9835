/**
 * The client of the Recollect memory service: every operation typed, retries that never write twice, and the helpers of an
 * agent's work. Runs on Bun, Deno, Node and in browsers, and depends on nothing.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "http://127.0.0.1:8787", apiKey });
 * await client.remember({ content: "Apollo is deployed on Thursdays.", path: "notes/deploys" });
 * const { context_text } = await client.recallContext({ query: "When is Apollo deployed?" });
 * ```
 * @module
 */
export type { Attribution } from "./attribution.ts";
export type { CaptureOptions, CaptureReason, CaptureResult } from "./capture.ts";
export {
  type Answer,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type ListItem,
  type ListName,
  type OperationMethods,
  type RequestOptions,
} from "./client.ts";
export type * from "./contract.ts";
export {
  type ClientErrorCode,
  isRecollectError,
  RecollectError,
  type RecollectErrorCode,
  type RecollectErrorDetails,
} from "./error.ts";
export type { EventsOptions, MemoryEvent } from "./events.ts";
export type { OperationName } from "./operation-table.ts";
export type { Fetch } from "./transport.ts";
export { createWorkflow, type RecallContextOptions, type Workflow } from "./workflow.ts";
