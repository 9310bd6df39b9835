import { uuidv7 } from "uuidv7";
import type { Owner } from "../../../core/access/credential.ts";
import type { EndUserStore, EndUsersPage, StoredEndUser } from "../../../core/end-user/end-user-store.ts";
import { DomainError, notFound } from "../../../core/error.ts";
import type { AnySql, Fragment, Sql } from "../database/client.ts";
import { fromRow, type Row } from "../database/rows.ts";
import { isBeingErased } from "../erasure/name-digest.ts";

/** How often an end user's activity is noted at most. */
const NOTED_EVERY = "1 minute";

export function createEndUserStore(sql: Sql): EndUserStore {
  return {
    find: (applicationId, userId) => find(sql, applicationId, userId),
    async ensure(applicationId, userId) {
      const existing = await find(sql, applicationId, userId);
      if (existing !== null) return existing;
      if (await isBeingErased(sql, { kind: "end_user", name: userId, applicationId }))
        throw new DomainError(
          "conflict",
          "This end user is being erased: try again when the receipt of the erasure says confirmed.",
        );
      // The application's row is locked, so that an erasure of the application waits for this end user, or forbids it.
      await sql`
        insert into owners (id, kind, name, application_id, active_at)
        select ${uuidv7()}, 'end_user', ${userId}, o.id, now() from owners o
        where o.id = ${applicationId} and not exists (select from erasures e where e.owner_id = o.id)
        for key share of o on conflict do nothing`;
      const made = await find(sql, applicationId, userId);
      if (made === null) throw notFound("application");
      return made;
    },
    async get(applicationId, userId) {
      const [row] = await listed(sql, isNamed(sql, applicationId, userId), sql`limit 1`);
      return row ? fromRow(row) : null;
    },
    list: (applicationId, page) => list(sql, applicationId, page),
  };
}

/** An end user is active whenever a request names it. */
async function find(sql: Sql, applicationId: string, userId: string): Promise<Owner | null> {
  const [row] = await sql`
    select o.id, coalesce(o.active_at, o.created_at) < now() - ${NOTED_EVERY}::interval as is_due from owners o
    where ${isNamed(sql, applicationId, userId)}`;
  if (!row) return null;
  if (row.is_due) await sql`update owners set active_at = now() where id = ${row.id}`;
  return { id: row.id as string, kind: "end_user", name: userId, applicationId };
}

function isNamed(sql: AnySql, applicationId: string, userId: string): Fragment {
  return sql`o.application_id = ${applicationId} and o.name collate "C" = ${userId}`;
}

async function list(
  sql: Sql,
  applicationId: string,
  { limit, after, prefix }: EndUsersPage,
): Promise<StoredEndUser[]> {
  const rows = await listed(
    sql,
    sql`o.application_id = ${applicationId} and not starts_with(o.name, 'erased ')
      ${after === null ? sql`` : sql`and o.name collate "C" > ${after}`}
      ${prefix === null ? sql`` : sql`and o.name collate "C" >= ${prefix} and starts_with(o.name, ${prefix})`}`,
    sql`order by o.name collate "C" limit ${limit}`,
  );
  return rows.map((row) => fromRow<StoredEndUser>(row));
}

/** The memories of each are summed from the counts that lists use. */
async function listed(sql: AnySql, condition: Fragment, page: Fragment): Promise<readonly Row[]> {
  return sql`
    select o.id as owner_id, o.name as user_id, o.created_at as first_seen, coalesce(o.active_at, o.created_at) as last_active,
      (select coalesce(sum(c.count), 0)::bigint from (
        select count, status, workspace_item from memory_counts where owner_id = o.id
        union all
        select count, status, workspace_item from memory_count_changes where owner_id = o.id
      ) c where c.workspace_item is null and c.status not in ('soft_deleted', 'redacted')) as memories
    from (select o.* from owners o where ${condition} ${page}) o order by o.name collate "C"`;
}
