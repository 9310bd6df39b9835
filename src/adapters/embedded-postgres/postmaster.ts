import { closeSync, existsSync, fstatSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataFolder } from "./data-folder.ts";
import { awaitEarlierPostmaster, recordedPostmaster } from "./earlier-postmaster.ts";
import { DataFolderInUse, EmbeddedDatabaseError, speaksOfFullDisk } from "./errors.ts";
import type { NativeBinaries } from "./native-binaries.ts";
import { isPostmasterOf, signalProcess } from "./process-identity.ts";
import { ensureDatabase } from "./readiness.ts";
import type { RunAs } from "./run-as.ts";
import { openForServer, openLog } from "./server-files.ts";
import { serverArguments } from "./server-settings.ts";
import { prepareSocketFolder, removeSocketFolder } from "./socket-folder.ts";
import { heldElsewhere, startWatched, type WatchedChild } from "./watched-child.ts";

/** A running database server of our own. */
export interface Postmaster {
  /** Resolves with a sentence when it ends although nobody called `stop`. */
  died: Promise<string>;
  stop(): Promise<void>;
}

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
  closeSync(openForServer(folder.guard, runAs));
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
      stopping ??= stop(folder, child);
      return stopping;
    },
  };
}

/** Fast shutdown, which ends sessions and writes a checkpoint; then an immediate one; then none at all. */
async function stop(folder: DataFolder, child: WatchedChild): Promise<void> {
  await end(folder, child);
  removeSocketFolder(folder);
}

async function end(folder: DataFolder, child: WatchedChild): Promise<void> {
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
