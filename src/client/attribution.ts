import { defined } from "./defined.ts";

/** Origin of a request. It is recorded with writes and never grants anything. */
export interface Attribution {
  readonly agent?: {
    /** Stable across sessions. */
    readonly id?: string;
    /** For people. */
    readonly name?: string;
    /** The instance of the agent. The service stores only its hash. */
    readonly instance?: string;
  };
  readonly sessionId?: string;
  readonly taskId?: string;
  /** Default project of requests. */
  readonly projectId?: string;
}

/**
 * Values that headers cannot carry: controls end a value, and a server cannot distinguish blanks at its ends from
 * HTTP's own.
 */
const NOT_CARRIED = /[\p{Cc}\p{Cs}]|^\s|\s$|^$/u;

/**
 * Converts attribution, and the name of an end user, to headers in UTF-8. Throws a TypeError for a value that a header
 * cannot carry.
 */
export function attributionHeaders(
  { agent, sessionId, taskId, projectId }: Attribution,
  user: string | undefined,
): Record<string, string> {
  const given = defined({
    "x-agent-id": agent?.id,
    "x-agent-name": agent?.name,
    "x-agent-instance": agent?.instance,
    "x-session-id": sessionId,
    "x-task-id": taskId,
    "x-project-id": projectId,
    "x-user-id": user,
  }) as Record<string, string>;
  return Object.fromEntries(Object.entries(given).map(([header, value]) => [header, carried(header, value)]));
}

/** Encodes a text as UTF-8, with one character per byte, as `fetch` sends headers. */
function carried(header: string, text: string): string {
  if (NOT_CARRIED.test(text))
    throw new TypeError(`${header} takes text without controls or blanks at its ends.`);
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Converts attribution to provenance members. */
export function attributionProvenance({ agent, sessionId, taskId }: Attribution): Record<string, unknown> {
  return defined({ agent_id: agent?.id, agent_name: agent?.name, session_id: sessionId, task_id: taskId });
}

/** Merges two attributions. The first takes precedence. */
export function mergedAttribution(first: Attribution = {}, second: Attribution = {}): Attribution {
  const agent = { ...second.agent, ...defined(first.agent ?? {}) };
  return { ...second, ...defined(first), agent };
}
