import type { ForgetAnswer, ForgetMode, ForgetRequest } from "../../contract/lifecycle.ts";
import type { Scope } from "../../contract/scope.ts";
import { type Caller, requireScope } from "../caller.ts";
import { invalid, notFound } from "../error.ts";
import type { Ports } from "../ports.ts";
import { remarksOn, screen } from "../secrets/screen.ts";
import { requireChangeable, requireErasable, requireOrdinary } from "./access.ts";
import type { MemoryRecord, SeenMemory } from "./memory-record.ts";
import type { MemoryTransaction } from "./memory-store.ts";
import { requireMatch } from "./precondition.ts";

export type ForgetPorts = Pick<Ports, "store" | "clock" | "embedder" | "secrets">;
type ForgetInput = ForgetRequest & { memory_id: string; if_match?: string | null | undefined };

const SCOPE_OF: Readonly<Record<ForgetMode, Scope>> = {
  soft_delete: "memory:delete",
  hard_delete: "memory:hard_delete",
  redact: "memory:redact",
};

/** Refuses with `insufficient_scope` a mode the credential may not use. Before anything is looked up. */
export function requireMode(caller: Caller, mode: ForgetMode): void {
  requireScope(caller, [SCOPE_OF[mode]]);
}

/**
 * Soft-deletes, hard-deletes or redacts a memory. A second soft delete changes nothing.
 * `not_found`, `role_forbidden`, `precondition_failed`; permanent removal in a team is for its owners and admins.
 */
export async function forgetMemory(
  ports: ForgetPorts,
  caller: Caller,
  asked: ForgetInput,
): Promise<ForgetAnswer> {
  requireMode(caller, asked.mode);
  const { input, ...screened } = screen(ports.secrets, asked);
  if (input.mode !== "redact" && (input.replacement_content || input.metadata)) {
    throw invalid(
      ["body", "replacement_content"],
      "replacement_content and metadata go with mode redact only",
    );
  }
  return ports.store.transaction(caller, async (transaction) => {
    const seen = await transaction.findForChange(input.memory_id);
    if (!seen) throw notFound();
    requireRemover(caller, seen, input.mode);
    requireOrdinary(seen.memory);
    requireMatch(input.if_match, seen.memory);
    const answer = await (input.mode === "soft_delete"
      ? softDelete(ports, transaction, seen.memory, input.reason ?? null)
      : erase(transaction, seen.memory, input));
    return { ...answer, ...remarksOn(screened, screened.notices) };
  });
}

/** Refuses with `role_forbidden` a removal that the caller's role in the team does not allow. */
export function requireRemover(caller: Caller, seen: SeenMemory, mode: ForgetMode): void {
  if (mode === "soft_delete") requireChangeable(caller, seen);
  else requireErasable(caller, seen);
}

/** Takes the memory out of every answer but the one that asks for soft-deleted memories. Reversible. */
export async function softDelete(
  ports: Pick<Ports, "clock">,
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  reason: string | null,
): Promise<ForgetAnswer> {
  if (memory.status !== "soft_deleted") {
    await transaction.change(
      memory,
      { status: "soft_deleted", restoreStatus: memory.status, updatedAt: ports.clock() },
      { operation: "soft_delete", keepVersion: reason !== null, reason },
    );
  }
  return { id: memory.memoryId, mode: "soft_delete", status: "soft_deleted", reversible: true };
}

async function erase(
  transaction: MemoryTransaction,
  memory: MemoryRecord,
  input: ForgetInput,
): Promise<ForgetAnswer> {
  const mode = input.mode === "redact" ? "redact" : "hard_delete";
  const replacement =
    mode === "redact"
      ? { content: input.replacement_content ?? "[redacted]", metadata: input.metadata ?? {} }
      : null;
  const { removed, remaining, ...receipt } = await transaction.erase([memory], {
    mode,
    replacement,
    reason: input.reason ?? null,
  });
  return {
    id: memory.memoryId,
    mode,
    status: mode === "redact" ? "redacted" : "hard_deleted",
    reversible: false,
    receipt: { ...receipt, removed: { ...removed }, remaining: [...remaining] },
  };
}
