/**
 * SQL of supersession, the counterpart of `core/memory/supersession.ts`: which rows are live at an instant, which rows
 * state a fact, the chains that they form, and what a change does to its fact. Every change to a row that affects its
 * fact goes through here.
 */
import { liveStatuses } from "../../../contract/memory.ts";
import type { MemoryChange, MemoryRecord, NewMemory } from "../../../core/memory/memory-record.ts";
import type { ChangeNote, Predecessors } from "../../../core/memory/memory-store.ts";
import type { Owned } from "../../../core/memory/place.ts";
import {
  changesHold,
  type Fact,
  type FactLink,
  type HoldChange,
  holdChanges,
  isSameFact,
  postponedBy,
  succeededByKey,
} from "../../../core/memory/supersession.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import type { Context } from "./context.ts";
import { selectionOf } from "./memory-row.ts";
import { pairsOf, type RowsOfOwner } from "./owned-rows.ts";
import { changeMemory } from "./write-memory.ts";

// Liveness at an instant.

/** An instant, or an SQL expression for one. */
type Instant = number | Fragment;

/** True if the row `m` takes part in default recall at that instant. Counterpart of the core's `isLive`. */
export function isLive(sql: AnySql, now: Instant): Fragment {
  return hasLiveStatus(sql, LIVE(sql), now);
}

/**
 * True if the row is live at that instant and has one of `statuses`, some of the live ones as SQL: `('active',
 * 'started')`.
 */
export function hasLiveStatus(sql: AnySql, statuses: Fragment, now: Instant): Fragment {
  return sql`(${isInStatus(sql, statuses, now)} and (m.expires_at is null or m.expires_at > ${now}))`;
}

/** The row's status at that instant, as callers see it. Counterpart of the core's `statusAt`. */
export function statusAt(sql: AnySql, now: Instant): Fragment {
  return sql`case when ${isInStatus(sql, LIVE(sql), now)} and m.expires_at <= ${now} then 'expired'
    when ${isLiveAgain(sql, now)} then ${FORMER(sql)} else m.status end`;
}

/**
 * True if the row has one of these statuses at that instant, regardless of its own expiry. The statuses are literals,
 * so that the planner sees that a partial index of live memories contains all of these rows.
 */
export function isInStatus(sql: AnySql, statuses: Fragment, now: Instant): Fragment {
  return sql`(m.status in ${statuses} or (${isLiveAgain(sql, now)} and ${FORMER(sql)} in ${statuses}))`;
}

/** True if the memory that superseded the row has expired by then. */
function isLiveAgain(sql: AnySql, now: Instant): Fragment {
  return sql`(m.status = 'superseded' and m.superseded_until <= ${now})`;
}

/**
 * True if the row `m` is live or may be again, expiry aside: what partial indexes of live memories contain, in their own
 * words. Beside a longer condition it has the index read once, in order. Without it the planner deduces as much, but
 * reads the index by a bitmap, which visits all former versions of a row each time.
 */
export function mayBeLive(sql: AnySql): Fragment {
  return sql`(m.status in ${LIVE(sql)} or m.superseded_until is not null)`;
}

/** The live statuses, as SQL. None contains a quote. */
export const LIVE = (sql: AnySql): Fragment => sql.unsafe(`('${liveStatuses.join("', '")}')`);
/** The row's status before it was superseded. */
export const FORMER = (sql: AnySql): Fragment => sql`coalesce(m.superseded_status, 'active')`;

// The fact that a row states.

/** True if the row `m` states this fact. Never true if the fact has no key. */
export function statesFact(sql: AnySql, fact: Fact): Fragment {
  return sql`(m.owner_id = ${fact.ownerId} and m.semantic_key = ${fact.semanticKey}
    and m.project_id is not distinct from ${fact.projectId} and m.bucket = ${fact.bucket} and m.scope = ${fact.scope})`;
}

/** True if the row `m` states the fact of the row `fact`. */
export function statesSameFact(sql: AnySql): Fragment {
  return sql`(m.owner_id = fact.owner_id and m.semantic_key = fact.semantic_key
    and m.project_id is not distinct from fact.project_id and m.bucket = fact.bucket and m.scope = fact.scope)`;
}

/** True if the row `m` will be live again, once the memories that state its fact at that instant have expired. */
export function waitsForExpiry(sql: AnySql, at: number): Fragment {
  return sql`(m.superseded_by_key and m.superseded_until > ${at})`;
}

// Chains of supersessions.

/**
 * A `with` clause that defines the table `link`: these memories, those that state the same facts, and all that
 * superseded any of them or were superseded by them, directly or indirectly. Each step uses an index, forwards and
 * backwards.
 */
export function withChain(sql: AnySql, { ownerId, ids }: RowsOfOwner): Fragment {
  return sql`
    with recursive link as (
      select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m
      where (m.owner_id, m.id) in ${pairsOf(sql, { ownerId, ids })}
      union
      -- A fact that has given way to an older one is in no later one's succession.
      select m.id, m.owner_id, m.memory_id, m.superseded_by from memories given join memories m
        on m.owner_id = given.owner_id and m.semantic_key = given.semantic_key and m.bucket = given.bucket
        and m.scope = given.scope and m.project_id is not distinct from given.project_id
      where (given.owner_id, given.id) in ${pairsOf(sql, { ownerId, ids })}
      union
      select next.* from link cross join lateral (
        select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m
        where m.owner_id = link.owner_id and m.superseded_by = link.memory_id
        union all
        select m.id, m.owner_id, m.memory_id, m.superseded_by from memories m
        where m.owner_id = link.owner_id and m.memory_id = link.superseded_by
      ) next
    )`;
}

/** The memories of `link`. Each is looked up by itself (offset 0), in its owner's partition. */
export function memoriesOfChain(sql: AnySql): Fragment {
  return sql`link cross join lateral (
    select * from memories where owner_id = link.owner_id and id = link.id offset 0
  )`;
}

/** See `MemoryTransaction.isSuccessor`. */
export async function isSuccessor(
  sql: AnySql,
  { ownerId, memoryId }: Pick<MemoryRecord, "ownerId" | "memoryId">,
): Promise<boolean> {
  const [row] = await sql`
    select exists (select from memories m where m.owner_id = ${ownerId} and m.superseded_by = ${memoryId}) as is_named`;
  return row?.is_named === true;
}

// Effects of a change on its fact.

/** Changes a memory, and applies the consequences for the fact that it states. */
export async function changeWithFact(
  context: Context,
  memory: MemoryRecord,
  change: MemoryChange & Partial<Owned>,
  how: ChangeNote,
): Promise<MemoryRecord> {
  const { sql } = context;
  const { ownerId, id } = memory;
  const leavesFact = memory.semanticKey !== null && !isSameFact(memory, { ...memory, ...change });
  if (leavesFact) await bequeathVersions(sql, { ownerId, ids: [id] });
  const changed = await changeMemory(
    context,
    memory,
    leavesFact ? { ...change, factVersion: null } : change,
    how,
  );
  if (!changesHold(memory, changed)) return changed;
  const updated = await updateHolds(sql, { ownerId: changed.ownerId, ids: [id] }, { now: changed.updatedAt });
  const own = updated.find((one) => one.id === id);
  return own ? { ...changed, supersededUntil: own.supersededUntil, revision: own.revision } : changed;
}

/** See `MemoryTransaction.supersedeByKey`. */
export async function supersedeByKey(
  context: Context,
  { live, waiting }: Predecessors,
  newer: NewMemory,
  at: number,
): Promise<void> {
  await postpone(context.sql, waiting, newer, at);
  for (const memory of live) {
    await changeMemory(
      context,
      memory,
      { ...succeededByKey(memory, newer, at), updatedAt: at },
      { operation: "supersede", keepVersion: true, reason: "a newer memory has the same semantic_key" },
    );
  }
}

/**
 * Passes the highest version that each fact has had to the newest memory that still states it. Call it before memories
 * cease to state their facts. No index holds this version, so the revision stays.
 */
export async function bequeathVersions(sql: TransactionSql, { ownerId, ids }: RowsOfOwner): Promise<void> {
  await sql`
    update memories heir set fact_version = left_behind.version
    from (
      select fact.owner_id, fact.version, (
        select m.id from memories m
        where ${statesSameFact(sql)} and m.id <> all(${ids as string[]})
        order by m.seq desc limit 1
      ) as heir
      from (
        select owner_id, semantic_key, project_id, bucket, scope, max(greatest(version, fact_version)) as version
        from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids })} and semantic_key is not null
        group by owner_id, semantic_key, project_id, bucket, scope
      ) fact
    ) left_behind
    where heir.owner_id = left_behind.owner_id and heir.id = left_behind.heir and greatest(heir.version, heir.fact_version) < left_behind.version`;
}

/**
 * Recomputes when these memories, and those that they superseded by key, directly or indirectly, are live again. Call
 * it after a change to how long they hold, or before they are erased (`gone`). Returns the changes that it wrote, with
 * the rows' new revisions.
 */
export async function updateHolds(
  sql: TransactionSql,
  rows: RowsOfOwner,
  { now, gone = false }: { now: number; gone?: boolean },
): Promise<(HoldChange & { revision: number })[]> {
  const { changed, above, below } = await chains(sql, rows);
  const links = [...new Map([...above, ...changed, ...below].map((link) => [link.id, link])).values()];
  const changes = holdChanges(links, now, new Set(gone ? rows.ids : []));
  const changedIds = new Set(changed.map(({ id }) => id));
  const belowIds = new Set(below.map(({ id }) => id));
  return note(
    sql,
    rows.ownerId,
    changes
      .filter(({ id }) => (changedIds.has(id) ? !gone : belowIds.has(id)))
      // The change itself has already stored the memory's former state.
      .map((change) => (changedIds.has(change.id) ? { ...change, changesPast: false } : change)),
    now,
  );
}

/** Makes memories that wait for others to expire wait for a newer one as well. */
async function postpone(
  sql: TransactionSql,
  waiting: readonly MemoryRecord[],
  newer: Pick<MemoryRecord, "ownerId" | "expiresAt">,
  now: number,
): Promise<void> {
  const changes = waiting.flatMap((memory): HoldChange[] => {
    const until = postponedBy(memory, newer);
    return until === memory.supersededUntil
      ? []
      : [{ id: memory.id, supersededUntil: until, changesPast: false }];
  });
  await note(sql, newer.ownerId, changes, now);
}

/** Reads the chains of supersessions by key that contain these memories: these, those above and those below them. */
async function chains(sql: TransactionSql, { ownerId, ids }: RowsOfOwner) {
  const link = factLink.columns(sql);
  const rows = await sql`
    with recursive changed as (
      select ${link} from memories m where (m.owner_id, m.id) in ${pairsOf(sql, { ownerId, ids })}
    ), above as (
      select * from changed
      union
      select ${link} from above join memories m on m.owner_id = above.owner_id and m.memory_id = above.superseded_by
      where above.superseded_by_key
    ), below as (
      select ${link} from changed join memories m on m.owner_id = changed.owner_id
        and m.superseded_by = changed.memory_id and m.superseded_by_key
      union
      select ${link} from below join memories m on m.owner_id = below.owner_id
        and m.superseded_by = below.memory_id and m.superseded_by_key
      -- A memory that never expires supersedes for good, whatever changes above.
      where below.expires_at is not null
    )
    select *, 'changed' as place from changed union all select *, 'above' from above union all select *, 'below' from below`;
  const at = (place: string) => rows.filter((row) => row.place === place).map(factLink.read);
  return { changed: at("changed"), above: at("above"), below: at("below") };
}

const factLink = selectionOf({
  id: true,
  ownerId: true,
  memoryId: true,
  scope: true,
  projectId: true,
  bucket: true,
  semanticKey: true,
  status: true,
  expiresAt: true,
  supersededBy: true,
  supersededByKey: true,
  supersededUntil: true,
} satisfies Record<keyof FactLink, true>);

/** Writes the changes. Keeps a former state if the past would read differently without it. */
async function note(
  sql: TransactionSql,
  ownerId: string,
  changes: readonly HoldChange[],
  now: number,
): Promise<(HoldChange & { revision: number })[]> {
  if (changes.length === 0) return [];
  await sql`
    select from memories where (owner_id, id) in ${pairsOf(sql, { ownerId, ids: changes.map(({ id }) => id) })}
    order by id for update`;
  const asked = changes.map(({ id, supersededUntil, changesPast }) => ({
    owner_id: ownerId,
    id,
    superseded_until: supersededUntil === null ? null : new Date(supersededUntil).toISOString(),
    changes_past: changesPast,
  }));
  const rows = await sql`
    with held as (
      select * from jsonb_to_recordset(${asked as never}::jsonb)
        as s (owner_id uuid, id uuid, superseded_until timestamptz, changes_past boolean)
    ), kept as (
      insert into memory_versions (owner_id, memory, revision, state, valid_to, reason)
      select m.owner_id, m.id, m.revision, to_jsonb(m), ${now}, 'the time until which it is superseded changed'
      from memories m join held s on s.owner_id = m.owner_id and s.id = m.id where s.changes_past
    ), changed as (
      update memories m set superseded_until = s.superseded_until,
        updated_at = case when s.changes_past then ${now} else m.updated_at end,
        revision = m.revision + 1, changed_xid = pg_current_xact_id()
      from held s where m.owner_id = s.owner_id and m.id = s.id returning m.id, m.owner_id, m.revision
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from changed
    )
    select id, revision from changed`;
  const revisions = new Map(rows.map((row) => [row.id as string, row.revision as number]));
  return changes.map((change) => ({
    ...change,
    revision: revisions.get(change.id) as number,
  }));
}
