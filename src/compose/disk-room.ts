import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

const GIB = 1024 ** 3;
const LOW_BYTES = GIB;
const FULL_BYTES = GIB / 10;

/** How much room the disk of a folder has. */
export interface DiskRoom {
  readonly state: "enough" | "low" | "full";
  /** As in "1.5 GiB free". */
  readonly found: string;
}

/** Returns the room of a folder that need not exist yet. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, bsize } = await statfs(await existing(folder));
  const free = bavail * bsize;
  const state = free < FULL_BYTES ? "full" : free < LOW_BYTES ? "low" : "enough";
  return { state, found: `${(free / GIB).toFixed(1)} GiB free` };
}

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}
