import { emptinessOf } from "../../recall/statements/trivial.ts";
import {
  type CaptureKind,
  type CaptureOptions,
  type CaptureResult,
  capture,
  mergedOptions,
} from "../capture.ts";
import type { Client } from "../client.ts";
import { createDeadline } from "../deadline.ts";
import { defined } from "../defined.ts";
import { createCaptureContext, type RecallContextOptions, recallInto } from "../workflow.ts";

/** Options of a framework agent's memory. Those of `CaptureOptions` decide where it writes, and in whose name. */
export interface AgentMemoryOptions extends Omit<CaptureOptions, "signal" | "enabled" | "semanticKey"> {
  /** Filters and limits of recall. */
  readonly recall?: Omit<RecallContextOptions, "signal">;
  /** How long a model waits for its memory, all attempts included: 5 seconds unless given. */
  readonly timeoutMs?: number;
  /** Told what went wrong, since the model goes on without its memory. */
  readonly onError?: (error: unknown) => void;
}

/** A turn that is over: what the user said, and what the model answered at its end. */
export interface Turn {
  readonly user: string;
  readonly answer: string;
}

export interface TurnMemoryOptions extends AgentMemoryOptions {
  /**
   * The part of a turn that is stored, as episodic memory: nothing by default. `"user"`: what the user said; `"answer"`: what
   * the model answered; or what a function makes of both, where null and an empty text are nothing. What says nothing, was
   * captured before, holds a secret, or repeats what was recalled is not written.
   */
  readonly capture?: "user" | "answer" | ((turn: Turn) => string | null | undefined);
  /** Told what became of it. */
  readonly onCapture?: (result: CaptureResult) => void;
}

/** Memory that stands beside a model: where it fails, the model goes on. */
export interface TurnMemory {
  /** The context for what a user said, as the model is to read it; null where there is none, or recall failed. */
  recall(said: string, signal?: AbortSignal): Promise<string | null>;
  /** Writes a turn down as its options say. Never rejects, unless aborted. */
  capture(turn: Turn, signal?: AbortSignal): Promise<void>;
}

/** Recalls and captures in one place, so that what was recalled is known when it comes back. */
export interface AgentMemory {
  recall(query: string, options: RecallContextOptions): ReturnType<typeof recallInto>;
  capture(kind: CaptureKind, content: string, options: CaptureOptions): Promise<CaptureResult>;
}

export const TIMEOUT_MS = 5000;
/** The longest question that the service takes. */
const QUERY_MAX = 65_536;
const TURN: CaptureKind = { kind: "turn", memory_type: "episodic" };

export function createAgentMemory(client: Client, options: AgentMemoryOptions): AgentMemory {
  const context = createCaptureContext(client);
  const { recall: narrowed, timeoutMs = TIMEOUT_MS, onError: _, ...whole } = options;
  return {
    recall: (query, given) =>
      within(timeoutMs, given.signal, (signal) =>
        recallInto(context, query, { ...narrowed, ...defined(given), signal }, whole),
      ),
    capture: (kind, content, given) =>
      within(timeoutMs, given.signal, (signal) =>
        capture(context, kind, content, mergedOptions({ ...given, signal }, whole)),
      ),
  };
}

export function createTurnMemory(client: Client, options: TurnMemoryOptions): TurnMemory {
  const { capture: what, onCapture, onError, ...rest } = options;
  const memory = createAgentMemory(client, rest);
  const attempted = async <T>(signal: AbortSignal | undefined, attempt: () => Promise<T>) => {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      onError?.(error);
      return null;
    }
  };
  return {
    async recall(said, signal) {
      // A courtesy asks for nothing.
      if (emptinessOf(said) !== null) return null;
      const options = signal ? { signal } : {};
      const answer = await attempted(signal, () => memory.recall(said.slice(0, QUERY_MAX), options));
      return answer && answer.items.length > 0 ? answer.context_text : null;
    },
    async capture(turn, signal) {
      await attempted(signal, async () => {
        const content = contentOf(turn, what);
        if (!content) return;
        const result = await memory.capture(TURN, content, signal ? { signal } : {});
        onCapture?.(result);
      });
    },
  };
}

function contentOf(turn: Turn, what: TurnMemoryOptions["capture"]): string | null | undefined {
  if (what === undefined) return null;
  return typeof what === "function" ? what(turn) : turn[what];
}

/** Aborts an attempt that takes longer, or whose outer signal is aborted. */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = createDeadline(ms, outer);
  try {
    return await attempt(deadline.signal);
  } finally {
    deadline.end();
  }
}
