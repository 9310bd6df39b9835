import { emptinessOf } from "../../recall/statements/trivial.ts";
import {
  type CaptureKind,
  type CaptureOptions,
  type CaptureResult,
  capture,
  mergedOptions,
} from "../capture.ts";
import type { Client } from "../client.ts";
import { within } from "../deadline.ts";
import { defined } from "../defined.ts";
import { isRecollectError } from "../error.ts";
import { createCaptureContext, type RecallContextOptions, recallInto } from "../workflow.ts";

/**
 * Options of a framework agent's memory. Those of `CaptureOptions` decide where it writes, and under which attribution.
 */
export interface AgentMemoryOptions extends Omit<CaptureOptions, "signal" | "enabled" | "semanticKey"> {
  /** The end user whose memory it is: as `client.forUser`. */
  readonly user?: string;
  /** Filters and limits of recall. */
  readonly recall?: Omit<RecallContextOptions, "signal">;
  /** How long a model waits for each request, including retries. Default: 1.5 seconds around a turn, 5 in a tool. */
  readonly timeoutMs?: number;
  /** Called with errors, since the model continues without its memory. */
  readonly onError?: (error: unknown) => void;
}

/** A finished turn: what the user said, and the model's final answer. */
export interface Turn {
  readonly user: string;
  readonly answer: string;
}

export interface TurnMemoryOptions extends AgentMemoryOptions {
  /**
   * The part of a turn that is stored, as episodic memory: nothing by default. `"user"`: what the user said;
   * `"answer"`: what the model answered; or the result of a function of both, where null or an empty text means
   * nothing. Trivial content, duplicates, secrets, and repetitions of recalled text are not written.
   */
  readonly capture?: "user" | "answer" | ((turn: Turn) => string | null | undefined);
  /** Called with the outcome of each capture. */
  readonly onCapture?: (result: CaptureResult) => void;
}

/** Memory around a model's turns. If it fails, the model continues. */
export interface TurnMemory {
  /**
   * Returns the context text for what a user said; null if there is none, or recall failed. After a request without an
   * answer, it is null at once for ten seconds.
   */
  recall(said: string, signal?: AbortSignal): Promise<string | null>;
  /** Captures a turn according to the options. Never rejects, unless aborted. */
  capture(turn: Turn, signal?: AbortSignal): Promise<void>;
}

/** Combines recall and capture, so that captured text that repeats recalled text is recognised. */
export interface AgentMemory {
  recall(query: string, options: RecallContextOptions): ReturnType<typeof recallInto>;
  capture(kind: CaptureKind, content: string, options: CaptureOptions): Promise<CaptureResult>;
}

export const TIMEOUT_MS = 5000;
/** A person waits for the turn, and nobody asked for its memory. */
const TURN_TIMEOUT_MS = 1500;
/** If a recall has had no answer, no turn waits for another one for so long. */
const AWAY_MS = 10_000;
/** The longest question that the service takes. */
const QUERY_MAX = 65_536;
const TURN: CaptureKind = { kind: "turn", memory_type: "episodic" };

/** Returns the client in whose space an integration works. */
export function clientFor(client: Client, { user }: { readonly user?: string | undefined }): Client {
  return user === undefined ? client : client.forUser(user);
}

export function createAgentMemory(
  client: Client,
  options: AgentMemoryOptions,
  patience: Parameters<typeof createCaptureContext>[1] = {},
): AgentMemory {
  const context = createCaptureContext(clientFor(client, options), patience);
  const { recall: narrowed, timeoutMs = TIMEOUT_MS, onError: _, user: __, ...whole } = options;
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
  // A lost connection is tried again; if the service is down, the turn does not wait for it.
  const memory = createAgentMemory(client, { timeoutMs: TURN_TIMEOUT_MS, ...defined(rest) }, { retries: 1 });
  let awayUntil = 0;
  const attempted = async <T>(signal: AbortSignal | undefined, attempt: () => Promise<T>) => {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (hadNoAnswer(error)) awayUntil = Date.now() + AWAY_MS;
      onError?.(error);
      return null;
    }
  };
  return {
    async recall(said, signal) {
      // Trivial text, such as a greeting, needs no recall.
      if (emptinessOf(said) !== null || Date.now() < awayUntil) return null;
      const options = signal ? { signal } : {};
      const answer = await attempted(signal, () => memory.recall(said.slice(0, QUERY_MAX), options));
      return answer && answer.items.length > 0 ? answer.context_text : null;
    },
    async capture(turn, signal) {
      await attempted(signal, async () => {
        const content = contentOf(turn, what);
        if (!content) return;
        const result = await memory.capture(TURN, content, signal ? { signal } : {});
        // It has answered a request.
        if (result.reason === "captured") awayUntil = 0;
        onCapture?.(result);
      });
    },
  };
}

function hadNoAnswer(error: unknown): boolean {
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return isLate || isRecollectError(error, "connection_failed", "timed_out");
}

function contentOf(turn: Turn, what: TurnMemoryOptions["capture"]): string | null | undefined {
  if (what === undefined) return null;
  return typeof what === "function" ? what(turn) : turn[what];
}
