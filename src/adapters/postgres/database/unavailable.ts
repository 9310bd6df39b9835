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
