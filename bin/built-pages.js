import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is built of sources beside the service: its folder, what people call it, and whether a start waits for changes. */
const PARTS = [
  { folder: "admin-ui", name: "The admin UI", isKeptNew: true },
  // Whoever writes documents runs `npm run docs:build`; nobody's start waits for a page that has changed.
  { folder: "docs/site", name: "The documents' site", isKeptNew: false },
];

/**
 * Builds the pages that are not built, and the admin UI where it was of other sources, if what builds them is installed: a
 * package or an image has them built. A server without them starts all the same, and its pages say what to do.
 */
export async function ensurePages() {
  for (const part of PARTS) await ensure(part);
}

async function ensure({ folder, name, isKeptNew }) {
  const script = new URL(`../${folder}/build.js`, import.meta.url);
  if (!existsSync(script)) return;
  const { canBuild, isBuilt } = await import(script.href);
  if (isBuilt() || (!isKeptNew && existsSync(new URL(`../${folder}/dist/.built-from`, import.meta.url))))
    return;
  if (!canBuild()) {
    process.stderr.write(
      `${name} is not built: what builds it is not installed (npm ci, with development packages).\n`,
    );
    return;
  }
  process.stderr.write(
    `Building ${name.replace("The", "the")}, which takes some seconds: its sources have changed, or it was not there.\n`,
  );
  const run = process.versions.deno ? ["run", "-A", "--quiet"] : [];
  const { status } = spawnSync(process.execPath, [...run, fileURLToPath(script)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.stderr.write(`${name} could not be built. The service starts without it.\n`);
}
