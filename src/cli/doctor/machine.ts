import { readFile, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../compose/config.ts";
import { SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import { readStaticTable } from "../../core/recall/static-table.ts";
import { broken, type Finding, ok, warning } from "./check.ts";

/** The runtime and its version. */
export function checkRuntime(): Finding {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>;
  const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`;
  const found = `${SERVICE_NAME} ${SERVICE_VERSION} on ${runtime}, ${process.platform} ${process.arch}`;
  const isOld = !bun && !deno && isBefore(node ?? "", [20, 19]);
  return isOld ? broken("runtime", found, "Use Node 20.19 or newer, Bun or Deno.") : ok("runtime", found);
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, oursMinor = 0] = version.split(".").map(Number);
  return ours < major || (ours === major && oursMinor < minor);
}

/** The folder of the embedded database, and how much room it has. */
export async function checkDataDir({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl !== null) return [ok("data folder", "not used: DATABASE_URL names a database")];
  const folder = resolve(dataDir);
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory())
    return [broken("data folder", `${folder} is not a folder`, "Set DATA_DIR to a folder.")];
  const place = found
    ? ok("data folder", folder)
    : warning("data folder", `${folder} does not exist yet`, "The first start of the service makes it.");
  return [place, await checkDisk(folder)];
}

const GIB = 1024 ** 3;
const DISK_LOW_BYTES = GIB;
const DISK_FULL_BYTES = GIB / 10;

async function checkDisk(folder: string): Promise<Finding> {
  const disk = await statfs(await existing(folder));
  const free = disk.bavail * disk.bsize;
  const found = `${(free / GIB).toFixed(1)} GiB free`;
  const advice = "Free some space, or set DATA_DIR to a folder on a larger disk.";
  if (free < DISK_FULL_BYTES) return broken("disk", found, advice);
  return free < DISK_LOW_BYTES ? warning("disk", found, advice) : ok("disk", found);
}

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}

const TABLE = fileURLToPath(new URL("../../../assets/static-256.bin", import.meta.url));

/** The table that the builtin embedder reads. */
export async function checkEmbedder(): Promise<Finding> {
  try {
    const table = readStaticTable(await readFile(TABLE));
    return ok("embedder", `builtin, ${table.words.length} word pieces, ${table.dimension} dimensions`);
  } catch {
    return broken(
      "embedder",
      `the table ${TABLE} is missing or damaged`,
      "Install Recollect again, or restore the file from its package.",
    );
  }
}
