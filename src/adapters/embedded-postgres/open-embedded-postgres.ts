import { type DataFolder, prepareDataFolder } from "./data-folder.ts";
import { explainFileFailure } from "./errors.ts";
import { type ClaimedFolder, claimDataFolder, type FolderLock } from "./folder-lock.ts";
import { ensureCluster, username } from "./initialise-cluster.ts";
import { prepareNativeBinaries } from "./native-binaries.ts";
import { database, type Postmaster, startPostmaster } from "./postmaster.ts";
import { chooseRunAs } from "./run-as.ts";

interface EmbeddedPostgresOptions {
  /** Folder of the database, created if there is none. Only one server may use it. */
  dataDir: string;
  /** Receives messages about steps that take noticeably long; never content. */
  log: (message: string) => void;
  /** A server takes the folder for itself; a tool uses the running server's database if there is one. */
  role: "server" | "tool";
}

export interface EmbeddedPostgres {
  /** Options for the `postgres` driver; `path` is the unix socket. */
  connection: { path: string; database: string; username: string };
  /** True if the database process is ours. It ends with `stop`, or with this process. */
  owned: boolean;
  /** Resolves with a sentence if our database process ends unexpectedly. Never resolves otherwise. */
  died: Promise<string>;
  /** Ends our database process, within 40 seconds in any case. Close your connections first. */
  stop(): Promise<void>;
}

/**
 * Opens the database in `dataDir`: a native Postgres as a child process, reached by a unix socket only. It ends when
 * this process ends, even by kill -9, and every acknowledged commit is there at the next start. Under systemd use
 * KillMode=mixed, or Postgres refuses new connections while the service drains.
 *
 * @throws DataFolderInUse when another server has the folder (role "server").
 * @throws EmbeddedDatabaseError with one sentence that says what to do, when this machine cannot run it.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const folder = prepareDataFolder(options.dataDir);
    const claimed = await claimDataFolder(folder, options);
    return await openClaimed(folder, claimed, options.log);
  } catch (failure) {
    throw explainFileFailure(options.dataDir, failure);
  }
}

async function openClaimed(
  folder: DataFolder,
  claimed: ClaimedFolder,
  log: (message: string) => void,
): Promise<EmbeddedPostgres> {
  if ("runningSocket" in claimed) {
    const connection = { path: claimed.runningSocket, database, username };
    return { connection, owned: false, died: new Promise(() => {}), stop: async () => {} };
  }
  const { lock } = claimed;
  const postmaster = await startLocked(folder, lock, log);
  return {
    connection: { path: folder.socket, database, username },
    owned: true,
    died: postmaster.died,
    async stop() {
      await postmaster.stop();
      lock.release();
    },
  };
}

async function startLocked(
  folder: DataFolder,
  lock: FolderLock,
  log: (message: string) => void,
): Promise<Postmaster> {
  try {
    const runAs = chooseRunAs(folder);
    const native = prepareNativeBinaries(folder, runAs);
    await ensureCluster(folder, native, runAs, log);
    return await startPostmaster(folder, native, runAs, log);
  } catch (failure) {
    lock.release();
    throw failure;
  }
}
