import { EmbeddedDatabaseError } from "../adapters/embedded-postgres/errors.ts";
import { explainDatabaseFailure } from "../adapters/postgres/database/failure.ts";
import { ConfigError } from "../compose/setting-kinds.ts";
import { type ErrorCode, errorCodes, helpAddress } from "../contract/error.ts";
import { DomainError } from "../core/error.ts";
import { settings } from "./open.ts";

/**
 * The command failed: exit status 1. The message says what to do next. Without a message, the command has already
 * printed the error itself.
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
];

const FILE_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user is not allowed to read or write it",
  EISDIR: "it is a folder; name a file instead",
  ENOSPC: "the disk is full: free some space",
  EROFS: "it is on a read-only file system",
};

/** The line after a failure with a code: the address of the page that explains it. */
export function helpLine(publicUrl: string, code: string): string {
  return Object.hasOwn(errorCodes, code)
    ? `\nMore about this: ${helpAddress(publicUrl, code as ErrorCode)}`
    : "";
}

/** The address of the service according to the settings; null if they are invalid or do not fix the port. */
function ownAddress(): string | null {
  try {
    const { publicUrl } = settings();
    return new URL(publicUrl).port === "0" ? null : publicUrl;
  } catch {
    return null;
  }
}

/**
 * Describes a failure in one or two sentences, with the page that explains it if it has a code. A database error is
 * described only by its code, since its message can quote stored content.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error))
    return "The command failed for an unknown reason. Run it again with LOG_LEVEL=debug to see more.";
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof DomainError) {
    const address = ownAddress();
    return `${error.message}${address === null ? "" : helpLine(address, error.code)}`;
  }
  const { code, path, syscall } = error as { code?: unknown; path?: unknown; syscall?: unknown };
  const known = typeof code === "string" ? code : "";
  const databaseFailure = explainDatabaseFailure(error);
  if (databaseFailure !== undefined) return databaseFailure;
  if (typeof syscall === "string" && typeof path === "string") {
    return `${path}: ${FILE_FAILURES[known] ?? `${syscall} failed with ${known}`}.`;
  }
  const what = error.name === "PostgresError" ? `the database answered with error ${known}` : error.message;
  return `The command failed: ${what.replace(/\.$/, "")}. Run it again with LOG_LEVEL=debug to see where.`;
}
