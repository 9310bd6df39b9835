import { createHmac } from "node:crypto";
import type {
  ErasedKind,
  ErasedOwner,
  ErasureReceipt,
  ErasureRequester,
  ErasureStore,
  RemovedRows,
} from "../../../core/access/erasure.ts";
import { DomainError } from "../../../core/error.ts";
import type { AnySql, Fragment, Sql, TransactionSql } from "../database/client.ts";
import { takeOwnerLocks } from "../database/locks.ts";
import { fromRow } from "../database/rows.ts";
import { secret } from "../database/service-secret.ts";
import { retried } from "../database/transactions.ts";
import { forgetAnswers } from "../memory/idempotency.ts";
import { leaveTombstones } from "../memory/move-memories.ts";
import { byOwner, pairsOf } from "../memory/owned-rows.ts";
import { forgetQuestions } from "../recall/recall-log.ts";
import { countRows, type Dependents, dependentsOf, tablesWithOwner, WITH_THEIR_ROW } from "./dependents.ts";
import { disown, forgetInOwnLog } from "./disown.ts";
import { digestOf } from "./name-digest.ts";

/** Memories per transaction, few enough that no one waits for it. */
const BATCH_MEMORIES = 500;

/** End users of an erased application that are removed together. */
const BATCH_END_USERS = 100;

/** An erasure counts as interrupted this long after its last step. */
const LEASE = "10 seconds";
/** Longest pause after a failed attempt. */
const RETRY_MAX = "1 hour";

/**
 * Delay before a requested erasure starts. Servers accept a revoked credential for up to half a second, and running
 * requests need time to end.
 */
const SETTLE = "1 second";

/** Conditions on `$1`: the ids of memories in the first, of owners in the others. */
const MEMORIES: Dependents = { table: "memories", condition: "id = any($1::uuid[])" };
const OWNERS: Dependents = { table: "owners", condition: "id = any($1::uuid[])" };
const ACCOUNTS: Dependents = {
  table: 'auth."user"',
  condition: "id in (select user_id from auth.sign_ins where owner_id = any($1::uuid[]))",
};
const ofOwner = (table: string): Dependents => ({ table, condition: "owner_id = any($1::uuid[])" });

/**
 * Tables with an owner column whose rows are not deleted by it: the log, whose lines stay without content or names; the
 * tables that notify indexes of the removal and are emptied when those know; memories, which are removed in batches
 * before; and the receipt.
 */
const NOT_BY_OWNER = [
  ...["audit_log", "outbox", "outbox_owners", "tombstones", "memories", "erasures"],
  ...WITH_THEIR_ROW,
];

/**
 * Deleted like the rest, but not counted, since these tables change meanwhile: events and counts move from one table to
 * the other, alerts are raised and ended, figures and recalls of earlier requests are still written, and stored indexes go
 * with the first memory.
 */
const UNCOUNTED = [
  "alerts",
  "event_inbox",
  "events",
  "figures",
  "index_snapshots",
  "memory_count_changes",
  "memory_counts",
  "recalls",
];

/** Tables that are cleared first, so that no one acts in the owner's name while its memories are removed. */
const ENDED_AT_ONCE = [
  "team_members",
  "team_invitations",
  "auth.session",
  "auth.account",
  "auth.invitations",
];

/** `onErased` is called with the internal ids of memories before their removal is committed. */
export function createErasureStore(
  sql: Sql,
  onErased: (ids: readonly string[]) => void,
  onTokensEnded: () => void,
): ErasureStore {
  const within = <T>(work: (tx: TransactionSql) => Promise<T>) =>
    retried(() => sql.begin(work)) as Promise<T>;
  return {
    async find(ownerId) {
      const [row] = await sql`
        select id, kind, name from owners where id = ${ownerId} and kind in ('user', 'team')
          and not exists (select from erasures where owner_id = ${ownerId})`;
      return row ? fromRow(row) : null;
    },
    idFor: (ownerId) => erasureIdFor(sql, ownerId),
    async preview(owner) {
      const found = await named(sql, owner);
      if (found === null) return null;
      await requireOtherOwners(sql, found);
      return previewOf(sql, [...(await ownersWith(sql, found)), ...(await endUsersOf(sql, found))]);
    },
    async begin(owner, by) {
      const id = await within((tx) => begin(tx, owner, by ?? null));
      onTokensEnded();
      return id === null ? null : receiptOf(sql, id);
    },
    async begunBy(ownerId, tokenId) {
      const [row] = await sql`select id from erasures where owner_id = ${ownerId} and token_id = ${tokenId}`;
      return row ? receiptOf(sql, row.id) : null;
    },
    async latestOf(owner) {
      const [row] = await sql`
        select id from erasures where kind = ${owner.kind} and name_digest = ${await digestOf(sql, owner)}
        order by finished_at is null desc, started_at desc limit 1`;
      return row ? receiptOf(sql, row.id) : null;
    },
    async takeUp() {
      const [row] = await sql`
        update erasures set due_at = now() + ${LEASE}::interval where id = (
          select id from erasures where finished_at is null and due_at <= now()
          order by due_at limit 1 for update skip locked
        ) returning id`;
      return (row?.id as string | undefined) ?? null;
    },
    async fail(id) {
      await sql`
        update erasures set due_at = now() + least(${RETRY_MAX}::interval, greatest(${LEASE}::interval, now() - started_at))
        where id = ${id} and finished_at is null`;
    },
    removeMemories: (id) => within((tx) => removeMemories(tx, id, onErased)),
    async disown(id) {
      const erased = await erasedOwner(sql, id);
      if (erased === null) return;
      const { owners, isLast } = await stepOf(sql, erased.ownerId);
      // End users write into their own space alone.
      if (!isLast || erased.kind === "end_user") await forgetInOwnLog(sql, owners);
      else await disown(sql, erased.ownerId, owners);
    },
    async finish(id) {
      const isDone = await within((tx) => finish(tx, id));
      onTokensEnded();
      return isDone;
    },
    receipt: (id) => receiptOf(sql, id),
    async list() {
      const rows = await sql`select id from erasures order by started_at desc`;
      const found = await Promise.all(rows.map((row) => receiptOf(sql, row.id)));
      return found.filter((one) => one !== null);
    },
  };
}

async function named(sql: AnySql, owner: ErasedOwner): Promise<string | null> {
  const [row] = await sql`select id from owners where ${is(sql, owner)}`;
  return (row?.id as string | undefined) ?? null;
}

function is(sql: AnySql, { kind, name, id, applicationId }: ErasedOwner): Fragment {
  const named =
    applicationId === undefined
      ? sql`kind = ${kind} and name = ${name} and application_id is null`
      : sql`application_id = ${applicationId} and name collate "C" = ${name}`;
  return sql`(${named} ${id === undefined ? sql`` : sql`and id = ${id}`})`;
}

/** The owners whose data is removed next: a batch of the application's end users, at last the owner itself. */
async function stepOf(sql: AnySql, ownerId: string): Promise<{ owners: string[]; isLast: boolean }> {
  const endUsers = await endUsersOf(sql, ownerId, BATCH_END_USERS);
  return endUsers.length > 0
    ? { owners: endUsers, isLast: false }
    : { owners: await ownersWith(sql, ownerId), isLast: true };
}

/** The end users of the owner's application, all unless limited. */
async function endUsersOf(sql: AnySql, ownerId: string, limit: number | null = null): Promise<string[]> {
  const rows = await sql`
    select id from owners where application_id = ${ownerId} order by name collate "C" limit ${limit}`;
  return rows.map((row) => row.id as string);
}

/** The owner, and the quarantines that its agents wrote to before it approved them. */
async function ownersWith(sql: AnySql, ownerId: string): Promise<string[]> {
  const rows = await sql`
    select quarantine.id from agents a
    cross join lateral (values (a.quarantine_id), (a.audit_owner)) as quarantine (id)
    where a.approved_by = ${ownerId} and a.status <> 'awaiting_confirmation' and quarantine.id is not null`;
  return [...new Set([ownerId, ...rows.map((row) => row.id as string)])];
}

async function previewOf(sql: AnySql, owners: readonly string[]): Promise<RemovedRows> {
  return {
    ...(await countRows(sql, await dependentsOf(sql, ofOwner("memories")), owners)),
    ...(await countRows(sql, await countedOfOwners(sql), owners)),
  };
}

/**
 * All tables with rows that are deleted with the owners: by references, by their sign-in accounts, and by the owner
 * column.
 */
async function dependentsOfOwners(sql: AnySql): Promise<Dependents[]> {
  const found = new Map<string, Dependents>();
  const roots = [OWNERS, ACCOUNTS, ...(await tablesWithOwner(sql, NOT_BY_OWNER)).map(ofOwner)];
  for (const root of roots)
    for (const { table, condition } of await dependentsOf(sql, root)) {
      const known = found.get(table);
      found.set(table, { table, condition: known ? `${known.condition} or ${condition}` : condition });
    }
  return [...found.values()];
}

async function countedOfOwners(sql: AnySql): Promise<Dependents[]> {
  return (await dependentsOfOwners(sql)).filter(({ table }) => !UNCOUNTED.includes(table));
}

/** See `ErasureStore.begin`. Returns the id of the erasure. */
async function begin(
  sql: TransactionSql,
  owner: ErasedOwner,
  by: ErasureRequester | null,
): Promise<string | null> {
  const digest = await digestOf(sql, owner);
  const [known] = await sql`
    select id, finished_at from erasures where kind = ${owner.kind} and name_digest = ${digest}
      ${owner.id === undefined ? sql`` : sql`and owner_id = ${owner.id}`}
    order by finished_at is null desc, started_at desc limit 1`;
  if (known && known.finished_at === null) return known.id as string;
  const [found] = await sql`
    select id from owners where ${is(sql, owner)} for no key update`;
  if (!found) return (known?.id as string | undefined) ?? null;
  const ownerId = found.id as string;
  if (by !== null && !(await isOwnedBy(sql, ownerId, by.ownerId))) return null;
  await requireOtherOwners(sql, ownerId, { isLocking: true });
  const id = await erasureIdFor(sql, ownerId);
  await sql`
    insert into erasures (id, owner_id, kind, name_digest, token_id, due_at)
    values (${id}, ${ownerId}, ${owner.kind}, ${digest}, ${by?.tokenId ?? null},
            now() + ${by === null ? LEASE : SETTLE}::interval)`;
  const ended = (await dependentsOfOwners(sql)).filter(({ table }) => ENDED_AT_ONCE.includes(table));
  await noteRemoved(sql, id, await countRows(sql, ended, [ownerId]));
  await endAccess(sql, ownerId);
  // This frees the name. The next owner of this name is a different one.
  await sql`update owners set name = ${`erased ${id}`} where id = ${ownerId}`;
  await sql`
    insert into audit_log (owner_id, operation, token_id, detail)
    values (${ownerId}, 'erase_owner', ${by?.tokenId ?? null}, ${{ erasure: id } as never})`;
  return id;
}

/** True for the owner itself, a user who owns the team at this moment, and the application of an end user. */
async function isOwnedBy(sql: AnySql, ownerId: string, by: string): Promise<boolean> {
  if (ownerId === by) return true;
  const [row] = await sql`
    select from team_members where team_id = ${ownerId} and user_id = ${by} and role = 'owner'
    union all select from owners where id = ${ownerId} and application_id = ${by}`;
  return row !== undefined;
}

/**
 * Id of an owner's erasure. It is keyed, so that it cannot be derived from the owner's id, and has the form of a
 * version 8 (custom) UUID.
 */
async function erasureIdFor(sql: AnySql, ownerId: string): Promise<string> {
  const key = await secret(sql, "receipts");
  const hex = createHmac("sha256", key).update(`erasure:${ownerId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Throws `conflict` if the user is the last owner of a team. The teams are locked in one order, as each change of their
 * members locks them.
 */
async function requireOtherOwners(sql: AnySql, userId: string, { isLocking = false } = {}): Promise<void> {
  const teams = await sql`
    select o.id, o.name from owners o join team_members m on m.team_id = o.id
    where m.user_id = ${userId} and m.role = 'owner' order by o.id
    ${isLocking ? sql`for no key update of o` : sql``}`;
  for (const team of teams) {
    const [other] = await sql`
      select from team_members where team_id = ${team.id} and role = 'owner' and user_id <> ${userId} limit 1`;
    if (!other)
      throw new DomainError(
        "conflict",
        `The user is the last owner of the team ${team.name}. Leave the team or make another member an owner first, or erase the team.`,
      );
  }
}

/** Ends all access in the owner's name. The rows themselves are removed at the end. */
async function endAccess(sql: TransactionSql, ownerId: string): Promise<void> {
  // Agents before their tokens, as everywhere. One that has not confirmed yet no longer belongs to any user.
  await sql`
    update agents set status = 'pending', approved_by = null, approved_at = null, granted_scopes = null,
      granted_team_id = null, granted_projects = null, granted_memories = null, confirmation_hash = null,
      confirmation_until = null, confirmation_tries = 0
    where status = 'awaiting_confirmation' and (approved_by = ${ownerId} or granted_team_id = ${ownerId})`;
  // An agent that was confined to a team still belongs to its user, but can no longer access anything.
  await sql`
    update agents set status = 'revoked', ended_at = coalesce(ended_at, now()), granted_team_id = null,
      granted_projects = null, granted_memories = null, confirmation_hash = null
    where granted_team_id = ${ownerId}`;
  await sql`
    update tokens set revoked_at = now() where (owner_id = ${ownerId} or team_id = ${ownerId}) and revoked_at is null`;
  await sql`
    update tokens t set revoked_at = now() from owners o
    where o.application_id = ${ownerId} and t.owner_id = o.id and t.revoked_at is null`;
  await sql`
    with gone as (
      delete from team_members where user_id = ${ownerId} or team_id = ${ownerId} returning team_id, user_id, role
    )
    insert into audit_log (owner_id, operation, detail)
    select team_id, 'team_remove', jsonb_build_object('user', user_id, 'role', role) from gone where user_id = ${ownerId}`;
  await sql`
    delete from team_invitations where team_id = ${ownerId} or user_id = ${ownerId} or invited_by = ${ownerId}`;
  const users = sql`(select user_id from auth.sign_ins where owner_id = ${ownerId})`;
  await sql`delete from auth.session where "userId" in ${users}`;
  await sql`delete from auth.account where "userId" in ${users}`;
  await sql`delete from auth.invitations where owner_id = ${ownerId}`;
  // Codes that a client has not redeemed yet contain the account's id in their text.
  await sql`
    delete from auth.verification v using ${users} u where position(u.user_id in v.value) > 0
      or position(u.user_id in v.identifier) > 0`;
}

/**
 * The owner of an unfinished erasure. `isLocked` locks the erasure's row, so that only one server works on it at a
 * time.
 */
async function erasedOwner(
  sql: AnySql,
  id: string,
  { isLocked = false } = {},
): Promise<{ ownerId: string; kind: ErasedKind } | null> {
  const [row] = await sql`
    select owner_id, kind from erasures where id = ${id} and finished_at is null ${isLocked ? sql`for update` : sql``}`;
  return row ? fromRow(row) : null;
}

async function removeMemories(
  sql: TransactionSql,
  id: string,
  onErased: (ids: readonly string[]) => void,
): Promise<number> {
  const erased = await erasedOwner(sql, id, { isLocked: true });
  if (erased === null) return 0;
  const { owners } = await stepOf(sql, erased.ownerId);
  const rows = await sql`
    select id, owner_id from memories where owner_id = any(${owners})
    limit ${BATCH_MEMORIES} for update`;
  const ids = rows.map((row) => row.id as string);
  if (ids.length === 0) return 0;
  onErased(ids);
  await sql`update erasures set due_at = now() + ${LEASE}::interval where id = ${id}`;
  await noteRemoved(sql, id, await countRows(sql, await dependentsOf(sql, MEMORIES), ids));
  await forgetAnswers(sql, ids);
  await forgetQuestions(sql, ids);
  await sql`select set_config('recollect.is_erasing', 'on', true)`;
  for (const theRows of byOwner(rows.map((row) => ({ id: row.id, ownerId: row.owner_id })))) {
    const theirs = sql`memories where (owner_id, id) in ${pairsOf(sql, theRows)}`;
    await leaveTombstones(sql, sql`select id, owner_id, revision + 1 from ${theirs}`);
    await sql`
      insert into outbox (owner_id, memory, revision, kind) select owner_id, id, revision + 1, 'remove' from ${theirs}`;
    await sql`delete from ${theirs}`;
  }
  return ids.length;
}

async function noteRemoved(sql: TransactionSql, id: string, more: RemovedRows): Promise<void> {
  const [row] = await sql`select removed from erasures where id = ${id}`;
  const removed = { ...(row?.removed as RemovedRows) } as Record<string, number>;
  for (const [table, rows] of Object.entries(more)) removed[table] = (removed[table] ?? 0) + rows;
  await sql`update erasures set removed = ${removed as never}::jsonb where id = ${id}`;
}

/** See `ErasureStore.finish`. Waits for transactions that are still writing for the owner. Later ones find no owner. */
async function finish(sql: TransactionSql, id: string): Promise<boolean> {
  const erased = await erasedOwner(sql, id, { isLocked: true });
  if (erased === null) return true;
  const { ownerId } = erased;
  const { owners } = await stepOf(sql, ownerId);
  await takeOwnerLocks(sql, owners);
  await sql`select from owners where id = any(${owners}) order by id for update`;
  // An end user that was made meanwhile is removed in a step of its own.
  const { isLast } = await stepOf(sql, ownerId);
  if (isLast !== owners.includes(ownerId)) return false;
  const [left] = await sql`select from memories where owner_id = any(${owners}) limit 1`;
  if (left) return false;
  // Deleting the rows of a busy owner may take longer than the statement timeout of requests.
  await sql`select set_config('statement_timeout', '0', true)`;
  await noteRemoved(sql, id, await countRows(sql, await countedOfOwners(sql), owners));
  if (isLast)
    await sql`delete from auth."user" where id in (select user_id from auth.sign_ins where owner_id = ${ownerId})`;
  // Webhooks of other owners may still have deliveries of a team's events.
  await sql`
    delete from webhook_deliveries d using events e where e.position = d.position and e.owner_id = any(${owners})`;
  for (const table of await tablesWithOwner(sql, NOT_BY_OWNER))
    await sql.unsafe(`delete from ${table} where owner_id = any($1::uuid[])`, [owners]);
  // Answers to requests of the application for its end users are stored under the application's credentials.
  await sql`
    delete from idempotency_keys k using owners o, tokens t
    where o.id = any(${owners}) and t.owner_id = o.application_id and k.token_id = t.id and k.owner_id = o.id`;
  if (isLast) await sql`delete from agents where approved_by = ${ownerId}`;
  await sql`delete from owners where id = any(${owners})`;
  if (!isLast) {
    await sql`update erasures set due_at = now() + ${LEASE}::interval where id = ${id}`;
    return false;
  }
  await sql`update erasures set finished_at = now() where id = ${id}`;
  return true;
}

async function receiptOf(sql: AnySql, id: string): Promise<ErasureReceipt | null> {
  const [row] = await sql`
    select e.id, e.kind, e.owner_id, e.removed, e.started_at, e.finished_at,
      case when e.finished_at is null then 'running'
        when exists (select from outbox o where o.owner_id = e.owner_id) or exists (
          select from outbox o where o.kind = 'remove' and o.queued_at >= e.started_at
            and e.kind <> 'end_user' and not exists (select from owners w where w.id = o.owner_id)
        ) then 'pending' else 'confirmed' end as state,
      (select count(*) from audit_log l where l.owner_id = e.owner_id) as audit_lines
    from erasures e where e.id::text = ${id}`;
  return row ? fromRow(row) : null;
}
