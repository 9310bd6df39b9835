import type { Caller } from "./caller.ts";
import type { Hash } from "./environment.ts";
import { canonicalJson } from "./input/json.ts";
import type { Ports } from "./ports.ts";

/** A request that must be carried out once. */
export interface OnceRequest {
  readonly key: string;
  readonly operation: string;
  readonly input: unknown;
}

/**
 * Carries the work out once per credential and key within 24 hours. The answer is stored in the same transaction as its
 * effects, so that a crash leaves both or neither. Rejects with `conflict` while the first request is running, and if
 * the key was used for a different operation, input, project, agent, session or task.
 */
export async function once<T>(
  ports: Ports,
  caller: Caller,
  request: OnceRequest,
  work: (within: Ports) => Promise<T>,
): Promise<T> {
  const { key, operation, input } = request;
  // The hash includes the key; without it, it could confirm a guess of short content.
  const requestHash = ports.hash(canonicalJson([key, operation, input, effectiveAttribution(caller, input)]));
  const hashes = [requestHash, formerHash(ports.hash, request)];
  return ports.store.transaction(caller, async (transaction) => {
    const known = await transaction.claimIdempotencyKey(key, hashes);
    if (known !== null) return known as T;
    // The use case's transaction joins this one.
    const store: Ports["store"] = {
      ...ports.store,
      transaction: (_, inner) => inner(transaction),
      insertAlone: (_, memory, vector, bearing) => transaction.insertAlone(memory, vector, bearing),
    };
    const answer = await work({ ...ports, store });
    await transaction.keepAnswer(key, requestHash, answer);
    return answer;
  });
}

/** Returns a request's attribution by the rule of writes: the body first, then the headers. */
function effectiveAttribution({ attribution, projectId }: Caller, input: unknown) {
  const members = asMembers(input);
  const provenance = asMembers(members.provenance);
  const isBound = attribution.identitySource === "token";
  return {
    project: members.project_id ?? provenance.project_id ?? projectId,
    agent: (isBound ? null : provenance.agent_id) ?? attribution.agentId,
    session: provenance.session_id ?? attribution.sessionId,
    task: provenance.task_id ?? attribution.taskId,
  };
}

function asMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The former hash of stored answers, without attribution and dependent on member order. */
function formerHash(hash: Hash, { key, operation, input }: OnceRequest): string {
  return hash(JSON.stringify([key, operation, input]));
}

/**
 * A use case in two parts: a decision, made once in one transaction, and its execution in any number of transactions. A
 * repeat with the same Idempotency-Key resumes the execution.
 */
export interface Resumable<Input, Begun, Output> {
  begin(ports: Ports, caller: Caller, input: Input): Promise<Begun>;
  /**
   * Must tolerate concurrent and repeated execution, each of which returns the outcome. `begun` may be read from the
   * record.
   */
  carryOut(ports: Ports, caller: Caller, begun: Begun): Promise<Output>;
}
