// `deno task start`, for people who live in Deno: no Node and no npm is needed beside it. Where nothing is installed yet,
// npm itself, run by Deno, installs what package-lock.json says: one lock file for every runtime.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const NPM = "npm:npm@11";

const repository = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(new URL("../node_modules/postgres", import.meta.url))) {
  process.stderr.write(
    "Installing what package-lock.json names, and what builds the admin UI: a minute, the first time.\n",
  );
  // Outside this project's own settings: they say that packages are in node_modules, where npm is about to put them.
  const npm = ["run", "-A", "--quiet", "--no-config", "--node-modules-dir=none", NPM];
  const { status } = spawnSync(
    process.execPath,
    [...npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      cwd: repository,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

// Loaded now that there is something to resolve.
const { ensurePages } = await import("./built-pages.js");
const { launch } = await import("./launch.js");
await ensurePages();
launch("deno", "main.ts", { stopped: 0, byTask: true });
