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
 * Carries the work out once per credential and key, within 24 hours: the answer is kept in the same transaction as what
 * it answers, so that a crash leaves both or neither. `conflict` while the first request is running, and where the key
 * was used for another request: another operation, other input, or from another project, agent, session or task.
 */
export async function once<T>(
  ports: Ports,
  caller: Caller,
  request: OnceRequest,
  work: (within: Ports) => Promise<T>,
): Promise<T> {
  const { key, operation, input } = request;
  // The hash is of the key too: alone it would confirm a guess at short content.
  const requestHash = ports.hash(canonicalJson([key, operation, input, effectiveAttribution(caller, input)]));
  const hashes = [requestHash, formerHash(ports.hash, request)];
  return ports.store.transaction(caller, async (transaction) => {
    const known = await transaction.claimIdempotencyKey(key, hashes);
    if (known !== null) return known as T;
    // The use case's own transaction is this one.
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

/** Origin of a request, by the rule of its writes: the body first, then the headers. */
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

/** The hash that answers were kept under before attribution counted and the order of members did not. */
function formerHash(hash: Hash, { key, operation, input }: OnceRequest): string {
  return hash(JSON.stringify([key, operation, input]));
}

/**
 * A use case of two parts: what is decided, once and in one transaction, and what is then carried out in as many as it
 * takes. A repeat with the same Idempotency-Key goes on with what was decided, from wherever it stands.
 */
export interface Resumable<Input, Begun, Output> {
  begin(ports: Ports, caller: Caller, input: Input): Promise<Begun>;
  /**
   * Several may carry out the same at once, or again: each answers what came of it. `begun` may come from the record.
   */
  carryOut(ports: Ports, caller: Caller, begun: Begun): Promise<Output>;
}
