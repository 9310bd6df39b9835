import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { EmbeddedDatabaseError, type FolderProblem, folderProblem, nearestThere } from "./errors.ts";

/** Paths of one embedded database. */
export interface DataFolder {
  /** The folder itself, links resolved. */
  root: string;
  /** Postgres' data directory. */
  cluster: string;
  locks: string;
  log: string;
  /** Lock file, held open by every process of the server. Used only if the system has `flock`. */
  guard: string;
  /** The 0700 folder that holds the socket; below `root` unless that path is too long for a socket. */
  socketFolder: string;
  /** The socket, as the `path` option of the `postgres` driver wants it. */
  socket: string;
}

// Linux allows 107 bytes, macOS 103. The smaller limit lets a folder move between them.
const socketPathBytesMax = 103;

const CLUSTER = "postgres";

/** True if a database was created in this folder; false if the folder is missing or still empty. */
export function holdsDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, CLUSTER));
}

/** Creates the folder if there is none, and denies other users access to it. */
export function prepareDataFolder(dataDir: string): DataFolder {
  makeFolder(dataDir);
  const root = realpathSync(dataDir);
  closeToOthers(root, dataDir);
  const locks = join(root, "lock");
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  // Root may run in another user's folder, and must leave it usable for its owner.
  const { uid, gid } = statSync(root);
  if (process.getuid?.() === 0) chownSync(locks, uid, gid);
  const socketFolder = chooseSocketFolder(root);
  return {
    root,
    cluster: join(root, CLUSTER),
    locks,
    log: join(root, "postgres.log"),
    guard: join(root, "postgres.lock"),
    socketFolder,
    socket: socketIn(socketFolder),
  };
}

/**
 * Creates the parents first: with `recursive`, Node retries forever in a folder that accepts no entries, such as /proc.
 */
function makeFolder(dataDir: string): void {
  mkdirSync(dirname(resolve(dataDir)), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (failure) {
    const { code } = failure as { code?: unknown };
    if (code === "EEXIST" && statSync(dataDir).isDirectory()) return;
    throw failure;
  }
}

/**
 * Checks, without changing anything, whether a database can live in the folder. Returns the problem, or null if it
 * finds none.
 */
export function dataFolderProblem(dataDir: string): FolderProblem | null {
  const place = nearestThere(dataDir);
  try {
    statSync(dataDir, { throwIfNoEntry: false });
    if (!statSync(place).isDirectory()) return folderProblem({ code: "ENOTDIR" }, place);
    accessSync(place, constants.W_OK | constants.X_OK);
    return null;
  } catch (failure) {
    const problem = folderProblem(failure, place);
    if (problem === null) throw failure;
    return problem;
  }
}

function closeToOthers(root: string, dataDir: string): void {
  if ((statSync(root).mode & 0o077) === 0) return;
  const entries = readdirSync(root);
  // DATA_DIR may be /tmp or a home folder by mistake; closing that to others would be worse than refusing it.
  if (entries.length > 0 && !entries.includes("lock")) {
    throw new EmbeddedDatabaseError(
      `The data folder ${dataDir} is open to other users and already holds other files: run chmod 700 on it, or choose another DATA_DIR.`,
    );
  }
  chmodSync(root, 0o700);
}

function chooseSocketFolder(root: string): string {
  const name = `recollect-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  const candidates = [join(root, "run"), join(tmpdir(), name), join("/tmp", name)];
  const fitting = candidates.find((folder) => Buffer.byteLength(socketIn(folder)) <= socketPathBytesMax);
  return fitting ?? join("/tmp", name);
}

function socketIn(folder: string): string {
  return join(folder, ".s.PGSQL.5432");
}
