import postgres from "postgres";

/** The driver with its own types: instants are `Date`s, which is how better-auth wants them. */
export type Sql = postgres.Sql;
/** A pool or a transaction: what a statement can run on. */
export type AnySql = postgres.Sql | postgres.TransactionSql;

/** Where the database is: a URL, or the folder of a unix socket. */
export type Address =
  | { readonly url: string }
  | { readonly path: string; readonly database: string; readonly username: string };

/** People sign in seldom, and grants are remembered for a moment: few connections are enough. */
const CONNECTIONS_MAX = 4;
const STATEMENT_MS_MAX = 30_000;
const LOCK_MS_MAX = 10_000;
const BACKOFF_SECONDS_MAX = 1;
/** A pool that nobody needs holds no connections. */
const IDLE_SECONDS = 60;

/**
 * A small pool of its own, because better-auth wants other types of the driver than the rest of the service, and its
 * tables before all others of the same name. It connects with its first statement.
 */
export function connect(address: Address): Sql {
  const options = {
    max: CONNECTIONS_MAX,
    idle_timeout: IDLE_SECONDS,
    connect_timeout: 10,
    // By default attempts are up to 20 seconds apart, and requests wait as long once the database is back.
    backoff: (attempt: number) => Math.min(BACKOFF_SECONDS_MAX, 0.1 * 2 ** attempt),
    onnotice: () => {},
    types: { json: JSON_TYPE },
    connection: {
      application_name: "recollect accounts",
      TimeZone: "UTC",
      search_path: 'auth, "$user", public',
      statement_timeout: STATEMENT_MS_MAX,
      lock_timeout: LOCK_MS_MAX,
      idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    },
  };
  return "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
}

/** better-auth gives JSON as text that is JSON already; the driver would make a JSON string of it. */
const JSON_TYPE = {
  to: 3802,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text) as unknown,
};
