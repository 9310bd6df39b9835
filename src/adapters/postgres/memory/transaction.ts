import { Buffer } from "node:buffer";
import { areOwnersBounded } from "../../../core/limits/storage-limits.ts";
import { mayChange } from "../../../core/memory/access.ts";
import type { MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type {
  AskedOfExisting,
  ExistingMemories,
  MemoryTransaction,
} from "../../../core/memory/memory-store.ts";
import { makeRoomForQuarantines } from "../access/quarantine-bounds.ts";
import type { AnySql, Fragment } from "../database/client.ts";
import { askForLocks, takeOwnerLocks } from "../database/locks.ts";
import type { Context } from "./context.ts";
import { eraseMemories } from "./erase.ts";
import { matches, matchesOf } from "./filter.ts";
import { claimKey, keepAnswer } from "./idempotency.ts";
import { columns, type MemoryRow, toRecord, toSeen } from "./memory-row.ts";
import { relocateMemory } from "./move-memories.ts";
import { ownedRows } from "./owned-rows.ts";
import { selectNamed, withVisibleSuccessors } from "./seen-memories.ts";
import {
  changeWithFact,
  isLive,
  isSuccessor,
  mayBeLive,
  statesFact,
  supersedeByKey,
  waitsForExpiry,
} from "./supersession.ts";
import { usageOf } from "./usage.ts";
import { role, roleIn, visible } from "./visibility.ts";
import { hasVector, insertMemories, insertMemory, insertUnopposed } from "./write-memory.ts";

/** Access to memories for writes, within one transaction of a caller. */
export function createMemoryTransaction(context: Context): MemoryTransaction {
  const { sql, caller, concerned } = context;
  return {
    lock: (keys) => askForLocks(sql, keys),
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
      const found = await existing(context, memory, ask);
      for (const there of [found.idHolder, found.duplicate, ...found.alike])
        if (there) concerned.add(there.memory.id);
      return found;
    },
    unopposed: (asked) => unopposed(context, asked),
    roleIn: (ownerId) => roleIn(sql, caller, ownerId),
    limits: context.limits,
    usage: (ownerId) => usageOf(sql, ownerId),
    quarantineUsage: () => quarantineUsage(context),
    makeRoomForQuarantines: (bytes) => makeRoomForQuarantines(sql, caller.owner.id, bytes, context.limits),
    insert(memory, vector) {
      concerned.add(memory.id);
      return insertMemory(context, memory, vector);
    },
    async insertAlone(memory, vector, bearing) {
      if (areOwnersBounded(context.limits)) return null;
      const stored = await insertUnopposed(context, memory, vector, bearing);
      if (stored) concerned.add(stored.id);
      return stored;
    },
    insertAll(written) {
      for (const { memory } of written) concerned.add(memory.id);
      return insertMemories(context, written);
    },
    change: (memory, change, how) => changeWithFact(context, memory, change, how),
    supersedeByKey: (older, newer, at) => supersedeByKey(context, older, newer, at),
    relocate: (memory, change, how) => relocateMemory(context, memory, change, how),
    hasVector: (memory, vector) => hasVector(context, memory, vector),
    isSuccessor: (memory) => isSuccessor(sql, memory),
    erase: (memories, how) => eraseMemories(context, memories, how),
    async matching(filter, limit) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from ${matchesOf(sql, caller, filter, sql`m.*`)} m
        order by m.id limit ${limit}`;
      return rows.map(toSeen);
    },
    async matchingForChange(filter, found) {
      const rows = await sql`
        select ${columns(sql)}, ${role(sql, caller)} as role from memories m
        where (m.owner_id, m.id) in (select own.owner_id, own.id from ${ownedRows(sql, found)})
          and m.owner_id = any(${[...new Set(found.map(({ ownerId }) => ownerId))]})
          and ${visible(sql, caller)} and ${matches(sql, filter)}
        order by m.id for update of m`;
      return rows.map(toSeen);
    },
    conflictCandidates: (memory) => conflictCandidates(context, memory),
    claimIdempotencyKey: (key, requestHashes) => claimKey(context, key, requestHashes),
    keepAnswer: (key, requestHash, answer) => keepAnswer(context, key, requestHash, answer),
    async recordFeedback(memory, helpful) {
      await sql`
        insert into recall_feedback (owner_id, memory, token_id, helpful)
        values (${memory.ownerId}, ${memory.id}, ${caller.tokenId}, ${helpful})`;
    },
  };
}

/** Maximum number of memories, the newest, that are compared with a changed one. */
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

/**
 * Finds and locks the holder of the id, equal memories and those of the same fact, in one statement. It searches all of
 * the owner's memories, and reports for each row whether the caller may see it. A row that another transaction was
 * changing is judged by its committed state: the conditions are checked again on the locked row. Materialized, since
 * Postgres joins such a row to `found` anew, and would take the first relation that it finds for each of them.
 */
async function existing(
  { sql, caller }: Context,
  memory: NewMemory | MemoryRecord,
  ask: AskedOfExisting,
): Promise<ExistingMemories> {
  const hash = ask.dedupe && memory.dedupeHash ? Buffer.from(memory.dedupeHash, "hex") : null;
  const live = isLive(sql, memory.updatedAt);
  const isOwners = sql`m.owner_id = ${memory.ownerId}`;
  const isEqual = sql`(${isOwners} and m.dedupe_hash = ${hash} and ${live})`;
  const fact = memory.semanticKey === null ? null : factRelations(sql, memory);
  const isAlike = ask.alike?.length ? looksLike(sql, memory, ask.alike) : null;
  const found = await sql`
    with found as materialized (
      (select m.id, m.owner_id, 'holder' as relation from memories m
       where ${isOwners} and m.memory_id = ${memory.memoryId})
      union all
      (select m.id, m.owner_id, 'equal' from memories m where ${isEqual} order by m.seq limit 1)
      ${isAlike ? sql`union all (select m.id, m.owner_id, 'alike' from memories m where ${isAlike} order by m.seq limit ${ALIKE_MAX})` : sql``}
      ${fact ? fact.found : sql``}
    )
    select ${columns(sql)}, found.relation, ${role(sql, caller)} as role, ${visible(sql, caller)} as is_visible,
           case found.relation when 'equal' then ${isEqual} ${isAlike ? sql`when 'alike' then ${isAlike}` : sql``} ${fact ? fact.stillIs : sql``} else ${isOwners} end as still_is
    from memories m join found on found.owner_id = m.owner_id and found.id = m.id order by m.seq for update of m`;
  const rows = found.filter((row) => row.still_is);
  const judged = (row: MemoryRow) => ({
    memory: toRecord(row),
    writable: row.is_visible === true && mayChange(caller, toSeen(row)),
  });
  const related = (relation: string) => rows.filter((row) => row.relation === relation);
  const [holder] = related("holder");
  const [equal] = related("equal");
  const [newest] = related("version").map(toRecord);
  return {
    idHolder: holder ? { memory: toRecord(holder), isVisible: holder.is_visible === true } : null,
    duplicate: equal ? judged(equal) : null,
    alike: related("alike").map(judged),
    factVersion: newest ? Math.max(newest.version, newest.factVersion ?? 0) : null,
    sameKey: related("key").map(judged),
    waiting: related("waiting").map(toRecord),
  };
}

/**
 * See `MemoryTransaction.unopposed`. It checks less than `existing`: only what indexes contain, and regardless of
 * expiry. `existing` then examines what it finds.
 */
async function unopposed(
  { sql }: Context,
  asked: readonly { readonly memory: NewMemory; readonly ask: AskedOfExisting }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const given = asked.map(({ memory, ask }) => ({
    id: memory.id,
    owner_id: memory.ownerId,
    memory_id: memory.memoryId,
    dedupe_hash: ask.dedupe && memory.dedupeHash ? `\\x${memory.dedupeHash}` : null,
    semantic_key: memory.semanticKey,
    path: memory.path,
    alike: ask.alike ?? [],
  }));
  const rows = await sql`
    select g.id, is_opposed(g.owner_id, g.memory_id, g.dedupe_hash, g.semantic_key, g.path, g.alike) as is_opposed
    from jsonb_to_recordset(${given as never}::jsonb) as g
      (id uuid, owner_id uuid, memory_id text, dedupe_hash bytea, semantic_key text, path text, alike text[])`;
  return new Set(rows.flatMap((row) => (row.is_opposed ? [] : [row.id as string])));
}

/** Maximum number of similar memories that are compared, the oldest. */
const ALIKE_MAX = 4;

/**
 * True if the row `m` is live, in the same place, and has the same letters and signs as one of the texts: see
 * `bare_words` in the migrations.
 */
function looksLike(sql: AnySql, memory: NewMemory | MemoryRecord, texts: readonly string[]): Fragment {
  const keys = texts.map((text, at) => sql`${at > 0 ? sql`, ` : sql``}bare_words(${memory.path}, ${text})`);
  return sql`(m.owner_id = ${memory.ownerId} and bare_words(m.path, m.content) in (${keys})
    and m.dedupe_hash is not null and ${isLive(sql, memory.updatedAt)}
    and m.bucket = ${memory.bucket} and m.memory_type = ${memory.memoryType}
    and m.project_id is not distinct from ${memory.projectId}
    and m.semantic_key is not distinct from ${memory.semanticKey})`;
}

/** SQL that finds the memories related to the fact of this one, and how each is related. */
function factRelations(
  sql: AnySql,
  memory: NewMemory | MemoryRecord,
): { found: Fragment; stillIs: Fragment } {
  const states = statesFact(sql, memory);
  const live = isLive(sql, memory.updatedAt);
  const waits = waitsForExpiry(sql, memory.updatedAt);
  return {
    found: sql`
      union all
      (select m.id, m.owner_id, case when ${live} then 'key' else 'waiting' end from memories m
       where ${states} and ${mayBeLive(sql)} and (${live} or ${waits}))
      union all
      (select m.id, m.owner_id, 'version' from memories m where ${states} order by greatest(m.version, m.fact_version) desc limit 1)`,
    stillIs: sql`when 'key' then ${states} and ${live} when 'waiting' then ${states} and ${waits} when 'version' then ${states}`,
  };
}

/** See `MemoryTransaction.quarantineUsage`. */
async function quarantineUsage({ sql, caller }: Context) {
  const [agent] = await sql`
    select from agents
    where quarantine_id = ${caller.owner.id} and status in ('pending', 'awaiting_confirmation')`;
  return agent ? usageOf(sql, caller.owner.id) : null;
}
