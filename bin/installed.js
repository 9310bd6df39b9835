import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { refuseOldNode } from "./runtime.js";

const ROOT = new URL("../", import.meta.url);
const NOTE_EVERY_MS = 2_000;

/** Installs the packages of a clone that has none: says what comes, and how far it is. npm itself is silent about both. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  refuseOldNode();
  const npm = process.env.npm_execpath ?? "";
  if (!npm.endsWith("npm-cli.js")) throw new Error("The packages are not installed: npm ci");
  process.stderr.write(
    "Installing what runs the service and what builds its pages, once: about 460 MB are fetched, and take 1 GB here.\n" +
      "Without the pages and the other runtimes it is a third of that: npm ci --omit=dev\n",
  );
  const wanted = packagesOfThisPlatform();
  const count = () => wanted.filter((path) => existsSync(new URL(`${path}/package.json`, ROOT))).length;
  let last = 0;
  const note = setInterval(() => {
    const now = count();
    if (now > last) process.stderr.write(`  ${now} of about ${wanted.length} packages\n`);
    last = now;
  }, NOTE_EVERY_MS);
  const child = spawn(process.execPath, [npm, "ci", "--no-audit", "--no-fund"], {
    cwd: fileURLToPath(ROOT),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(note);
  if (status !== 0) throw new Error("The packages could not be installed: npm's reason is above.");
  process.stderr.write("Installed.\n");
}

function isInstalled() {
  try {
    createRequire(import.meta.url).resolve("postgres");
    return true;
  } catch {
    return false;
  }
}

/** Folders of the packages in the lock file that this machine gets. */
function packagesOfThisPlatform() {
  const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", ROOT), "utf8"));
  const fits = (list, own) => list === undefined || list.includes(own);
  return Object.entries(packages)
    .filter(
      ([path, { link, os, cpu, libc }]) =>
        path.startsWith("node_modules/") &&
        !link &&
        fits(os, process.platform) &&
        fits(cpu, process.arch) &&
        fits(libc, "glibc"),
    )
    .map(([path]) => path);
}
