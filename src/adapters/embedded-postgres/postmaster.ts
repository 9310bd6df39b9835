/**
 * Starts the database server on an existing cluster, waits until it answers, watches it while it runs, and stops it.
 * The caller holds the folder's lock.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { DataFolder } from "./data-folder.ts";
import { DataFolderInUse, EmbeddedDatabaseError, reportsFullDisk } from "./errors.ts";
import { username } from "./initialise-cluster.ts";
import type { NativeBinaries } from "./native-binaries.ts";
import { isPostmasterOf, signalProcess } from "./process-identity.ts";
import { giveFilesTo, type RunAs } from "./run-as.ts";
import { heldElsewhere, startWatched, type WatchedChild } from "./watched-child.ts";

/** A running database server of our own. */
export interface Postmaster {
  /** Resolves with a sentence if the server ends without a call of `stop`. */
  died: Promise<string>;
  stop(): Promise<void>;
}

export const database = "recollect";

const fastStopMs = 30_000;
const immediateStopMs = 5_000;
/** How often a wait is logged. */
const progressEveryMs = 5_000;

/** Starts the server and waits until it answers. */
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
  // If the process in postmaster.pid is alive, Postgres refuses to start, unless that process is its grandparent. Here
  // it is known not to be a postmaster, and Postgres still checks for left-over shared memory.
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
      child.release();
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

async function stop(folder: DataFolder, child: WatchedChild): Promise<void> {
  await end(folder, child);
  removeSocketFolder(folder);
}

/** Tries a fast shutdown, which ends sessions and writes a checkpoint, then an immediate one, then SIGKILL. */
async function end(folder: DataFolder, child: WatchedChild): Promise<void> {
  child.release();
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
  if (reportsFullDisk(written)) {
    return new EmbeddedDatabaseError(
      `The embedded database could not start because the disk below ${folder.root} is full: free some space.`,
    );
  }
  const reason = written.split("\n").findLast((line) => /FATAL|PANIC/.test(line)) ?? `status ${status}`;
  return new EmbeddedDatabaseError(
    `The embedded database could not start (${reason.replace(/^.*?(FATAL|PANIC): */, "")}); ${folder.log} may say more.`,
  );
}

const earlierPollMs = 50;
/** Shutting down writes a checkpoint, which takes long on a slow disk. */
const earlierPatienceMs = 60_000;

/** The process that the cluster's `postmaster.pid` names, if there is such a file. */
function recordedPostmaster({ cluster }: DataFolder): number | undefined {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Waits until a postmaster whose parent is gone has shut down.
 *
 * @returns The process number in a stale `postmaster.pid`. Another process may have that number by now, and Postgres
 *   would then refuse to start: see PG_GRANDPARENT_PID in `spawnPostmaster`.
 */
async function awaitEarlierPostmaster(
  folder: DataFolder,
  log: (message: string) => void,
): Promise<number | undefined> {
  const startedAt = Date.now();
  let loggedAt: number | undefined;
  for (;;) {
    const pid = recordedPostmaster(folder);
    if (pid === undefined || !isPostmasterOf(pid, folder.cluster)) return pid;
    const now = Date.now();
    if (loggedAt === undefined || now - loggedAt > progressEveryMs) {
      log(`Waiting for the earlier database process ${pid} to shut down.`);
      // Its watcher may have ended before it sent a signal. A second signal does no harm.
      signalProcess(pid, now - startedAt > earlierPatienceMs / 2 ? "SIGQUIT" : "SIGINT");
      loggedAt = now;
    }
    if (now - startedAt > earlierPatienceMs) {
      throw new EmbeddedDatabaseError(
        `The earlier database process ${pid} still runs on ${folder.root} and does not shut down: stop it, or choose another DATA_DIR.`,
      );
    }
    await sleep(earlierPollMs);
  }
}

const readyPollMs = 20;
/** Recovery after a crash replays up to about `max_wal_size`; a slow disk may need minutes for that. */
const readyPatienceMs = 300_000;

const missingDatabase = "3D000";
const alreadyExists = "42P04";
const startingUp = "57P03";

/**
 * Waits until the server answers on its socket, and creates our database if there is none.
 *
 * @returns Undefined when the server is ready, or its exit status if it ended before.
 */
async function ensureDatabase(
  { socket }: DataFolder,
  exited: Promise<number>,
  log: (message: string) => void,
): Promise<number | undefined> {
  let status: number | undefined;
  void exited.then((code) => {
    status = code;
  });
  const startedAt = Date.now();
  let loggedAt = startedAt;
  while (status === undefined) {
    if (await isReady(socket)) return undefined;
    const now = Date.now();
    if (now - startedAt > readyPatienceMs) {
      throw new EmbeddedDatabaseError(
        `The embedded database does not answer after ${readyPatienceMs / 60_000} minutes: look at its log, and start again.`,
      );
    }
    if (now - loggedAt > progressEveryMs) {
      log("Waiting for the embedded database; it may be recovering after a crash.");
      loggedAt = now;
    }
    await sleep(readyPollMs);
  }
  return status;
}

async function isReady(socket: string): Promise<boolean> {
  const answer = await run(socket, database, "select 1");
  if (answer !== missingDatabase) return answer === "done";
  const created = await run(socket, "postgres", `create database ${database}`);
  return created === "done" || created === alreadyExists;
}

/**
 * Runs one statement on a connection of its own. Returns "done", or the code of an error that `isReady` handles; throws
 * any other.
 */
async function run(socket: string, name: string, statement: string): Promise<string> {
  const sql = postgres({ path: socket, database: name, username, max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
    return "done";
  } catch (failure) {
    const { code } = failure as { code?: string };
    const passing = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "CONNECTION_CLOSED", startingUp];
    if (code !== undefined && [...passing, missingDatabase, alreadyExists].includes(code)) return code;
    throw failure;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Creates the folder of the socket, checks that it is ours, and removes the files that a kill -9 left there. */
function prepareSocketFolder({ root, socketFolder, socket }: DataFolder, runAs: RunAs): void {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const entry = lstatSync(socketFolder);
  const owners = [process.getuid?.(), runAs.user?.uid];
  // Below /tmp, another user may have created it first.
  if (!entry.isDirectory() || !owners.includes(entry.uid)) {
    throw new EmbeddedDatabaseError(
      `The folder ${socketFolder} for the socket of ${root} belongs to somebody else: remove it, or choose a shorter DATA_DIR.`,
    );
  }
  chmodSync(socketFolder, 0o700);
  giveFilesTo(runAs, socketFolder);
  for (const leftOver of [socket, `${socket}.lock`]) rmSync(leftOver, { force: true });
}

/** Removes the socket folder if it is outside the data folder, where its purpose would be unclear. */
function removeSocketFolder({ root, socketFolder }: DataFolder): void {
  if (!socketFolder.startsWith(`${root}/`)) rmSync(socketFolder, { recursive: true, force: true });
}

const logBytesMax = 1_000_000;

/** Opens a file for appending, creates it if needed, and gives it to the user that Postgres runs as. */
function openForServer(path: string, runAs: RunAs): number {
  // We may be root in another user's folder: do not follow a link that this user placed there.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  giveFilesTo(runAs, path);
  return file;
}

/** Appends to the log of earlier starts. Once it is too large, rotates it and keeps one old log. */
function openLog(folder: DataFolder, runAs: RunAs): number {
  const file = openForServer(folder.log, runAs);
  if (fstatSync(file).size <= logBytesMax) return file;
  closeSync(file);
  renameSync(folder.log, `${folder.log}.1`);
  return openLog(folder, runAs);
}

/** The command line of the postmaster. Settings are passed at each start, so that a new release can change them. */
function serverArguments(folder: DataFolder): string[] {
  const settings = { ...connections(folder), ...durability, ...privateLog, ...footprint };
  return [
    "-D",
    folder.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function connections({ socketFolder }: DataFolder) {
  return {
    listen_addresses: "",
    // A list, so the path is quoted: it may contain a comma or a space.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    port: "5432",
    max_connections: "100",
  };
}

const durability = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  wal_level: "replica",
  wal_compression: "on",
  max_wal_size: "1GB",
};

// Memories must never reach the log. An ERROR or WARNING may quote one ("invalid input syntax …", "Key (…) already
// exists"), and goes to the client anyway. LOG, FATAL and PANIC remain, which are about the server, without details.
const privateLog = {
  logging_collector: "off",
  log_destination: "stderr",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_autovacuum_min_duration: "-1",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
};

const footprint = {
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  cluster_name: "recollect",
};
