/** By what the operating system, the driver and the server say. Their own texts can quote stored content. */
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
