/** By the codes of the operating system, the driver and the server, whose own messages may quote stored content. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The database does not answer: start it, or check DATABASE_URL.",
  ENOTFOUND: "The database's host is not known: check DATABASE_URL.",
  EAI_AGAIN: "The database's host is not known: check DATABASE_URL.",
  CONNECT_TIMEOUT: "The database does not answer in time: check DATABASE_URL and the network.",
  CONNECTION_CLOSED: "The database closed the connection: look at its log, then try again.",
  CONNECTION_ENDED: "The database closed the connection: look at its log, then try again.",
  CONNECTION_DESTROYED: "The database closed the connection: look at its log, then try again.",
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

/** Why the database cannot be used and what to do, in one sentence; undefined where the error is about something else. */
export function explainDatabaseFailure(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && Object.hasOwn(WHAT_TO_DO, code) ? WHAT_TO_DO[code] : undefined;
}

/** What the driver and the operating system say when the database cannot be reached. */
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
]);

/**
 * What the server says when it goes down, comes up or is full: SQLSTATE class 08 (connection), class 53 (disk, memory,
 * connections or locks used up), 57P01 to 57P03 (shutdown, crash, starting up),
 * 57014 and 55P03 (a statement or a lock took too long).
 */
const NOT_SERVING = /^(?:08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-3]|57014|55P03)$/;

/** True where the error means that Postgres is away, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === "string" && (UNREACHABLE.has(code) || NOT_SERVING.test(code))) return true;
  // The folder of the unix socket is gone; a file that is missing elsewhere is something else.
  if (code === "ENOENT" && syscall === "connect") return true;
  return isUnavailable(error.cause);
}
