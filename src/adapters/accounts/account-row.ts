import type { Account } from "../../core/access/accounts.ts";
import type { Owner } from "../../core/access/credential.ts";
import type { AnySql } from "./database.ts";

/** The account of a user of better-auth, with whose memories it reaches; null where it has none. */
export async function accountOf(sql: AnySql, userId: string): Promise<Account | null> {
  const [row] = await sql`
    select u.id, u.email, o.id as owner_id, o.kind as owner_kind, o.name as owner_name
    from auth."user" u join auth.sign_ins s on s.user_id = u.id join owners o on o.id = s.owner_id
    where u.id = ${userId}`;
  return row ? { id: row.id as string, email: row.email as string, owner: ownerIn(row) } : null;
}

/** The owner that a row tells of in `owner_id`, `owner_kind` and `owner_name`. */
export function ownerIn(row: Record<string, unknown>): Owner {
  return {
    id: row.owner_id as string,
    kind: row.owner_kind as Owner["kind"],
    name: row.owner_name as string,
  };
}
