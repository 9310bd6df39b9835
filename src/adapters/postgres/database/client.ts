import { readFileSync } from "node:fs";
import postgres from "postgres";
import { isPassing } from "./failure.ts";
import { readServerAddress, type ServerAddress, type Trust } from "./server-address.ts";

/** The driver, with the types this service uses: bigint as number, instants as milliseconds since the epoch. */
export type Sql = postgres.Sql<{ bigint: number; instant: number }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: number; instant: number }>;
/** A connection that is reserved from its pool for a while. */
export type ReservedSql = postgres.ReservedSql<{ bigint: number; instant: number }>;
/** A pool or a transaction, on which a statement can run. */
export type AnySql = Sql | TransactionSql;
/** A piece of SQL to insert into a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Address of the database: a URL, which may name several servers, or the folder of a unix socket. */
export type Address = (
  | {
      readonly url: string;
      /** Path of a PEM file with the certificates that sign those of the servers, as `sslrootcert` in the URL. */
      readonly caFile?: string | null;
    }
  | { readonly path: string; readonly database: string; readonly username: string }
) & {
  /** How long a statement waits for a connection if a server refuses one for now. Default: `WAIT_SECONDS`. */
  readonly waitSeconds?: number;
};

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
    parse: readInstant,
  },
};

/**
 * Parses "2026-01-31 09:00:00.123456+00", as Postgres writes instants if the session's zone is UTC, to milliseconds.
 * Finer digits are dropped. A list has hundreds of them, and `Date.parse` takes three times as long for each.
 */
function readInstant(text: string): number {
  const two = (at: number) => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * ZERO;
  const year = 100 * two(0) + two(2);
  const end = text.length - 3;
  // Years before 1000, after 9999 and before Christ, and texts that are not instants.
  if (text[4] !== "-" || text[end] !== "+" || year < 1000)
    return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  let milliseconds = 0;
  for (let at = 20, unit = 100; at < end && unit >= 1; at++, unit /= 10)
    milliseconds += unit * (text.charCodeAt(at) - ZERO);
  return Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), milliseconds);
}

const ZERO = "0".charCodeAt(0);

/**
 * No statement of a request takes this long. Work that may (first reads, exports, migrations) lifts the limit for
 * itself.
 */
const STATEMENT_MS_MAX = 60_000;
/** How long a write waits for a lock that another one holds. */
const LOCK_MS_MAX = 20_000;

const BACKOFF_SECONDS_MAX = 1;
const CONNECT_SECONDS_MAX = 5;
const WAIT_SECONDS = 5;

/** Opens a pool of at most `connectionsMax` connections. */
export function connect(address: Address, connectionsMax = 16): Sql {
  return openPool(address, {
    max: connectionsMax,
    types: TYPES,
    connection: {
      application_name: "recollect",
      statement_timeout: STATEMENT_MS_MAX,
      lock_timeout: LOCK_MS_MAX,
      idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    },
  });
}

/**
 * Opens a pool with options of its own, which finds its server as all pools do. The servers of the address are tried in
 * turn until one accepts the connection, with TLS if the address asks for it. A statement without a connection waits up
 * to `waitSeconds` while a server is at its limit, is starting or has become a replica, or if a server that was there
 * is gone.
 */
export function openPool<Types extends Record<string, unknown> = Record<string, unknown>>(
  address: Address,
  options: postgres.Options<Record<string, postgres.PostgresType>>,
): postgres.Sql<Types> {
  const waitMs = (address.waitSeconds ?? WAIT_SECONDS) * 1000;
  const all = {
    onnotice: () => {},
    connect_timeout: CONNECT_SECONDS_MAX,
    // By default, attempts are up to 20 seconds apart, and requests would wait as long once the database is back.
    backoff: (attempt: number) => Math.min(BACKOFF_SECONDS_MAX, 0.1 * 2 ** attempt),
    ...options,
    connection: { TimeZone: "UTC", ...options.connection },
    // Added by this project's patch: how long to wait after the error of a server that refuses a connection.
    patience: (error: unknown, wasThere: boolean) =>
      error === null || isPassing(error, wasThere) ? waitMs : 0,
  };
  if ("path" in address) {
    const { path, database, username } = address;
    return postgres({ ...all, path, database, username }) as unknown as postgres.Sql<Types>;
  }
  const server = readServerAddress(address.url, address.caFile ?? null);
  const where = {
    ...(server.hosts.length > 0 && {
      host: server.hosts.map(({ host }) => host),
      port: server.hosts.map(({ port }) => port),
    }),
    ...tlsOf(server),
    unfit: unfitFor(server.target),
  };
  // The driver accepts several hosts, its types only one.
  const together = { ...all, ...where } as postgres.Options<Record<string, postgres.PostgresType>>;
  return postgres(server.url, together) as unknown as postgres.Sql<Types>;
}

/**
 * Also added by the patch: why a server must not be used, by what it reports when a session begins; null if it may be.
 */
function unfitFor(target: ServerAddress["target"]) {
  return (session: Readonly<Record<string, string>>): Error | null => {
    const isReplica = session.in_hot_standby === "on";
    const isUnfit =
      target === "primary" ? isReplica : isReplica || session.default_transaction_read_only === "on";
    if (target === "any" || !isUnfit) return null;
    return Object.assign(new Error("The server cannot be written to."), { code: "25006" });
  };
}

function tlsOf({ trust, caFile }: ServerAddress): { ssl?: "prefer" | "require" | object } {
  const byTrust: Record<Trust, { ssl?: "prefer" | "require" | object }> = {
    plain: {},
    prefer: { ssl: "prefer" },
    unverified: { ssl: "require" },
    authority: { ssl: { rejectUnauthorized: true, checkServerIdentity: () => undefined } },
    "authority and host": { ssl: { rejectUnauthorized: true } },
  };
  const { ssl } = byTrust[trust];
  if (typeof ssl !== "object" || caFile === null) return byTrust[trust];
  return { ssl: { ...ssl, ca: readFileSync(caFile, "utf8") } };
}

/** Version of the patch, raised with each change of it, so that an earlier one is noticed. */
const PATCH = 3;

/**
 * True if the driver has the patch of `bin/patches/`. Without it, the first connection that breaks ends the process.
 */
export function isDriverPatched(): boolean {
  return (postgres as { isPatchedByRecollect?: unknown }).isPatchedByRecollect === PATCH;
}

/** Advice if the patch is missing. */
export const HOW_TO_PATCH =
  "Run `node bin/apply-patches.js`, as `npm ci` does unless it is run with --ignore-scripts.";
