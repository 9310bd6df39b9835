import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A failure the operator can act on: the message says what happened, why, and what to do, without a stack. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

/** The data folder belongs to a running server. `pid` is its process, if known. */
export class DataFolderInUse extends EmbeddedDatabaseError {
  override name = "DataFolderInUse";
  readonly pid: number | undefined;

  constructor(dataDir: string, holder: { pid: number; isElsewhere: boolean } | undefined) {
    const who = holder === undefined ? "a process that cannot be seen from here" : `process ${holder.pid}`;
    const where = holder?.isElsewhere ? " in another container or on another machine" : "";
    super(`The data folder ${dataDir} is in use by ${who}${where}: stop it, or choose another DATA_DIR.`);
    this.pid = holder?.pid;
  }
}

/** Why a folder cannot be used, as the end of a sentence, and what to do about it. */
export interface FolderProblem {
  readonly why: string;
  readonly advice: string;
}

const OTHER_FOLDER = "choose another DATA_DIR.";
const FREE_SPACE = `Free some space, or ${OTHER_FOLDER}`;
const GIVE_RIGHTS = `Give this user the right to, run as its owner, or ${OTHER_FOLDER}`;
const CHOOSE = "Choose another DATA_DIR.";

const PROBLEMS: Readonly<Record<string, (place: string) => FolderProblem>> = {
  EACCES: (place) => ({ why: `this user may not enter or write ${place}`, advice: GIVE_RIGHTS }),
  EPERM: (place) => ({ why: `this user may not change ${place}`, advice: GIVE_RIGHTS }),
  EROFS: (place) => ({ why: `${place} is on a read-only file system`, advice: CHOOSE }),
  ENOSPC: (place) => ({ why: `the disk that ${place} is on is full`, advice: FREE_SPACE }),
  EDQUOT: (place) => ({ why: `the disk quota that ${place} counts in is used up`, advice: FREE_SPACE }),
  ENOTDIR: (place) => ({ why: `${place} is not a folder`, advice: CHOOSE }),
  EEXIST: (place) => ({ why: `${place} is not a folder`, advice: CHOOSE }),
  ELOOP: (place) => ({ why: `${place} is a link that leads back to itself`, advice: CHOOSE }),
  ENOENT: (place) => ({
    why: isLink(place) ? `${place} is a link to nothing` : `nothing can be made in ${place}`,
    advice: CHOOSE,
  }),
  ENAMETOOLONG: () => ({
    why: "the name is longer than the file system allows",
    advice: "Choose a shorter DATA_DIR.",
  }),
};

/** Explains a failure of the file system at `path`; null for other failures. */
export function folderProblem(failure: unknown, path: string): FolderProblem | null {
  const { code, path: failed, syscall } = failure as { code?: unknown; path?: unknown; syscall?: unknown };
  // A missing program is not a problem of the folder.
  if (String(syscall).startsWith("spawn")) return null;
  const problem = typeof code === "string" && Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
  return problem?.(nearestThere(typeof failed === "string" ? failed : path)) ?? null;
}

/** Returns the path, or its nearest ancestor that exists. */
export function nearestThere(path: string): string {
  let place = resolve(path);
  while (!isThere(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Returns whether the output of a Postgres program reports a full disk. */
export function reportsFullDisk(text: string): boolean {
  return /No space left|quota exceeded|free disk space/i.test(text);
}

/** Turns a failure of the file system into an error about the data folder. Returns anything else unchanged. */
export function explainFileFailure(dataDir: string, failure: unknown): unknown {
  if (failure instanceof EmbeddedDatabaseError) return failure;
  const problem = folderProblem(failure, dataDir);
  if (problem === null) return failure;
  const { why, advice } = problem;
  return new EmbeddedDatabaseError(`The data folder ${dataDir} cannot be used: ${why}. ${advice}`, {
    cause: failure,
  });
}
