import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataFolder } from "./data-folder.ts";
import { awaitEarlierPostmaster, recordedPostmaster } from "./earlier-postmaster.ts";
import { DataFolderInUse, EmbeddedDatabaseError, speaksOfFullDisk } from "./errors.ts";
import type { NativeBinaries } from "./native-binaries.ts";
import { isPostmasterOf, signalProcess } from "./process-identity.ts";
import { ensureDatabase } from "./readiness.ts";
import { giveTo, type RunAs } from "./run-as.ts";
import { serverArguments } from "./server-settings.ts";
import { heldElsewhere, startWatched, type WatchedChild } from "./watched-child.ts";

/** A running database server of our own. */
export interface Postmaster {
  /** Resolves with a sentence when it ends although nobody called `stop`. */
  died: Promise<string>;
  stop(): Promise<void>;
}

const logBytesMax = 1_000_000;
const fastStopMs = 30_000;
const immediateStopMs = 5_000;

/** Starts the server on an existing cluster and waits until it answers; the caller holds the folder's lock. */
export async function startPostmaster(
  folder: DataFolder,
  native: NativeBinaries,
  runAs: RunAs,
  log: (message: string) => void,
): Promise<Postmaster> {
  const stalePid = await awaitEarlierPostmaster(folder, log);
  prepareSocketFolder(folder, runAs);
  const logFile = openLog(folder, runAs);
  const logStart = fstatSync(logFile).size;
  const child = spawnPostmaster(folder, native, runAs, { stalePid, logFile });
  try {
    const status = await ensureDatabase(folder, child.exited, log);
    if (status !== undefined) throw explainStart(folder, status, logStart);
  } catch (failure) {
    await stop(folder, child);
    throw failure;
  }
  child.unref();
  return supervise(folder, child);
}

function spawnPostmaster(
  folder: DataFolder,
  native: NativeBinaries,
  runAs: RunAs,
  { stalePid, logFile }: { stalePid: number | undefined; logFile: number },
): WatchedChild {
  // Postgres takes a living process with the number in postmaster.pid for a rival, unless it is its own
  // grandparent. We know better, and its check for left-over shared memory still runs.
  const env = stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) };
  closeSync(openSync(folder.guard, "a", 0o600));
  giveTo(runAs, folder.guard);
  try {
    const command: [string, ...string[]] = [native.postgres, ...serverArguments(folder)];
    return startWatched(command, { runAs, env, lockFile: folder.guard, logFile });
  } finally {
    closeSync(logFile);
  }
}

function supervise(folder: DataFolder, child: WatchedChild): Postmaster {
  let stopping: Promise<void> | undefined;
  const died = new Promise<string>((resolve) => {
    void child.exited.then((status) => {
      if (stopping !== undefined) return;
      child.letGo();
      resolve(`The embedded database ended unexpectedly (status ${status}); ${folder.log} may say why.`);
    });
  });
  return {
    died,
    stop() {
      stopping ??= stop(folder, child).then(() => removeSocketFolder(folder));
      return stopping;
    },
  };
}

/** Fast shutdown, which ends sessions and writes a checkpoint; then an immediate one; then none at all. */
async function stop(folder: DataFolder, child: WatchedChild): Promise<void> {
  child.letGo();
  if (await endsWithin(child, fastStopMs)) return;
  const pid = recordedPostmaster(folder);
  if (pid !== undefined && isPostmasterOf(pid, folder.cluster)) signalProcess(pid, "SIGQUIT");
  if (await endsWithin(child, immediateStopMs)) return;
  signalProcess(-child.pid, "SIGKILL");
  await endsWithin(child, immediateStopMs);
}

async function endsWithin(child: WatchedChild, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([child.exited.then(() => true), late]);
  timer.abort();
  return inTime;
}

function prepareSocketFolder({ root, socketFolder, socket }: DataFolder, runAs: RunAs): void {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const entry = lstatSync(socketFolder);
  const owners = [process.getuid?.(), runAs.user?.uid];
  // Below /tmp anybody may have been there first.
  if (!entry.isDirectory() || !owners.includes(entry.uid)) {
    throw new EmbeddedDatabaseError(
      `The folder ${socketFolder} for the socket of ${root} belongs to somebody else: remove it, or choose a shorter DATA_DIR.`,
    );
  }
  chmodSync(socketFolder, 0o700);
  giveTo(runAs, socketFolder);
  for (const leftOver of [socket, `${socket}.lock`]) rmSync(leftOver, { force: true });
}

/** Only what lies outside the data folder, where nobody would know what it is for. */
function removeSocketFolder({ root, socketFolder }: DataFolder): void {
  if (!socketFolder.startsWith(root)) rmSync(socketFolder, { recursive: true, force: true });
}

/** The log of earlier starts goes on until it is large; one large one is kept. */
function openLog(folder: DataFolder, runAs: RunAs): number {
  const file = openSync(folder.log, "a", 0o600);
  if (fstatSync(file).size > logBytesMax) {
    closeSync(file);
    renameSync(folder.log, `${folder.log}.1`);
    return openLog(folder, runAs);
  }
  giveTo(runAs, folder.log);
  return file;
}

function explainStart(folder: DataFolder, status: number, logStart: number): EmbeddedDatabaseError {
  if (status === heldElsewhere) return new DataFolderInUse(folder.root, undefined);
  const written = existsSync(folder.log) ? readFileSync(folder.log).subarray(logStart).toString() : "";
  if (speaksOfFullDisk(written)) {
    return new EmbeddedDatabaseError(
      `The embedded database could not start because the disk below ${folder.root} is full: free some space.`,
    );
  }
  const reason = written.split("\n").findLast((line) => /FATAL|PANIC/.test(line)) ?? `status ${status}`;
  return new EmbeddedDatabaseError(
    `The embedded database could not start (${reason.replace(/^.*?(FATAL|PANIC): */, "")}); ${folder.log} may say more.`,
  );
}
