import type { Attribution } from "./attribution.ts";
import {
  type CaptureContext,
  type CaptureKind,
  type CaptureOptions,
  type CaptureResult,
  capture,
  createCaptured,
  mergedOptions,
} from "./capture.ts";
import type { Client } from "./client.ts";
import type { ContextAnswer } from "./contract.ts";
import { createShownText } from "./shown-text.ts";

export interface RecallContextOptions {
  readonly scope?: "private" | "team";
  readonly teamId?: string;
  /** Only memories of this project. The workflow's own project is used for writes, and does not filter recall. */
  readonly projectId?: string;
  readonly path?: string;
  readonly bucket?: string;
  /** Default: 8. */
  readonly maxItems?: number;
  /** Default: 1500. */
  readonly maxTokens?: number;
  /** Default: true. */
  readonly preferWorking?: boolean;
  /** `compact`: one line for each memory, with a short id that the item has as `ref`. Default: `standard`. */
  readonly format?: "standard" | "compact";
  readonly signal?: AbortSignal;
}

/**
 * Memory operations of an agent during a task. Failures of the service reject with a `RecollectError`; the
 * result says if the content need not be written.
 */
export interface Workflow {
  /** Records what the task is, as working memory with status started. */
  taskStart(content: string, options?: CaptureOptions): Promise<CaptureResult>;
  /** Records a decision and its reason. */
  recordDecision(content: string, options?: CaptureOptions): Promise<CaptureResult>;
  /** Records a bug and its fix. */
  recordBugFix(content: string, options?: CaptureOptions): Promise<CaptureResult>;
  /** Records the outcome of the task as working memory with status completed. */
  taskEnd(content: string, options?: CaptureOptions): Promise<CaptureResult>;
  /**
   * Returns a pack of memories relevant to a question, within its budget. Pass `context_text` to the model unchanged.
   */
  recallContext(query: string, options?: RecallContextOptions): Promise<ContextAnswer>;
}

const TASK_START: CaptureKind = { kind: "task_start", memory_type: "working", status: "started" };
const DECISION: CaptureKind = { kind: "decision", memory_type: "semantic" };
const BUG_FIX: CaptureKind = { kind: "bug_fix", memory_type: "semantic" };
const TASK_END: CaptureKind = { kind: "task_end", memory_type: "working", status: "completed" };

/**
 * Creates the helpers of one agent. They remember for half an hour, in this object only, what they recalled and
 * captured, so that duplicates and echoes are recognised locally. Options of a helper override these.
 */
export function createWorkflow(client: Client, whole: CaptureOptions = {}): Workflow {
  const context = createCaptureContext(client);
  const helper =
    (kind: CaptureKind) =>
    (content: string, options: CaptureOptions = {}): Promise<CaptureResult> =>
      capture(context, kind, content, mergedOptions(options, whole));
  return {
    taskStart: helper(TASK_START),
    recordDecision: helper(DECISION),
    recordBugFix: helper(BUG_FIX),
    taskEnd: helper(TASK_END),
    recallContext: (query, options = {}) => recallInto(context, query, options, whole),
  };
}

/** Creates an empty state, without earlier recalls or captures. */
export function createCaptureContext(
  client: Client,
  patience: CaptureContext["patience"] = {},
): CaptureContext {
  return { client, patience, shown: createShownText(), captured: createCaptured() };
}

/** Recalls, and records what was shown. The project of `reader` does not filter here. */
export async function recallInto(
  { client, patience, shown }: CaptureContext,
  query: string,
  options: RecallContextOptions,
  { projectId: _, ...reader }: Attribution,
): Promise<ContextAnswer> {
  const { scope, teamId, projectId, path, bucket, maxItems, maxTokens, preferWorking, format, signal } =
    options;
  const answer = await client.recallContext(
    {
      query,
      scope,
      path,
      bucket,
      team_id: teamId,
      project_id: projectId,
      max_items: maxItems,
      max_tokens: maxTokens,
      prefer_working: preferWorking,
      format,
    },
    { ...patience, signal, attribution: reader },
  );
  shown.note(answer.items, answer.context_text);
  return answer;
}
