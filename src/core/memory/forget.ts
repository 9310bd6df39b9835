import type { ForgetAnswer, ForgetMode, ForgetRequest } from "../../contract/lifecycle.ts";
import type { Scope } from "../../contract/scope.ts";
import { type Caller, requireScope } from "../caller.ts";
import { notFound } from "../error.ts";
import { isSameJson } from "../input/json.ts";
import { checkExpense } from "../ledger/expense.ts";
import { checkRecurrence } from "../reminder/recurrence.ts";
import type { UseCase } from "../use-case.ts";
import { requireChangeable, requireErasable, requireOrdinary } from "./access.ts";
import { factLocks } from "./identity.ts";
import { type MemoryChange, type MemoryRecord, nextVersion, type SeenMemory } from "./memory-record.ts";
import type { Erasure, MemoryPorts, MemoryTransaction } from "./memory-store.ts";
import { mergedMetadata } from "./merge.ts";
import { checkMetadata } from "./metadata.ts";
import { remarksOn, type Screened, screen } from "./screen.ts";
import { asItStands } from "./supersession.ts";
import { findLocked, requireMatch, requireRoom } from "./write-rules.ts";

export type ForgetPorts = Pick<MemoryPorts, "store" | "clock" | "embedder" | "secrets">;

const SCOPE_OF: Readonly<Record<ForgetMode, Scope>> = {
  soft_delete: "memory:delete",
  hard_delete: "memory:hard_delete",
  redact: "memory:redact",
};

/** Rejects with `insufficient_scope` a mode that the credential may not use. Call it before any lookup. */
export function requireMode(caller: Caller, mode: ForgetMode): void {
  requireScope(caller, [SCOPE_OF[mode]]);
}

/**
 * Soft-deletes, hard-deletes or redacts a memory. A second soft delete is a no-op. Reason and metadata are stored with
 * what remains of the memory; the answer's `reason` names members without effect. `not_found`, `role_forbidden`,
 * `precondition_failed`. In a team, only owners and admins may remove permanently.
 */
export const forgetMemory: UseCase<ForgetPorts, "forgetMemory"> = async (ports, caller, asked) => {
  requireMode(caller, asked.mode);
  const { input, ...screened } = screen(ports.secrets, asked);
  return ports.store.transaction(caller, async (transaction) => {
    const named = { memoryId: input.memory_id };
    const seen = await findLocked(caller, transaction, named, (found) => {
      requireRemover(caller, found, input.mode);
      requireOrdinary(found.memory);
      requireMatch(input.if_match, found.memory);
      return factLocks([found.memory]);
    });
    if (!seen) throw notFound();
    const { notices, ...answer } = await forgetLocked(ports, caller, transaction, seen.memory, input);
    return { ...answer, ...remarksOnRemoval(input.mode, screened, notices) };
  });
};

/** The remarks in the answer. A hard delete stores nothing, so nothing was masked. */
export function remarksOnRemoval(
  mode: ForgetMode,
  screened: Omit<Screened<unknown>, "input">,
  notices: readonly string[] = [],
) {
  if (mode === "hard_delete") return remarksOn({ masked: [] }, notices);
  return remarksOn(screened, [...screened.notices, ...notices]);
}

type Forgotten = ForgetAnswer & { readonly notices: readonly string[] };

/** Removes a locked memory of any kind in the given mode. The caller must already be authorised. */
export async function forgetLocked(
  ports: Pick<MemoryPorts, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  input: ForgetRequest,
): Promise<Forgotten> {
  const unused = unusedMembers(memory, input);
  if (input.mode !== "soft_delete") {
    const { replacement, notices } = replacementOf(caller, memory, input);
    const answer = await erase(ports, transaction, memory, input, replacement);
    return { ...answer, notices: [...notices, ...unused] };
  }
  const { change, notices } = described(caller, memory, input.metadata);
  // A deletion without metadata needs no room, so that an agent whose quarantine is full can still delete.
  if (change.metadata)
    await requireRoom(caller, transaction, {
      ownerId: memory.ownerId,
      memories: 0,
      growth: [{ ...memory, ...change }],
    });
  const answer = await softDelete(ports, transaction, memory, input.reason ?? null, change);
  return { ...answer, notices: [...notices, ...unused] };
}

/**
 * The change of metadata by a soft delete, which follows the rules of a PATCH. Empty for a memory that is already
 * deleted.
 */
function described(
  caller: Caller,
  memory: MemoryRecord,
  metadata: ForgetRequest["metadata"],
): { change: MemoryChange; notices: readonly string[] } {
  if (!metadata || memory.status === "soft_deleted") return { change: {}, notices: [] };
  const { notices, ...next } = mergedMetadata(caller, memory, { metadata, merge_metadata: true }, false);
  checkRecurrence(memory.memoryType, next.metadata);
  checkExpense(memory, next.metadata);
  const isSame = isSameJson(next.metadata, memory.metadata);
  return { change: isSame ? {} : { ...next, version: nextVersion(memory.version) }, notices };
}

/** The replacement for redacted content; null if there is none. */
function replacementOf(
  caller: Caller,
  memory: MemoryRecord,
  input: ForgetRequest,
): { replacement: Erasure["replacement"]; notices: readonly string[] } {
  if (input.mode !== "redact") return { replacement: null, notices: [] };
  const { metadata, notices } = checkMetadata(caller, { metadata: input.metadata ?? {} });
  checkRecurrence(memory.memoryType, metadata);
  return { replacement: { content: input.replacement_content ?? "[redacted]", metadata }, notices };
}

/** Notices about members of the request that have no effect, with the reason. */
function unusedMembers({ status }: MemoryRecord, input: ForgetRequest): string[] {
  const { mode, replacement_content } = input;
  const given = (["reason", "metadata"] as const).filter((name) => input[name]).join(" and ");
  const notices: string[] = [];
  if (replacement_content && mode !== "redact")
    notices.push("replacement_content was ignored: it applies only to mode redact");
  if (given && mode === "hard_delete")
    notices.push(`${given} of the request not kept: nothing remains of what is hard-deleted`);
  if (given && mode === "soft_delete" && status === "soft_deleted")
    notices.push(`${given} ignored: the memory was already soft-deleted, and nothing was changed`);
  if (input.reason && mode === "redact")
    notices.push("reason was not kept: it might repeat the removed text");
  return notices;
}

/** Rejects with `role_forbidden` a removal that the caller's role in the team does not allow. */
export function requireRemover(caller: Caller, seen: SeenMemory, mode: ForgetMode): void {
  if (mode === "soft_delete") requireChangeable(caller, seen);
  else requireErasable(caller, seen);
}

/** A removed todo or decision has no status, so that it is in no list and no count, and blocks no other todo. */
const NO_ITEM = { itemStatus: null, itemAgent: null };

/**
 * Hides the memory from all answers except those that ask for soft-deleted memories, and applies a last change to it.
 * Reversible. A no-op if it is already soft-deleted.
 */
export async function softDelete(
  ports: Pick<MemoryPorts, "clock">,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  reason: string | null,
  change: MemoryChange = {},
): Promise<ForgetAnswer> {
  if (memory.status !== "soft_deleted") {
    const now = ports.clock();
    const current = asItStands(memory, now);
    await transaction.change(
      current,
      {
        ...change,
        status: "soft_deleted",
        restoreStatus: current.status,
        ...NO_ITEM,
        updatedAt: now,
      },
      { operation: "soft_delete", keepVersion: reason !== null || change.metadata !== undefined, reason },
    );
  }
  return { id: memory.memoryId, mode: "soft_delete", status: "soft_deleted", reversible: true };
}

async function erase(
  ports: Pick<MemoryPorts, "clock">,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  input: ForgetRequest,
  replacement: Erasure["replacement"],
): Promise<ForgetAnswer> {
  const mode = input.mode === "redact" ? "redact" : "hard_delete";
  const { removed, remaining, ...receipt } = await transaction.erase([memory], {
    mode,
    at: ports.clock(),
    replacement,
  });
  return {
    id: memory.memoryId,
    mode,
    status: mode === "redact" ? "redacted" : "hard_deleted",
    reversible: false,
    receipt: { ...receipt, removed: { ...removed }, remaining: [...remaining] },
  };
}
