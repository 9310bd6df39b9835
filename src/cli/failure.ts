import { EmbeddedDatabaseError } from "../adapters/embedded-postgres/errors.ts";
import { explainDatabaseFailure } from "../adapters/postgres/database/failure.ts";
import { ConfigError } from "../compose/config-error.ts";
import { DomainError } from "../core/error.ts";

/**
 * The command did not do what was asked for. Exit status 1. The message says what to do next; without one, the command
 * has printed what went wrong itself.
 */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  get isReported(): boolean {
    return this.message === "";
  }
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

/** A failure in one or two sentences. One of the database is named by its code, since its message can quote stored content. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return "It failed for an unknown reason. Run it again with LOG_LEVEL=debug.";
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  const { code, path, syscall } = error as { code?: unknown; path?: unknown; syscall?: unknown };
  const known = typeof code === "string" ? code : "";
  const databaseFailure = explainDatabaseFailure(error);
  if (databaseFailure !== undefined) return databaseFailure;
  if (typeof syscall === "string" && typeof path === "string") {
    return `${path}: ${FILE_FAILURES[known] ?? `${syscall} failed with ${known}`}.`;
  }
  const what = error.name === "PostgresError" ? `the database answered with error ${known}` : error.message;
  return `It failed: ${what.replace(/\.$/, "")}. LOG_LEVEL=debug shows where.`;
}
