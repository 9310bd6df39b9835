import type { Owner } from "../../../core/access/credential.ts";
import type { ManagedCredentials } from "../../../core/access/credential-store.ts";
import type { Fragment, Sql } from "../database/client.ts";
import { listedColumns, toListed } from "./credential-store.ts";

const LISTED_MAX = 1000;

export function createManagedCredentials(sql: Sql): ManagedCredentials {
  return {
    async list(user) {
      const rows = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where ${isManaged(sql, user)} order by t.created_at desc, t.id limit ${LISTED_MAX}`;
      return rows.map(toListed);
    },
    async find(user, tokenId) {
      const [row] = await sql`
        select ${listedColumns(sql)} from tokens t join owners o on o.id = t.owner_id
        where t.id = ${tokenId} and ${isManaged(sql, user)}`;
      return row ? toListed(row) : null;
    },
  };
}

/** Over `tokens t`: valid for more than one last operation, and of the user or of a team that it manages. */
function isManaged(sql: Sql, { id }: Owner): Fragment {
  return sql`t.revoked_at is null and (t.expires_at is null or t.expires_at > now()) and t.only_for is null
    and t.kind <> 'session'
    and t.owner_id in (
      select ${id}::uuid union all
      select team_id from team_members where user_id = ${id} and role in ('owner', 'admin')
    )`;
}
