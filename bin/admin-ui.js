import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BUILD = new URL("../admin-ui/build.js", import.meta.url);

/**
 * Builds the admin UI where it is not built, or was of other sources, and where what builds it is installed: a package or
 * an image has it built. A server without it starts all the same, and its page says what to do.
 */
export async function ensureAdminUi() {
  if (!existsSync(BUILD)) return;
  const { canBuild, isBuilt } = await import(BUILD.href);
  if (isBuilt()) return;
  if (!canBuild()) {
    process.stderr.write(
      "The admin UI is not built: what builds it is not installed (npm ci, with development packages).\n",
    );
    return;
  }
  process.stderr.write(
    "Building the admin UI, which takes some seconds: its sources have changed, or it was not there.\n",
  );
  const run = process.versions.deno ? ["run", "-A", "--quiet"] : [];
  const { status } = spawnSync(process.execPath, [...run, fileURLToPath(BUILD)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.stderr.write("The admin UI could not be built. The service starts without it.\n");
}
