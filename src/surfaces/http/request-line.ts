import type { ErrorCode } from "../../contract/error.ts";

/** The log line of a request, without content, secrets or the ids in its path. */
export interface RequestLine {
  readonly method: string;
  /** The route's template; null if no route was found. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  /** null if no credential was accepted, or none is needed. */
  readonly tokenId: string | null;
  /** The owner of the accepted credential; logged as a keyed hash only. */
  readonly ownerId: string | null;
  /** The requested operation; null if there was none. A request for several operations has a line for each. */
  readonly operation: string | null;
  /** `ok`, or the machine code of the error. */
  readonly outcome: ErrorCode | "ok";
  /** Id of its trace, if there is one. */
  readonly traceId?: string;
  /** The machine code of an error response. */
  readonly code?: ErrorCode;
  /** The cause, if the fault is ours or a dependency's. */
  readonly fault?: Fault;
}

/** An unexpected error without its message, since drivers and parsers quote their input in messages. */
export interface Fault {
  readonly name: string;
  readonly code: string | null;
  /** Stack frames, innermost first. */
  readonly frames: readonly string[];
  readonly cause?: Fault;
}

const FRAMES_MAX = 12;
const CAUSES_MAX = 4;

/** The parts of an error that may be logged. */
export function faultOf(error: unknown, causesMax = CAUSES_MAX): Fault {
  if (!(error instanceof Error)) return { name: typeof error, code: null, frames: [] };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    code: typeof code === "string" && /^[A-Za-z0-9_]{1,40}$/.test(code) ? code : null,
    frames: framesOf(error),
    ...(error.cause !== undefined && causesMax > 0 ? { cause: faultOf(error.cause, causesMax - 1) } : {}),
  };
}

/** Returns the stack lines with locations: `at f (file:1:2)` on V8, `f@file:1:2` on JavaScriptCore. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  return lines
    .filter((line) => /^at .*:\d+:\d+\)?$|^[\w$.<>/ ]*@\S*:\d+:\d+$/.test(line))
    .slice(0, FRAMES_MAX);
}
