/**
 * Advice by the codes of the operating system, the driver and the server. Their own messages may quote stored content.
 */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The database does not answer: start it, or check DATABASE_URL.",
  ENOTFOUND: "The database's host is not known: check DATABASE_URL.",
  EAI_AGAIN: "The database's host is not known: check DATABASE_URL.",
  CONNECT_TIMEOUT: "The database does not answer in time: check DATABASE_URL and the network.",
  CONNECTION_CLOSED: "The database closed the connection: look at its log, then try again.",
  CONNECTION_ENDED: "The database closed the connection: look at its log, then try again.",
  CONNECTION_DESTROYED: "The database closed the connection: look at its log, then try again.",
  TLS_NOT_OFFERED: "The database offers no TLS: switch it on there, or check sslmode in DATABASE_URL.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The database's certificate is for another host: check the host in DATABASE_URL, or have a certificate made for it.",
  "25006":
    "The database cannot be written to, as a replica or by its settings: name the primary in DATABASE_URL.",
  "28P01": "The database refused the password: check DATABASE_URL.",
  "28000": "The database refused the user: check DATABASE_URL.",
  "3D000": "There is no database of that name: create it, or check DATABASE_URL.",
  "42501":
    "The database user lacks a right that this needs: grant it, or use the owner of the schema in DATABASE_URL.",
  "53100": "The database's disk is full: free some space.",
  "53300": "The database has no connection left: lower DATABASE_CONNECTIONS, or raise its max_connections.",
  "57P01": "The database is shutting down: try again when it is up.",
  "57P03": "The database is starting: try again in a moment.",
};

const NOT_TRUSTED =
  "The database's certificate is not signed by an authority that is trusted: check DATABASE_CA_FILE, or sslrootcert in DATABASE_URL.";

/** OpenSSL's reasons for refusing a certificate. */
const CERTIFICATE_REFUSED =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF))|^ERR_TLS_CERT_ALTNAME_INVALID$/;

/** Why the database cannot be used and what to do, in one sentence; undefined if the error is about something else. */
export function explainDatabaseFailure(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== "string") return undefined;
  if (Object.hasOwn(WHAT_TO_DO, code)) return WHAT_TO_DO[code];
  return CERTIFICATE_REFUSED.test(code) ? NOT_TRUSTED : undefined;
}

/** Codes of the driver and the operating system for a database that cannot be reached. */
const UNREACHABLE = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "TLS_NOT_OFFERED",
]);

/**
 * SQLSTATEs of a server that is shutting down, is starting, is full or has become a replica: class 08 (connection),
 * class 53 (disk, memory, connections or locks used up), 57P01 to 57P03 (shutdown, crash, starting up), 57014 and 55P03
 * (a statement or a lock took too long), 25006 (read-only).
 */
const NOT_SERVING = /^(?:08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-3]|57014|55P03|25006)$/;

/** SQLSTATEs of a server that may accept connections soon: at its limit, shutting down, starting, or a replica. */
const SOON_THERE = /^(?:53300|57P0[1-3]|25006)$/;

/**
 * True if a connection was refused but a later one may succeed. `wasThere`: a connection has succeeded since the start.
 */
export function isPassing(error: unknown, wasThere: boolean): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  if (typeof code !== "string") return false;
  // An address that never answered may be wrong, and the operator should learn that at once.
  const isGone = UNREACHABLE.has(code) || (code === "ENOENT" && syscall === "connect");
  return SOON_THERE.test(code) || (wasThere && isGone);
}

/** True if the server answers but cannot be written to. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === "25006";
}

/**
 * True if the server's disk is full: SQLSTATE 53100. A quota and a limit on the size of files have no code of their
 * own. They are recognised by the server's routine that failed, which extends a file.
 */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === "53100" || (code === "XX000" && (routine === "mdextend" || routine === "mdzeroextend"));
}

/** True if the error means that Postgres is unavailable, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (
    typeof code === "string" &&
    (UNREACHABLE.has(code) || NOT_SERVING.test(code) || CERTIFICATE_REFUSED.test(code))
  )
    return true;
  if (isOutOfRoom(error)) return true;
  // The folder of the unix socket is gone; a file that is missing elsewhere is something else.
  if (code === "ENOENT" && syscall === "connect") return true;
  return isUnavailable(error.cause);
}
