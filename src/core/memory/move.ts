import type { Caller } from "../caller.ts";
import { DomainError, invalid } from "../error.ts";
import type { Clock } from "../ports.ts";
import type { MemoryRecord, SeenMemory } from "./memory-record.ts";
import type { MemoryTransaction } from "./memory-store.ts";
import { type Owned, ownership } from "./place.ts";
import { isLive } from "./supersession.ts";

/** What a change may say of where a memory is to lie. */
interface AskedPlace {
  readonly scope?: "private" | "team" | null | undefined;
  readonly team_id?: string | null | undefined;
}

/**
 * Whose a memory becomes by a change that names its scope; null where it stays. A team alone moves nothing: it says which
 * memory is meant. `validation_failed`; `not_found` for a team that the caller cannot mean.
 */
export function destinationOf(caller: Caller, memory: MemoryRecord, asked: AskedPlace): Owned | null {
  const isOfTeam = !asked.team_id || asked.team_id === (memory.scope === "team" ? memory.ownerId : null);
  if (!asked.scope) {
    if (isOfTeam) return null;
    throw invalid(["team_id"], "The memory is not that team's: name scope team as well to move it there.");
  }
  if (asked.scope === memory.scope && isOfTeam) return null;
  const to = ownership(caller, asked.scope, asked.team_id ?? null);
  return to.ownerId === memory.ownerId ? null : to;
}

/** Refuses with `role_forbidden` a member who takes out of the team what another has written. */
export function requireMover(caller: Caller, { memory, role }: SeenMemory): void {
  if (role !== "member" || memory.authorId === caller.owner.id) return;
  throw new DomainError(
    "role_forbidden",
    "Only its author and the owners and admins of the team may take a memory out of it.",
  );
}

/**
 * Refuses with `conflict` a move into what is there already. It says nothing of the memories in the way: the caller may
 * not see them. `moved` is the memory as it is to be.
 */
export async function requireRoomFor(
  ports: { readonly clock: Clock },
  transaction: MemoryTransaction,
  moved: MemoryRecord,
): Promise<void> {
  const now = ports.clock();
  const { idHolder, sameKey } = await transaction.existing({ ...moved, updatedAt: now }, { dedupe: false });
  if (idHolder) throw new DomainError("conflict", "Another memory has its id there.");
  if (sameKey.length > 0 && isLive(moved, now))
    throw new DomainError("conflict", "A live memory of its semantic_key is there.");
}
