/** A failure the operator can act on: the message is one sentence that says what to do, without a stack. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

/** The data folder belongs to a running server; `pid` is its process, where one is known. */
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

const reasonByCode: Record<string, string> = {
  EACCES: "may not be entered or written by this user: run as its owner",
  EPERM: "may not be changed by this user: run as its owner",
  EROFS: "lies on a read-only file system",
  ENOSPC: "lies on a full disk: free some space",
  EDQUOT: "has used up the disk quota: free some space",
  ENOTDIR: "is not a folder, or lies below something that is none",
  EEXIST: "is not a folder",
};

/** Whether the output of a Postgres program reports a full disk. */
export function reportsFullDisk(text: string): boolean {
  return /No space left|quota exceeded|free disk space/i.test(text);
}

/** Turns a file system failure into a sentence about the data folder; anything else is returned as it is. */
export function explainFileFailure(dataDir: string, failure: unknown): unknown {
  if (failure instanceof EmbeddedDatabaseError) return failure;
  const { code, path } = failure as { code?: unknown; path?: unknown };
  const reason = typeof code === "string" ? reasonByCode[code] : undefined;
  if (reason === undefined) return failure;
  const at = typeof path === "string" && path !== dataDir ? ` (at ${path})` : "";
  return new EmbeddedDatabaseError(`The data folder ${dataDir} ${reason}, or choose another DATA_DIR${at}.`, {
    cause: failure,
  });
}
