import type {
  MaskedSecrets,
  RememberAnswer,
  RememberRequest,
  StoreAnswer,
  StoreRequest,
} from "../../contract/memory.ts";
import type { Caller } from "../caller.ts";
import { requireMember } from "./access.ts";
import { remarksOn } from "./screen.ts";
import {
  commitWrite,
  type PreparedWrite,
  prepareWrite,
  type WriteOutcome,
  type WritePorts,
} from "./write.ts";
import { lockForWrite } from "./write-rules.ts";

/**
 * Stores a memory unless an equal live one is there, and replaces the older fact of the same semantic key.
 * `memory_id_conflict` where the given id holds something else; `conflict` where the older fact is not the caller's to
 * change; `not_found` for a team it is no member of.
 */
export async function remember(
  ports: WritePorts,
  caller: Caller,
  input: RememberRequest,
): Promise<RememberAnswer> {
  const write = await prepareWrite(ports, caller, input, input.dedupe);
  return rememberAnswer(write, await inTransaction(ports, caller, write));
}

/** Stores a memory as given, without looking for an equal one. Supersession, ids and errors as in `remember`. */
export async function storeMemory(
  ports: WritePorts,
  caller: Caller,
  input: StoreRequest,
): Promise<StoreAnswer> {
  const write = await prepareWrite(ports, caller, input, false);
  return storeAnswer(write, await inTransaction(ports, caller, write));
}

function inTransaction(ports: WritePorts, caller: Caller, write: PreparedWrite): Promise<WriteOutcome> {
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, write.memory.ownerId);
    await lockForWrite(caller, transaction, write.locks);
    return commitWrite(ports, caller, transaction, write);
  });
}

export function rememberAnswer(write: PreparedWrite, outcome: WriteOutcome): RememberAnswer {
  return {
    id: outcome.memory.memoryId,
    status: "remembered",
    deduplicated: outcome.deduplicated,
    superseded: [...outcome.superseded],
    ...remarks(write, outcome),
  };
}

export function storeAnswer(write: PreparedWrite, outcome: WriteOutcome): StoreAnswer {
  return {
    id: outcome.memory.memoryId,
    status: "stored",
    version: outcome.memory.version,
    superseded: [...outcome.superseded],
    ...remarks(write, outcome),
  };
}

interface Remarks {
  embedding?: "caller" | "service";
  reason?: string;
  masked?: MaskedSecrets[];
}

function remarks(write: PreparedWrite, { deduplicated, notTaken }: WriteOutcome): Remarks {
  if (deduplicated) return remarksOn(write, [...write.notices, ...notTakenOver(notTaken)]);
  const reasons = [...write.notices, ...(write.vector.reason ? [write.vector.reason] : [])];
  return {
    ...(write.vector.used ? { embedding: write.vector.used } : {}),
    ...remarksOn(write, reasons),
  };
}

const NAMES_TOLD = 10;
const TELLABLE = /^[\p{L}\p{N}_.:-]{1,64}$/u;

/** Names alone, and no more of them than somebody would read: callers make up those in metadata and provenance. */
function notTakenOver(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.filter((name) => TELLABLE.test(name)).slice(0, NAMES_TOLD);
  const more = names.length - told.length;
  const parts = [...(told.length > 0 ? [told.join(", ")] : []), ...(more > 0 ? [`${more} more`] : [])];
  return [`an equal memory was there; not taken over from this request: ${parts.join(" and ")}`];
}
