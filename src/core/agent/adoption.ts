/**
 * Adopts the memories that an agent wrote before it was bound. Memories that its grant would have allowed and that the
 * approver was shown move to its user or team. The rest stays in the quarantine, which is no longer readable, and is
 * deleted by the sweep.
 */
import type { Caller } from "../caller.ts";
import type { Hash } from "../environment.ts";
import { areOwnersBounded, type StorageLimits, type Usage } from "../limits/storage-limits.ts";
import type { MemoryRecord } from "../memory/memory-record.ts";
import type { Place } from "../memory/place.ts";
import { factKey } from "../memory/supersession.ts";
import { ownerIsFull, usedUp } from "../memory/write-rules.ts";
import { actorOf } from "../project/actor.ts";
import { type Adoption, adoptedMemory, type Moved, type Quarantined } from "./adopted-memory.ts";
import type { AgentRecord, GrantedApproval, Shown } from "./agent.ts";
import type { AgentPorts, AgentTransaction } from "./agent-store.ts";
import { grantedOwner, granteeOf, mayAdd, placeGranted } from "./grant.ts";

/** A memory in a quarantine, with its new place; null if it stays. */
export interface JudgedMemory {
  readonly quarantined: Quarantined;
  readonly place: Place | null;
}

/**
 * Selects what moves under a grant. A memory moves together with its earlier states and everything that it is linked to
 * (its chain of supersession, a todo's dependencies, a decision's predecessors), or not at all.
 *
 * `isMember`: whether the grantee may currently add to the owner's memories. `shown`: only these memories may move, if
 * unchanged; null: all may.
 */
export function judge(
  quarantine: readonly Quarantined[],
  grantee: Caller,
  { isMember, shown }: { isMember: boolean; shown: Shown | null },
): JudgedMemory[] {
  const judged = quarantine.map((quarantined) => {
    const { memory } = quarantined;
    const isShown = shown === null || shown[memory.id] === memory.revision;
    return { quarantined, place: isMember && isShown ? placeGranted(grantee, memory) : null };
  });
  const groupOf = linkedGroups(quarantine);
  const parted = new Set(
    judged.filter(({ place }) => place === null).map(({ quarantined }) => groupOf(quarantined.memory.id)),
  );
  return judged.map((one) =>
    parted.has(groupOf(one.quarantined.memory.id)) ? { ...one, place: null } : one,
  );
}

/** Returns a function that maps each row to its group of directly or indirectly linked rows. */
function linkedGroups(quarantine: readonly Quarantined[]): (id: string) => string {
  const byName = new Map(quarantine.map(({ memory }) => [memory.memoryId, memory.id]));
  const parents = new Map(quarantine.map(({ memory }) => [memory.id, memory.id]));
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next;
    return root;
  };
  for (const { memory, linkedTo } of quarantine) {
    const successor = memory.supersededBy === null ? undefined : byName.get(memory.supersededBy);
    for (const other of [...linkedTo, ...(successor === undefined ? [] : [successor])])
      if (parents.has(other)) parents.set(rootOf(memory.id), rootOf(other));
  }
  return rootOf;
}

/** Returns the current revisions of everything in a quarantine, which an approval records. */
export function shownNow(quarantine: readonly Quarantined[]): Shown {
  return Object.fromEntries(quarantine.map(({ memory }) => [memory.id, memory.revision]));
}

/**
 * Moves what may move. Returns whether the quarantine is empty. Requires the locks of both owners. Role, scopes, team
 * and projects are checked as of now.
 */
export async function adoptQuarantine(
  ports: Pick<AgentPorts, "clock" | "newId" | "hash">,
  transaction: AgentTransaction,
  agent: AgentRecord & { readonly approval: GrantedApproval; readonly quarantineId: string },
  caller: Caller,
): Promise<{ isEmpty: boolean }> {
  const { approval, quarantineId } = agent;
  const grantee = granteeOf(agent.id, approval);
  const quarantine = await transaction.quarantined(quarantineId, { isLocked: true });
  const isMember = await mayAdd(transaction, grantee);
  const judged = judge(quarantine, grantee, { isMember, shown: approval.shown });
  const moving = judged.filter((one): one is Moving => one.place !== null);
  if (moving.length > 0) {
    const at = ports.clock();
    const owner = grantedOwner(grantee);
    const memories = moving.map(({ quarantined }) => quarantined.memory);
    const adoption: Adoption = {
      agentId: agent.id,
      authorId: approval.approver.id,
      at,
      names: newNames(
        ports.newId,
        memories,
        await transaction.takenIds(
          owner,
          memories.map(({ memoryId }) => memoryId),
        ),
      ),
      facts: await transaction.factsOf(
        owner,
        memories.flatMap(({ semanticKey }) => semanticKey ?? []),
      ),
      placed: new Set(
        moving.flatMap(({ quarantined: { memory }, place }) =>
          memory.projectId === place.projectId ? factKey({ ...memory, ...place }) : [],
        ),
      ),
    };
    const before = await transaction.usage(owner);
    await transaction.move(
      quarantineId,
      adopted(ports.hash, moving, adoption),
      {
        operation: "adopt",
        ownerId: owner,
        agentId: agent.id,
        tokenId: caller.tokenId,
        requestId: caller.requestId,
      },
      { at, actor: actorOf(caller) },
    );
    requireRoomFor(before, await transaction.usage(owner), transaction.limits);
  }
  return { isEmpty: moving.length === quarantine.length };
}

/**
 * Throws `quota_exceeded` if the new owner exceeds its quota. Checked after the move, because earlier states count as
 * well; the transaction then rolls the move back.
 */
function requireRoomFor(before: Usage, after: Usage, limits: StorageLimits): void {
  if (!areOwnersBounded(limits)) return;
  const by = { memories: after.memories - before.memories, bytes: after.bytes - before.bytes };
  const used = usedUp(limits, before, by);
  if (used !== null) throw ownerIsFull(used);
}

export type Moving = JudgedMemory & { readonly place: Place };

export function adopted(hash: Hash, moving: readonly Moving[], adoption: Adoption): Moved[] {
  return moving.map(({ quarantined, place }) => adoptedMemory(hash, quarantined, place, adoption));
}

/**
 * Maps each public id to the one in the new place: the same, or the internal id if it is taken, unless that is taken as
 * well.
 */
export function newNames(
  newId: AgentPorts["newId"],
  memories: readonly Pick<MemoryRecord, "id" | "memoryId">[],
  taken: ReadonlySet<string>,
): Map<string, string> {
  const used = new Set([...taken, ...memories.map(({ memoryId }) => memoryId)]);
  return new Map(
    memories.map(({ id, memoryId }) => {
      if (!taken.has(memoryId)) return [memoryId, memoryId];
      const name = used.has(id) ? newId() : id;
      used.add(name);
      return [memoryId, name];
    }),
  );
}
