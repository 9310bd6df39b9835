import type { MemoryRecord } from "../../../core/memory/memory-record.ts";
import {
  type Fact,
  type FactLink,
  postponedBy,
  type Settlement,
  settle,
} from "../../../core/memory/supersession.ts";
import type { AnySql, Fragment, TransactionSql } from "../database/client.ts";
import { type MemoryRow, toRecord } from "./memory-row.ts";

/** True where the row `m` states this fact; never where there is none. */
export function statesFact(sql: AnySql, fact: Fact): Fragment {
  return sql`(m.owner_id = ${fact.ownerId} and m.semantic_key = ${fact.semanticKey}
    and m.project_id is not distinct from ${fact.projectId} and m.bucket = ${fact.bucket} and m.scope = ${fact.scope})`;
}

/** True where the row `m` states the fact of the row `fact`. */
export function statesSameFact(sql: AnySql): Fragment {
  return sql`(m.owner_id = fact.owner_id and m.semantic_key = fact.semantic_key
    and m.project_id is not distinct from fact.project_id and m.bucket = fact.bucket and m.scope = fact.scope)`;
}

/**
 * Before memories cease to state their facts: the versions that these have had go to one of the memories that still state
 * them, the newest. No index holds that, so that the revision stays.
 */
export async function bequeathVersions(sql: TransactionSql, ids: readonly string[]): Promise<void> {
  await sql`
    update memories heir set fact_version = left_behind.version
    from (
      select fact.version, (
        select m.id from memories m
        where ${statesSameFact(sql)} and m.id <> all(${ids as string[]})
        order by m.seq desc limit 1
      ) as heir
      from (
        select owner_id, semantic_key, project_id, bucket, scope, max(greatest(version, fact_version)) as version
        from memories where id = any(${ids as string[]}) and semantic_key is not null
        group by owner_id, semantic_key, project_id, bucket, scope
      ) fact
    ) left_behind
    where heir.id = left_behind.heir and greatest(heir.version, heir.fact_version) < left_behind.version`;
}

/**
 * After a change of what these memories hold, or before they are erased (`gone`): notes anew when they, and what they
 * superseded by key, near and far, are live again. Answers what it noted, with the rows' new revisions.
 */
export async function settleFacts(
  sql: TransactionSql,
  ids: readonly string[],
  { now, gone = false }: { now: number; gone?: boolean },
): Promise<(Settlement & { revision: number })[]> {
  const { changed, above, below } = await chains(sql, ids);
  const links = [...new Map([...above, ...changed, ...below].map((link) => [link.id, link])).values()];
  const settlements = settle(links, now, new Set(gone ? ids : []));
  const changedIds = new Set(changed.map(({ id }) => id));
  const belowIds = new Set(below.map(({ id }) => id));
  return note(
    sql,
    settlements
      .filter(({ id }) => (changedIds.has(id) ? !gone : belowIds.has(id)))
      // The change itself has kept what a memory was before it.
      .map((settlement) =>
        changedIds.has(settlement.id) ? { ...settlement, changesPast: false } : settlement,
      ),
    now,
  );
}

/** Lets the memories that are live again once others have expired wait until a newer fact has expired as well. */
export async function postpone(
  sql: TransactionSql,
  waiting: readonly MemoryRecord[],
  newer: Pick<MemoryRecord, "expiresAt">,
  now: number,
): Promise<void> {
  const settlements = waiting.flatMap((memory): Settlement[] => {
    const until = postponedBy(memory, newer);
    return until === memory.supersededUntil
      ? []
      : [{ id: memory.id, supersededUntil: until, changesPast: false }];
  });
  await note(sql, settlements, now);
}

/** The chains of supersessions by key that these memories are in: they, what is above them, and what is below. */
async function chains(sql: TransactionSql, ids: readonly string[]) {
  const link = sql`m.id, m.owner_id, m.memory_id, m.scope, m.project_id, m.bucket, m.semantic_key, m.status, m.expires_at,
    m.superseded_by, m.superseded_by_key, m.superseded_until`;
  const rows = await sql`
    with recursive changed as (
      select ${link} from memories m where m.id = any(${ids as string[]})
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
      -- What a memory that never expires has superseded is never live again, whatever changes above.
      where below.expires_at is not null
    )
    select *, 'changed' as place from changed union all select *, 'above' from above union all select *, 'below' from below`;
  const at = (place: string) => rows.filter((row) => row.place === place).map(toLink);
  return { changed: at("changed"), above: at("above"), below: at("below") };
}

function toLink(row: MemoryRow): FactLink {
  const { id, memoryId, status, expiresAt, ...rest } = toRecord(row);
  const { ownerId, scope, projectId, bucket, semanticKey } = rest;
  const { supersededBy, supersededByKey, supersededUntil } = rest;
  return {
    ...{ id, memoryId, status, expiresAt, ownerId, scope, projectId, bucket, semanticKey },
    ...{ supersededBy, supersededByKey, supersededUntil },
  };
}

/** Their former state is kept where the past would be another one without. */
async function note(
  sql: TransactionSql,
  settlements: readonly Settlement[],
  now: number,
): Promise<(Settlement & { revision: number })[]> {
  if (settlements.length === 0) return [];
  await sql`
    select from memories where id = any(${settlements.map(({ id }) => id)}) order by id for update`;
  const asked = settlements.map(({ id, supersededUntil, changesPast }) => ({
    id,
    superseded_until: supersededUntil === null ? null : new Date(supersededUntil).toISOString(),
    changes_past: changesPast,
  }));
  const rows = await sql`
    with settled as (
      select * from jsonb_to_recordset(${asked as never}::jsonb)
        as s (id uuid, superseded_until timestamptz, changes_past boolean)
    ), kept as (
      insert into memory_versions (memory, revision, state, valid_to, reason)
      select m.id, m.revision, to_jsonb(m), ${now}, 'the fact that superseded it now holds for another time'
      from memories m join settled s on s.id = m.id where s.changes_past
    ), changed as (
      update memories m set superseded_until = s.superseded_until,
        updated_at = case when s.changes_past then ${now} else m.updated_at end,
        revision = m.revision + 1, changed_xid = pg_current_xact_id()
      from settled s where m.id = s.id returning m.id, m.owner_id, m.revision
    ), queued as (
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision, 'put' from changed
    )
    select id, revision from changed`;
  const revisions = new Map(rows.map((row) => [row.id as string, row.revision as number]));
  return settlements.map((settlement) => ({
    ...settlement,
    revision: revisions.get(settlement.id) as number,
  }));
}
