import type { ForgetMode } from "../../contract/lifecycle.ts";
import type { InputOf } from "../../contract/operations.ts";
import { type Caller, requireScope } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import type { UseCase } from "../use-case.ts";
import { type ForgetPorts, remarksOnRemoval, requireMode, requireRemover, softDelete } from "./forget.ts";
import { type MemoryFilter, memoryFilter } from "./memory-filter.ts";
import type { SeenMemory } from "./memory-record.ts";
import type { MemoryPorts, MemoryTransaction, StoredReceipt } from "./memory-store.ts";
import { teamOf } from "./place.ts";
import { screen } from "./screen.ts";

/** Maximum number of memories per request, since the request is one transaction. */
const MATCHES_MAX = 10_000;

/**
 * Removes every matching memory if the plan hash of a dry run still holds. A dry run changes nothing. The answer lists
 * the ids of the matches only for a browser session. `plan_changed` if the set of matches or their states have changed;
 * `validation_failed` without a plan hash or if more than 10,000 match.
 */
export const deleteMatching: UseCase<ForgetPorts & Pick<MemoryPorts, "hash">, "deleteMatching"> = async (
  ports,
  caller,
  asked,
) => {
  requireMode(caller, asked.mode);
  // The number of matches reveals what is stored, so the caller needs the scope for reading.
  requireScope(caller, ["memory:read"]);
  const { input, ...screened } = screen(ports.secrets, asked);
  if (!input.dry_run && !input.plan_hash) {
    throw invalid(["plan_hash"], "must be the plan_hash of a dry run of the same filter");
  }
  // Todos and decisions have delete operations of their own.
  const filter = { ...memoryFilter(caller, input.filter, ports.clock()), withoutItems: true };
  return ports.store.transaction(caller, async (transaction) => {
    const found = removable(caller, input, await transaction.matching(filter, MATCHES_MAX + 1));
    if (found.length > MATCHES_MAX)
      throw invalid(["filter"], `matches more than ${MATCHES_MAX} memories: narrow it`);
    const matches = input.dry_run
      ? found
      : removable(caller, input, await locked(transaction, filter, found));
    const planHash = planOf(ports, input.mode, matches);
    const answer = {
      dry_run: input.dry_run,
      mode: input.mode,
      matched: matches.length,
      plan_hash: planHash,
      ...(caller.session && { memory_ids: matches.map(({ memory }) => memory.memoryId) }),
    };
    if (input.dry_run) return { ...answer, changed: 0 };
    if (planHash !== input.plan_hash) {
      throw new DomainError("plan_changed", "What matches has changed since the dry run: make a new one.");
    }
    const receipt = await remove(ports, transaction, matches, input);
    const proof = receipt
      ? { receipt: { ...receipt, removed: { ...receipt.removed }, remaining: [...receipt.remaining] } }
      : {};
    const remarks = remarksOnRemoval(input.mode, screened);
    return { ...answer, changed: matches.length, ...proof, ...remarks };
  });
};

/**
 * The matches that the caller may remove. If the filter names a team, a match that the caller may not remove throws, as
 * for a single memory (`role_forbidden`). Otherwise such matches are skipped.
 */
function removable(
  caller: Caller,
  input: InputOf<"deleteMatching">,
  matches: readonly SeenMemory[],
): SeenMemory[] {
  const isNamed = input.filter.team_id != null;
  return matches.filter((seen) => {
    try {
      requireRemover(caller, seen, input.mode);
      return true;
    } catch (error) {
      if (isNamed || !(error instanceof DomainError)) throw error;
      return false;
    }
  });
}

/** The memories that still match, locked. Memories that the caller may not remove are not locked. */
async function locked(
  transaction: MemoryTransaction,
  filter: MemoryFilter,
  found: readonly SeenMemory[],
): Promise<SeenMemory[]> {
  const facts = found.filter(({ memory }) => memory.semanticKey !== null);
  // Locks whole owners, since there may be too many facts to lock one by one.
  await transaction.lockOwners([...new Set(facts.map(({ memory }) => memory.ownerId))]);
  return transaction.matchingForChange(
    filter,
    found.map(({ memory }) => memory),
  );
}

function planOf(ports: Pick<MemoryPorts, "hash">, mode: ForgetMode, matches: readonly SeenMemory[]): string {
  const states = matches.map(({ memory }) => `${memory.id}:${memory.revision}`).sort();
  return ports.hash(JSON.stringify([mode, states]));
}

async function remove(
  ports: ForgetPorts,
  transaction: MemoryTransaction,
  matches: readonly SeenMemory[],
  input: InputOf<"deleteMatching">,
): Promise<StoredReceipt | null> {
  const memories = matches.map((seen) => seen.memory);
  const reason = input.reason ?? null;
  if (input.mode === "soft_delete") {
    for (const memory of memories) {
      // Earlier deletions in this loop may have revived a memory that was superseded by its key, so memories with a key
      // are read again.
      const ofTeam = { teamId: teamOf(memory) };
      const seen =
        memory.semanticKey === null ? null : await transaction.findForChange(memory.memoryId, ofTeam);
      await softDelete(ports, transaction, seen?.memory ?? memory, reason);
    }
    return null;
  }
  if (memories.length === 0) return null;
  const replacement = input.mode === "redact" ? { content: "[redacted]", metadata: {} } : null;
  return transaction.erase(memories, { mode: input.mode, at: ports.clock(), replacement });
}
