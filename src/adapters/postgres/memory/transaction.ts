import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import type { MemoryTransaction } from "../../../core/memory/memory-store.ts";
import { takeLocks, takeOwnerLocks } from "../database/locks.ts";
import { hasVector } from "./change-memory.ts";
import type { Context } from "./context.ts";
import { eraseMemories } from "./erase.ts";
import { existing } from "./existing-memories.ts";
import { matches } from "./filter.ts";
import { claimKey, keepAnswer } from "./idempotency.ts";
import { insertMemory } from "./insert-memory.ts";
import { columns, toRecord, toSeen } from "./memory-row.ts";
import { selectNamed } from "./named-memory.ts";
import { quarantineUsage } from "./quarantine-usage.ts";
import { relocateMemory } from "./relocate-memory.ts";
import { withVisibleSuccessors } from "./successors.ts";
import { changeAndSettle, isLive, isSuccessor, supersedeByKey } from "./supersession.ts";
import { role, roleIn, visible } from "./visibility.ts";

/** The memories as a write sees them, inside one transaction of its caller. */
export function createMemoryTransaction(context: Context): MemoryTransaction {
  const { sql, caller, concerned } = context;
  return {
    lock: (keys) => takeLocks(sql, keys),
    lockOwners: (ownerIds) => takeOwnerLocks(sql, ownerIds),
    find: (memoryId, which) => selectNamed(sql, caller, memoryId, which),
    async findForChange(memoryId, which) {
      const seen = await selectNamed(sql, caller, memoryId, { ...which, isLocked: true });
      if (seen) concerned.add(seen.memory.id);
      return seen;
    },
    async shown(memory) {
      const [shown = memory] = await withVisibleSuccessors(sql, caller, [memory]);
      return shown;
    },
    async existing(memory, ask) {
      const around = await existing(context, memory, ask);
      for (const there of [around.idHolder, around.duplicate]) if (there) concerned.add(there.memory.id);
      return around;
    },
    roleIn: (ownerId) => roleIn(sql, caller, ownerId),
    quarantineUsage: () => quarantineUsage(context),
    insert(memory, vector) {
      concerned.add(memory.id);
      return insertMemory(context, memory, vector);
    },
    change: (memory, change, how) => changeAndSettle(context, memory, change, how),
    supersedeByKey: (older, newer, at) => supersedeByKey(context, older, newer, at),
    relocate: (memory, change, how) => relocateMemory(context, memory, change, how),
    hasVector: (memory, vector) => hasVector(context, memory.id, vector),
    isSuccessor: (memory) => isSuccessor(sql, memory),
    erase: (memories, how) => eraseMemories(context, memories, how),
    async matching(filter, limit) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from memories m
        where ${visible(sql, caller)} and ${matches(sql, filter)} and m.workspace_item is null
        order by m.id limit ${limit}`;
      return rows.map(toSeen);
    },
    async matchingForChange(filter, ids) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from memories m
        where m.id = any(${ids as string[]}) and ${visible(sql, caller)} and ${matches(sql, filter)}
          and m.workspace_item is null
        order by m.id for update of m`;
      return rows.map(toSeen);
    },
    conflictCandidates: (memory) => conflictCandidates(context, memory),
    claimIdempotencyKey: (key, requestHashes) => claimKey(context, key, requestHashes),
    keepAnswer: (key, requestHash, answer) => keepAnswer(context, key, requestHash, answer),
    async recordFeedback(memory, helpful) {
      await sql`insert into recall_feedback (memory, token_id, helpful) values (${memory.id}, ${caller.tokenId}, ${helpful})`;
    },
  };
}

/** So many of the nearest memories are compared with a changed one. */
const COMPARED_MAX = 200;

async function conflictCandidates({ sql, caller }: Context, memory: MemoryRecord): Promise<MemoryRecord[]> {
  const comparable = sql`m.owner_id = ${memory.ownerId} and m.id <> ${memory.id} and ${visible(sql, caller)}
    and m.project_id is not distinct from ${memory.projectId} and m.workspace_item is null
    and ${isLive(sql, memory.updatedAt)}`;
  const rows = await sql`
    (select ${columns(sql)} from memories m where ${comparable} and m.semantic_key = ${memory.semanticKey}
     order by m.created_at desc limit ${COMPARED_MAX})
    union
    (select ${columns(sql)} from memories m where ${comparable} and m.path = ${memory.path} and m.bucket = ${memory.bucket}
     order by m.created_at desc limit ${COMPARED_MAX})
    order by created_at desc, seq desc limit ${COMPARED_MAX}`;
  return rows.map(toRecord);
}
