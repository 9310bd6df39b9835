/** The database for accounts: a separate pool, and the rows that accounts and grants share. */
import type postgres from "postgres";
import type { Account } from "../../core/access/accounts.ts";
import type { Owner } from "../../core/access/credential.ts";

/** The driver with its default types: instants are `Date`s, as better-auth expects. */
export type Sql = postgres.Sql;
/** A pool or a transaction: what a statement can run on. */
export type AnySql = postgres.Sql | postgres.TransactionSql;

/** Opens a pool on the database of the service, with these options of the driver. */
export type OpenPool = (options: postgres.Options<Record<string, postgres.PostgresType>>) => Sql;

/** People rarely sign in, and grants are cached for a moment: few connections are enough. */
const CONNECTIONS_MAX = 4;
const STATEMENT_MS_MAX = 30_000;
const LOCK_MS_MAX = 10_000;
/** An idle pool holds no connections. */
const IDLE_SECONDS = 60;

/**
 * Opens a small separate pool, because better-auth needs other driver types than the rest of the service, and its
 * schema first in the search path. It connects on the first statement.
 */
export function connect(openPool: OpenPool): Sql {
  return openPool({
    max: CONNECTIONS_MAX,
    idle_timeout: IDLE_SECONDS,
    types: { json: JSON_TYPE },
    connection: {
      application_name: "recollect accounts",
      search_path: 'auth, "$user", public',
      statement_timeout: STATEMENT_MS_MAX,
      lock_timeout: LOCK_MS_MAX,
      idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    },
  });
}

/** better-auth passes JSON already serialised. By default the driver would serialise it again as a string. */
const JSON_TYPE = {
  to: 3802,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
};

/** Returns the account of a better-auth user, with the owner of its memories; null if there is none. */
export async function accountOf(sql: AnySql, userId: string): Promise<Account | null> {
  const [row] = await sql`
    select u.id, u.email, o.id as owner_id, o.kind as owner_kind, o.name as owner_name
    from auth."user" u join auth.sign_ins s on s.user_id = u.id join owners o on o.id = s.owner_id
    where u.id = ${userId}`;
  return row ? { id: row.id as string, email: row.email as string, owner: ownerIn(row) } : null;
}

/** Reads the owner from a row's `owner_id`, `owner_kind` and `owner_name`. */
export function ownerIn(row: Record<string, unknown>): Owner {
  return {
    id: row.owner_id as string,
    kind: row.owner_kind as Owner["kind"],
    name: row.owner_name as string,
  };
}

type AccountEvent =
  | "sign_in"
  | "sign_in_refused"
  | "sign_out"
  | "session_ended"
  | "invite"
  | "account_created"
  | "account_revoked"
  | "oauth_consent"
  | "oauth_revoke";

/** Writes a line of the audit log, without addresses, passwords or tokens. */
export async function audit(
  sql: AnySql,
  operation: AccountEvent,
  ownerId: string,
  tokenId: string | null = null,
): Promise<void> {
  await sql`insert into audit_log (owner_id, operation, token_id) values (${ownerId}, ${operation}, ${tokenId})`;
}
