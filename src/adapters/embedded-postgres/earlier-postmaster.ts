import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { isPostmasterOf, signalProcess } from "./process-identity.ts";

const pollMs = 50;
/** Shutting down writes a checkpoint, which takes its time on a slow disk. */
const patienceMs = 60_000;
const progressEveryMs = 5_000;

/** The process that the cluster's `postmaster.pid` names, if there is such a file. */
export function recordedPostmaster({ cluster }: DataFolder): number | undefined {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Waits until a postmaster whose parent is gone has shut down. Only for the holder of the folder's lock.
 *
 * @returns The process number of a stale `postmaster.pid`. By now it may belong to somebody else, for whom
 * Postgres would refuse to start: see PG_GRANDPARENT_PID at the caller.
 */
export async function awaitEarlierPostmaster(
  folder: DataFolder,
  log: (message: string) => void,
): Promise<number | undefined> {
  const startedAt = Date.now();
  let toldAt: number | undefined;
  for (;;) {
    const pid = recordedPostmaster(folder);
    if (pid === undefined || !isPostmasterOf(pid, folder.cluster)) return pid;
    const now = Date.now();
    if (toldAt === undefined || now - toldAt > progressEveryMs) {
      log(`Waiting for the earlier database process ${pid} to shut down.`);
      // It may have lost its watcher and know nothing yet; to hear it twice does no harm.
      signalProcess(pid, now - startedAt > patienceMs / 2 ? "SIGQUIT" : "SIGINT");
      toldAt = now;
    }
    if (now - startedAt > patienceMs) {
      throw new EmbeddedDatabaseError(
        `The earlier database process ${pid} still runs on ${folder.root} and does not shut down: stop it, or choose another DATA_DIR.`,
      );
    }
    await sleep(pollMs);
  }
}
