import { closeSync, constants, fstatSync, openSync, renameSync } from "node:fs";
import type { DataFolder } from "./data-folder.ts";
import { giveTo, type RunAs } from "./run-as.ts";

const logBytesMax = 1_000_000;

/** Opens a file to append to, made if there is none, that the user Postgres runs as may open too. */
export function openForServer(path: string, runAs: RunAs): number {
  // Root may be working in somebody's folder, who must not lead it to another file by a link.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  giveTo(runAs, path);
  return file;
}

/** The log of earlier starts goes on until it is large; one large one is kept. */
export function openLog(folder: DataFolder, runAs: RunAs): number {
  const file = openForServer(folder.log, runAs);
  if (fstatSync(file).size <= logBytesMax) return file;
  closeSync(file);
  renameSync(folder.log, `${folder.log}.1`);
  return openLog(folder, runAs);
}
