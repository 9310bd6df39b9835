import type { Caller } from "./caller.ts";
import type { Ports } from "./ports.ts";

/** A request that must be carried out once. */
export interface OnceRequest {
  readonly key: string;
  readonly operation: string;
  readonly input: unknown;
}

/**
 * Carries the work out once per credential and key, within 24 hours: the answer is kept in the same transaction as
 * what it answers, so that a crash leaves both or neither. `conflict` while the first request is running, and where
 * the key was used for another request.
 */
export async function once<T>(
  ports: Ports,
  caller: Caller,
  request: OnceRequest,
  work: (within: Ports) => Promise<T>,
): Promise<T> {
  // The hash is of the key too: alone it would confirm a guess at short content.
  const requestHash = ports.hash(JSON.stringify([request.key, request.operation, request.input]));
  return ports.store.transaction(caller, async (transaction) => {
    const known = await transaction.claimIdempotencyKey(request.key, requestHash);
    if (known !== null) return known as T;
    // The use case's own transaction is this one.
    const store = {
      ...ports.store,
      transaction: ((_, inner) => inner(transaction)) as Ports["store"]["transaction"],
    };
    const answer = await work({ ...ports, store });
    await transaction.keepAnswer(request.key, requestHash, answer);
    return answer;
  });
}

/**
 * A use case of two parts: what is decided, once and in one transaction, and what is then carried out in as many as it
 * takes. A repeat with the same Idempotency-Key goes on with what was decided, from wherever it stands.
 */
export interface Resumable<Input, Begun, Output> {
  begin(ports: Ports, caller: Caller, input: Input): Promise<Begun>;
  /** Several may carry out the same at once, or again: each answers what came of it. `begun` may come from the record. */
  carryOut(ports: Ports, caller: Caller, begun: Begun): Promise<Output>;
}
