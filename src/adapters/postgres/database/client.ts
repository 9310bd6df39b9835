import postgres from "postgres";

/** The driver, with the types this service uses: bigint as number, instants as milliseconds since the epoch. */
export type Sql = postgres.Sql<{ bigint: number; instant: number }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: number; instant: number }>;
/** A pool or a transaction: what a statement can run on. */
export type AnySql = Sql | TransactionSql;
/** A piece of SQL to be put into a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Where the database is: a URL, or the folder of a unix socket. */
export type Address =
  | { readonly url: string }
  | { readonly path: string; readonly database: string; readonly username: string };

const TYPES = {
  bigint: {
    to: 20,
    from: [20],
    serialize: (value: number) => String(value),
    parse: (text: string) => Number(text),
  },
  instant: {
    to: 1184,
    from: [1184],
    serialize: (milliseconds: number) => new Date(milliseconds).toISOString(),
    // The session's zone is UTC, so the text is "2026-01-31 09:00:00.123+00".
    parse: (text: string) => Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`),
  },
};

/** Nothing that a request asks takes this long; what may (first reads, exports, migrations) lifts the limit for itself. */
const STATEMENT_MS_MAX = 60_000;
/** How long a write waits for another one of the same thing. */
const LOCK_MS_MAX = 20_000;

const BACKOFF_SECONDS_MAX = 1;

/** A pool of connections. `connectionsMax` bounds what the service takes of the database. */
export function connect(address: Address, connectionsMax = 16): Sql {
  const options = {
    max: connectionsMax,
    types: TYPES,
    onnotice: () => {},
    connect_timeout: 10,
    // By default attempts are up to 20 seconds apart, and requests wait as long once the database is back.
    backoff: (attempt: number) => Math.min(BACKOFF_SECONDS_MAX, 0.1 * 2 ** attempt),
    connection: {
      application_name: "recollect",
      TimeZone: "UTC",
      statement_timeout: STATEMENT_MS_MAX,
      lock_timeout: LOCK_MS_MAX,
      idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    },
  };
  return "url" in address ? postgres(address.url, options) : postgres({ ...address, ...options });
}

/** Whether the driver has the patch of `patches/`. Without it the first connection that breaks ends the process. */
export function isDriverPatched(): boolean {
  return (postgres as { isPatchedByRecollect?: boolean }).isPatchedByRecollect === true;
}

/** What to do where the patch is missing. */
export const HOW_TO_PATCH =
  "Run `node bin/apply-patches.js`, as `npm ci` does where it is not told --ignore-scripts.";
