import { randomUUID } from "node:crypto";
import { type Caller, UNATTRIBUTED } from "../../../core/caller.ts";
import { STORAGE_LIMITS } from "../../../core/limits/storage-limits.ts";
import { softDelete } from "../../../core/memory/forget.ts";
import type { RetentionStore } from "../../../core/retention/apply-retention.ts";
import {
  HOLDS,
  KEPT_AUTHORITIES,
  KEPT_OPERATIONS,
  type MemoryRule,
  NAMED_ONLY,
} from "../../../core/retention/policy.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { takeOwnerLocks } from "../database/locks.ts";
import { retried } from "../database/transactions.ts";
import type { Context } from "../memory/context.ts";
import { eraseMemories } from "../memory/erase.ts";
import { columns, type MemoryRow, toRecord } from "../memory/memory-row.ts";
import { like } from "../memory/pattern.ts";
import { createMemoryTransaction } from "../memory/transaction.ts";

/** Maximum memories removed per transaction, all of one owner. The owner's other writes wait for it. */
const MEMORIES_AT_ONCE = 200;
const LINES_AT_ONCE = 5000;

/** Stands for the service itself, where a credential or an owner is required. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

interface RetentionOptions {
  /** Embedding generation of the vectors that are written now. */
  readonly generation: number;
  /** Called with the internal ids of memories that are permanently removed, before that is committed. */
  readonly onErased: (ids: readonly string[]) => void;
}

/** Creates the `RetentionStore` of the record's own database. */
export function createRetentionStore(sql: Sql, options: RetentionOptions): RetentionStore {
  return {
    async countMemories(rule, before) {
      const [row] = await sql`select count(*) as count from memories m where ${isDue(sql, rule, before)}`;
      return Number(row?.count);
    },
    async countAudit({ operation }, before) {
      const [row] = await sql`
        select count(*) as count from audit_log l where ${isOldLine(sql, operation, before)}`;
      return Number(row?.count);
    },
    removeMemories: (rule, before, now) =>
      retried(
        () =>
          sql.begin((transaction) =>
            removeSome(transaction, options, { rule, before, now }),
          ) as Promise<number>,
      ),
    removeAudit: ({ operation, olderThanDays }, before) =>
      retried(
        () =>
          sql.begin(async (transaction) => {
            // In no order, so that an index finds the lines that are old enough, or finds that there are none.
            const rows = await transaction`
              delete from audit_log where (owner_id, id) in (
                select l.owner_id, l.id from audit_log l where ${isOldLine(transaction, operation, before)} limit ${LINES_AT_ONCE}
              )`;
            if (rows.count === 0) return 0;
            const why = { by: "retention", of: "audit", operation, older_than_days: olderThanDays };
            // One line without an owner: a line for each owner would soon be as many as are removed.
            await transaction`
              insert into audit_log (owner_id, operation, detail)
              values (${NOBODY}, 'retention', ${{ ...why, lines: rows.count } as never}::jsonb)`;
            return rows.count;
          }) as Promise<number>,
      ),
  };
}

interface Portion {
  readonly rule: MemoryRule;
  readonly before: number;
  readonly now: number;
}

async function removeSome(
  sql: TransactionSql,
  options: RetentionOptions,
  { rule, before, now }: Portion,
): Promise<number> {
  const [first] = await sql`
    select o.id, o.kind, o.name from memories m join owners o on o.id = m.owner_id
    where ${isDue(sql, rule, before)} limit 1`;
  if (first === undefined) return 0;
  const ownerId = first.id as string;
  await takeOwnerLocks(sql, [ownerId]);
  const rows: MemoryRow[] = await sql`
    select ${columns(sql)} from memories m where m.owner_id = ${ownerId} and ${isDue(sql, rule, before)}
    order by m.seq limit ${MEMORIES_AT_ONCE} for update of m`;
  const memories = rows.map(toRecord);
  // Another server was faster. There may be more memories, so continue.
  if (memories.length === 0) return removeSome(sql, options, { rule, before, now });
  const context = contextOf(sql, options, { id: ownerId, kind: first.kind, name: first.name });
  const why = { by: "retention", bucket: rule.bucket, memory_type: rule.memoryType };
  if (rule.mode === "hard_delete")
    await eraseMemories(context, memories, { mode: "hard_delete", at: now, replacement: null, detail: why });
  else {
    const transaction = createMemoryTransaction(context);
    for (const memory of memories)
      await softDelete({ clock: () => now }, transaction, memory, "its retention period has ended");
  }
  await sql`
    insert into audit_log (owner_id, operation, detail)
    values (${ownerId}, 'retention', ${
      { ...why, mode: rule.mode, older_than_days: rule.olderThanDays, memories: memories.length } as never
    }::jsonb)`;
  return memories.length;
}

/** True if the rule removes the memory `m` and nothing protects it. */
function isDue(sql: AnySql, rule: MemoryRule, before: number): Fragment {
  const named = NAMED_ONLY.filter((name) => ![rule.bucket, rule.memoryType].includes(name));
  // Soft-deleted memories are gone for their users; a rule that removes permanently includes them.
  const gone = rule.mode === "hard_delete" ? ["redacted"] : ["redacted", "soft_deleted"];
  return sql`(
    m.updated_at < ${before}
    and ${like(sql, sql`m.bucket`, rule.bucket)} and ${like(sql, sql`m.memory_type`, rule.memoryType)}
    and m.status <> all(${gone}) and m.workspace_item is null
    and not (m.memory_type = 'reminder' and m.status in ('active', 'started'))
    and m.bucket <> all(${named}) and m.memory_type <> all(${named})
    and coalesce(m.metadata ->> 'authority', '') <> all(${[...KEPT_AUTHORITIES]})
    and not exists (
      select from unnest(${[...HOLDS]}::text[]) hold
      where coalesce(m.metadata -> hold, 'null'::jsonb) not in ('null'::jsonb, 'false'::jsonb)
    )
    and not exists (select from owners q where q.id = m.owner_id and q.kind = 'agent')
  )`;
}

function isOldLine(sql: AnySql, operation: string, before: number): Fragment {
  return sql`(
    l.at < ${before} and ${like(sql, sql`l.operation`, operation)} and l.operation <> all(${[...KEPT_OPERATIONS]})
  )`;
}

/** Context in which the service itself acts with the owner's rights. */
function contextOf(
  sql: TransactionSql,
  { generation, onErased }: RetentionOptions,
  owner: Caller["owner"],
): Context {
  const caller: Caller = {
    tokenId: NOBODY,
    limitKey: NOBODY,
    tokenKind: "api_key",
    owner,
    scopes: new Set(["memory:read", "memory:write", "knowledge:read", "ledger:write"]),
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    onlyFor: null,
    attribution: UNATTRIBUTED,
    projectId: null,
    requestId: randomUUID(),
  };
  return { sql, caller, generation, limits: STORAGE_LIMITS, concerned: new Set(), onErased };
}
