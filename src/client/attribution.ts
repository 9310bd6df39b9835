import { defined } from "./defined.ts";

/** Who a request is from. It is recorded with what is written and never grants anything. */
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

/** Visible ASCII, with blanks inside: HTTP carries nothing else that every runtime reads alike. */
const CARRIED = /^[!-~](?:[ -~]*[!-~])?$/;

/** As headers. A name that no header can carry is left out; anything else of that kind is a TypeError. */
export function attributionHeaders({
  agent,
  sessionId,
  taskId,
  projectId,
}: Attribution): Record<string, string> {
  const given: readonly (readonly [string, string | undefined])[] = [
    ["x-agent-id", agent?.id],
    ["x-agent-name", agent?.name !== undefined && CARRIED.test(agent.name) ? agent.name : undefined],
    ["x-agent-instance", agent?.instance],
    ["x-session-id", sessionId],
    ["x-task-id", taskId],
    ["x-project-id", projectId],
  ];
  const headers: Record<string, string> = {};
  for (const [header, value] of given) {
    if (value === undefined) continue;
    if (!CARRIED.test(value)) throw new TypeError(`${header} takes visible ASCII characters.`);
    headers[header] = value;
  }
  return headers;
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
