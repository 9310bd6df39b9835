import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError, reportsFullDisk } from "./errors.ts";
import type { NativeBinaries } from "./native-binaries.ts";
import { giveFilesTo, type RunAs } from "./run-as.ts";
import { startWatched } from "./watched-child.ts";

/** The only role. It has no password: anyone who can enter the 0700 folder of the socket may connect. */
export const username = "recollect";

const draftPrefix = "postgres.new-";

/**
 * Makes sure there is a cluster of this release's major version. A new one is made under another name and renamed when
 * complete, so that an interrupted first start leaves only a draft, which the next start removes.
 */
export async function ensureCluster(
  folder: DataFolder,
  native: NativeBinaries,
  runAs: RunAs,
  log: (message: string) => void,
): Promise<void> {
  removeDrafts(folder);
  const found = clusterVersion(folder);
  if (found === native.majorVersion) return giveFilesTo(runAs, folder.cluster);
  if (found !== undefined) {
    throw new EmbeddedDatabaseError(
      `The data folder ${folder.root} was made by Postgres ${found} and this release brings Postgres ${native.majorVersion}: move the data over with the release that made it, or choose another DATA_DIR.`,
    );
  }
  if (existsSync(folder.cluster) && readdirSync(folder.cluster).length > 0) {
    throw new EmbeddedDatabaseError(
      `The folder ${folder.cluster} contains something that is not a database: move it away, or choose another DATA_DIR.`,
    );
  }
  log("Creating the embedded database.");
  const draft = mkdtempSync(join(folder.root, draftPrefix));
  giveFilesTo(runAs, draft);
  await runInitdb(native, draft, runAs);
  renameSync(draft, folder.cluster);
  flushFolder(folder.root);
}

async function runInitdb(native: NativeBinaries, draft: string, runAs: RunAs): Promise<void> {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const initdb = startWatched(
    [native.initdb, "-D", draft, `--username=${username}`, "--auth=trust", "--no-instructions", ...locale],
    { runAs },
  );
  const status = await initdb.exited;
  if (status === 0) return;
  rmSync(draft, { recursive: true, force: true });
  const complaints = initdb.complaints().trim();
  throw new EmbeddedDatabaseError(
    reportsFullDisk(complaints)
      ? `The embedded database could not be created because the disk below ${draft} is full: free some space, or choose another DATA_DIR.`
      : `The embedded database could not be created (initdb ended with ${status}): ${complaints.split("\n").join(" ")}`,
  );
}

function clusterVersion({ cluster }: DataFolder): number | undefined {
  const file = join(cluster, "PG_VERSION");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
}

function removeDrafts({ root }: DataFolder): void {
  for (const name of readdirSync(root)) {
    // An initdb whose parent was killed may be cleaning up there itself. The next start removes what is left then.
    if (name.startsWith(draftPrefix)) removeIfPossible(join(root, name));
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (failure) {
    if ((failure as { code?: string }).code !== "ENOTEMPTY") throw failure;
  }
}

/** Flushes a folder's entries. initdb has flushed what it wrote, but the new name must survive a power cut too. */
function flushFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}
