import { EmbeddedDatabaseError } from "../adapters/embedded-postgres/errors.ts";
import { ConfigError } from "../config.ts";
import { DomainError } from "../core/error.ts";

/** The call itself is wrong: unknown command or flag, missing argument, bad value. Exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for did not work out. The message says what to do next. Exit status 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

const EXPLAINED: readonly (new (...given: never[]) => Error)[] = [
  CommandFailure,
  ConfigError,
  EmbeddedDatabaseError,
  DomainError,
];

const FILE_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user may not read or write it",
  EISDIR: "it is a folder: name a file",
  ENOSPC: "the disk is full: free some space",
  EROFS: "it lies on a read-only file system",
};

const DATABASE_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The database does not answer: start it, or check DATABASE_URL.",
  ENOTFOUND: "The database's host is not known: check DATABASE_URL.",
  CONNECT_TIMEOUT: "The database does not answer in time: check DATABASE_URL and the network.",
  CONNECTION_CLOSED: "The database closed the connection: look at its log, then run the command again.",
  CONNECTION_ENDED: "The database closed the connection: look at its log, then run the command again.",
  CONNECTION_DESTROYED: "The database closed the connection: look at its log, then run the command again.",
  "28P01": "The database refused the password: check DATABASE_URL.",
  "28000": "The database refused the user: check DATABASE_URL.",
  "3D000": "There is no database of that name: create it, or check DATABASE_URL.",
  "42501":
    "The database user lacks a right that this needs: grant it, or use the owner of the schema in DATABASE_URL.",
  "53100": "The database's disk is full: free some space.",
  "53300": "The database has no connection left: lower DATABASE_CONNECTIONS, or raise its max_connections.",
  "57P01": "The database is shutting down: run the command again when it is up.",
  "57P03": "The database is starting: run the command again in a moment.",
};

/** A failure in one or two sentences. Those of the database are told by their code: their texts can quote stored content. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return "It failed for an unknown reason. Run it again with LOG_LEVEL=debug.";
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  const { code, path, syscall } = error as { code?: unknown; path?: unknown; syscall?: unknown };
  const known = typeof code === "string" ? code : "";
  const databaseFailure = DATABASE_FAILURES[known];
  if (databaseFailure) return databaseFailure;
  if (typeof syscall === "string" && typeof path === "string") {
    return `${path}: ${FILE_FAILURES[known] ?? `${syscall} failed with ${known}`}.`;
  }
  const what = error.name === "PostgresError" ? `the database answered with error ${known}` : error.message;
  return `It failed: ${what.replace(/\.$/, "")}. LOG_LEVEL=debug shows where.`;
}
