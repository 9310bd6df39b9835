import { normalizedText } from "../recall/language/characters.ts";
import { emptinessOf } from "../recall/statements/trivial.ts";
import { type Attribution, attributionProvenance, mergedAttribution } from "./attribution.ts";
import type { Client, RequestOptions } from "./client.ts";
import type { MemoryRememberAnswer, MemoryRememberRequest } from "./contract.ts";
import { defined } from "./defined.ts";
import { isRecollectError } from "./error.ts";
import { createRecent, type Recent } from "./recent.ts";
import { isSecretIn } from "./secrets.ts";
import type { ShownText } from "./shown-text.ts";

/** Options of a capture. */
export interface CaptureOptions extends Attribution {
  /** The agent or speaker that produced it. Attribution only. */
  readonly source?: string;
  /** `private` (the user's own, the default) or `team`, which needs `teamId`. */
  readonly scope?: "private" | "team";
  readonly teamId?: string;
  /** Default: `projects/<projectId>`, or `work` without a project. */
  readonly path?: string;
  readonly bucket?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Identifies a fact. The capture supersedes the older memory with this key. */
  readonly semanticKey?: string;
  /** 0 to 1. */
  readonly importance?: number;
  /**
   * false: write it even if it was captured or shown before, for example after it was forgotten elsewhere. Default:
   * true.
   */
  readonly dedupe?: boolean;
  /** false: capture nothing; the result says so. Default: true. */
  readonly enabled?: boolean;
  readonly signal?: AbortSignal;
}

export type CaptureReason =
  | "captured"
  | "duplicate"
  | "echo"
  | "empty"
  | "trivial"
  | "secret_detected"
  | "disabled";

/** Outcome of a capture. A memory was written only if `shouldCapture` is true. */
export interface CaptureResult {
  readonly shouldCapture: boolean;
  readonly reason: CaptureReason;
  /** The written memory; for a duplicate or an echo, the existing one if known. */
  readonly memory?: MemoryRememberAnswer;
}

/** Kind of a capture: a decision, the start of a task, a note or a message. */
export interface CaptureKind {
  readonly kind: "task_start" | "decision" | "bug_fix" | "task_end" | "note" | "turn";
  readonly memory_type: "working" | "semantic" | "episodic";
  /** A status that gives the content additional meaning. */
  readonly status?: "started" | "completed";
}

/** Recent captures, by the key that identifies duplicates. */
export type Captured = Recent<MemoryRememberAnswer>;

const CAPTURES_MAX = 1024;

export function createCaptured(): Captured {
  return createRecent(CAPTURES_MAX);
}

/** Shared state of captures. */
export interface CaptureContext {
  readonly client: Client;
  /** How often each request is tried. */
  readonly patience: Pick<RequestOptions, "retries">;
  readonly shown: ShownText;
  readonly captured: Captured;
}

/**
 * Checks the content locally, so that redundant content and secrets are not sent, and otherwise has the service
 * remember it.
 */
export async function capture(
  context: CaptureContext,
  what: CaptureKind,
  content: string,
  options: CaptureOptions,
): Promise<CaptureResult> {
  const known = judged(context, what, content, options);
  if (known) return known;
  try {
    const memory = await context.client.remember(requestOf(what, content, options), {
      ...context.patience,
      signal: options.signal,
      attribution: options,
    });
    context.captured.set(captureKey(what, content, options), memory);
    return { ...resultOf(memory), memory };
  } catch (error) {
    if (isRecollectError(error, "secret_detected")) return refused("secret_detected");
    throw error;
  }
}

function judged(
  { shown, captured }: CaptureContext,
  what: CaptureKind,
  content: string,
  options: CaptureOptions,
): CaptureResult | null {
  if (options.enabled === false) return refused("disabled");
  const emptiness = emptinessOf(content);
  if (emptiness === "empty") return refused("empty");
  // With metadata, a trivial content such as "yes" may be meaningful.
  if (emptiness === "trivial" && !hasMembers(options.metadata)) return refused("trivial");
  if (isSecretIn(content, "") || holdsSecret(options.metadata, "")) return refused("secret_detected");
  // With a key, the content becomes the fact's newest value. An equal earlier one may be the memory that it supersedes.
  if (options.semanticKey !== undefined || options.dedupe === false) return null;
  const before = captured.get(captureKey(what, content, options));
  if (before) return { shouldCapture: false, reason: "duplicate", memory: before };
  // The start or end of a task is news, whatever the wording.
  const echo = what.status === undefined ? shown.echoOf(content, destinationOf(options)) : null;
  if (echo === null) return null;
  const [id] = echo;
  return id === undefined ? refused("echo") : { ...refused("echo"), memory: answeredBy(id) };
}

/** The service's verdict, which also considers other writers and readers. */
function resultOf({ deduplicated, junk }: MemoryRememberAnswer): Omit<CaptureResult, "memory"> {
  if (!deduplicated) return { shouldCapture: true, reason: "captured" };
  return refused(junk === "echo" ? "echo" : "duplicate");
}

function refused(reason: CaptureReason): CaptureResult {
  return { shouldCapture: false, reason };
}

function answeredBy(id: string): MemoryRememberAnswer {
  return { id, status: "remembered", deduplicated: true, superseded: [] };
}

function requestOf(what: CaptureKind, content: string, options: CaptureOptions): MemoryRememberRequest {
  const { kind, ...type } = what;
  const { source, scope, teamId, projectId, semanticKey, importance, bucket, dedupe } = options;
  return {
    content,
    ...type,
    path: options.path ?? (projectId === undefined ? "work" : `projects/${projectId}`),
    metadata: { ...options.metadata, kind },
    provenance: attributionProvenance(options),
    source,
    scope,
    bucket,
    dedupe,
    importance,
    team_id: teamId,
    project_id: projectId,
    semantic_key: semanticKey,
  };
}

function destinationOf({ scope, teamId, projectId }: CaptureOptions) {
  const isTeams = scope === "team" || (scope === undefined && teamId !== undefined);
  return {
    scope: isTeams ? ("team" as const) : ("private" as const),
    teamId: teamId ?? null,
    projectId: projectId ?? null,
  };
}

/** Returns a key that is equal for captures with the same content, by the service's comparison, place and session. */
function captureKey({ kind }: CaptureKind, content: string, options: CaptureOptions): string {
  const { scope, teamId, projectId, path, bucket, sessionId, taskId, agent, metadata } = options;
  const place = [scope, teamId, projectId, path, bucket, sessionId, taskId, agent?.id, metadata];
  return JSON.stringify([kind, normalizedText(content), ...place]);
}

function hasMembers(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
  return Object.keys(metadata ?? {}).length > 0;
}

/** Uses member names as context: under `password`, any word is a secret. */
function holdsSecret(value: unknown, name: string): boolean {
  if (typeof value === "string") return isSecretIn(value, name);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, held]) => holdsSecret(held, Array.isArray(value) ? name : key));
}

/** Merges a capture's options over those of the workflow. */
export function mergedOptions(given: CaptureOptions, whole: CaptureOptions): CaptureOptions {
  return { ...whole, ...defined(given), ...mergedAttribution(given, whole) };
}
