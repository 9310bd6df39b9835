import { defined } from "./defined.ts";

/** Origin of a request. It is recorded with writes and never grants anything. */
export interface Attribution {
  readonly agent?: {
    /** Stable over sessions. */
    readonly id?: string;
    /** For people. */
    readonly name?: string;
    /** Which instance of the agent; the service keeps a hash of it. */
    readonly instance?: string;
  };
  readonly sessionId?: string;
  readonly taskId?: string;
  /** The project that requests are about unless they name another. */
  readonly projectId?: string;
}

/** Controls end a header's value, and a server cannot tell blanks at its ends from those that HTTP puts there. */
const NOT_CARRIED = /[\p{Cc}\p{Cs}]|^\s|\s$|^$/u;

/** As headers, in UTF-8. What no header can carry is a TypeError. */
export function attributionHeaders({
  agent,
  sessionId,
  taskId,
  projectId,
}: Attribution): Record<string, string> {
  const given = defined({
    "x-agent-id": agent?.id,
    "x-agent-name": agent?.name,
    "x-agent-instance": agent?.instance,
    "x-session-id": sessionId,
    "x-task-id": taskId,
    "x-project-id": projectId,
  }) as Record<string, string>;
  return Object.fromEntries(Object.entries(given).map(([header, value]) => [header, carried(header, value)]));
}

/** `fetch` sends each character of a header as one byte: those of the text in UTF-8. */
function carried(header: string, text: string): string {
  if (NOT_CARRIED.test(text))
    throw new TypeError(`${header} takes text without controls or blanks at its ends.`);
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** As a memory's provenance says it, which takes every script. */
export function attributionProvenance({ agent, sessionId, taskId }: Attribution): Record<string, unknown> {
  return defined({ agent_id: agent?.id, agent_name: agent?.name, session_id: sessionId, task_id: taskId });
}

/** The first, where it says nothing the second. */
export function mergedAttribution(first: Attribution = {}, second: Attribution = {}): Attribution {
  const agent = { ...second.agent, ...defined(first.agent ?? {}) };
  return { ...second, ...defined(first), agent };
}
