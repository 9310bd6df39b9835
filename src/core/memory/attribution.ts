import { attributionName } from "../../contract/primitives.ts";
import { ofServiceAlone } from "../../contract/service-members.ts";
import type { Attribution } from "../caller.ts";
import { invalid } from "../error.ts";

/** The attribution of a memory, and the provenance that records it. */
export interface Attributed {
  readonly agentId: string | null;
  readonly instanceHash: string | null;
  readonly sessionId: string | null;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/**
 * Returns the author of a memory: the token's agent if it is bound to one, otherwise the agent named in the provenance
 * or the request's headers; and its session and task, from the same places. `validation_failed` if these name different
 * ones. The attribution is only recorded; it never grants access.
 */
export function attribute(
  claimed: Attribution,
  given: Readonly<Record<string, unknown>>,
  projectId: string | null,
): Attributed {
  const bound = claimed.identitySource === "token";
  const agent = (name: keyof typeof HEADERS, claim: string | null) =>
    bound ? claim : agreed(given, name, claim);
  const agentId = agent("agent_id", claimed.agentId);
  const agentName = agent("agent_name", claimed.agentName);
  const instanceHash = agent("agent_instance_id_hash", claimed.instanceHash);
  const sessionId = agreed(given, "session_id", claimed.sessionId);
  const taskId = agreed(given, "task_id", claimed.taskId);
  const known = {
    project_id: projectId,
    session_id: sessionId,
    task_id: taskId,
    agent_id: agentId,
    agent_name: agentName,
    agent_instance_id_hash: instanceHash,
  };
  const named = Object.entries(known).filter(([, value]) => value !== null);
  const others = Object.entries(given).filter(([name]) => !(name in known) && !BY_SERVICE.includes(name));
  return { agentId, instanceHash, sessionId, provenance: Object.fromEntries([...others, ...named]) };
}

export const BY_SERVICE: readonly string[] = ofServiceAlone;

const HEADERS = {
  agent_id: "X-Agent-Id",
  agent_name: "X-Agent-Name",
  agent_instance_id_hash: "X-Agent-Instance",
  session_id: "X-Session-Id",
  task_id: "X-Task-Id",
} as const;

const KINDS: Readonly<Record<keyof typeof HEADERS, string>> = {
  agent_id: "agent",
  agent_name: "agent",
  agent_instance_id_hash: "agent",
  session_id: "session",
  task_id: "task",
};

/** The value from provenance or header. If both have one, they must agree. */
function agreed(
  given: Readonly<Record<string, unknown>>,
  name: keyof typeof HEADERS,
  claim: string | null,
): string | null {
  const named = member(given, name);
  if (named !== null && claim !== null && named !== claim)
    throw invalid(["provenance", name], `names a different ${KINDS[name]} than ${HEADERS[name]}`);
  return named ?? claim;
}

function member(provenance: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = provenance[name];
  if (value === undefined || value === null) return null;
  const parsed = attributionName.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(
    ["provenance", name],
    "must be a string of 1 to 256 characters, and not a placeholder such as null",
  );
}
