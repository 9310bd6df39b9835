import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOf } from "../../bin/runtime.js";
import { repository, run, versionOf } from "./repository.ts";

/** Each becomes a package of npm. */
const NPM_PACKAGES = [".", "./packages/client", "./packages/multilingual", "./packages/token-model"];

/**
 * Builds everything that is published into a folder: packages for npm and PyPI, what hosts install, the image's definition.
 * `isFresh`: pages and the client are built again even if their sources have not changed.
 */
export function buildAll(folder: string, { isFresh }: { readonly isFresh: boolean }): void {
  step("what the packages contain");
  const ifChanged = isFresh ? [] : ["--if-changed"];
  for (const script of ["packages/client/build.js", "admin-ui/build.js", "docs/site/build.js"])
    run(process.execPath, [script, ...ifChanged]);
  step("packages for npm");
  // Their own scripts have just run.
  for (const path of NPM_PACKAGES)
    run("npm", ["pack", path, "--ignore-scripts", "--silent", "--pack-destination", folder]);
  bundlePinned(folder);
  step("the client for JSR, as a rehearsal");
  const [deno = ""] = commandOf("deno");
  run(deno, ["publish", "--dry-run", "--allow-dirty", "--quiet"], join(repository, "packages/client"));
  step("the Python package");
  run("npm", ["run", "-s", "python:build", "--", folder]);
  for (const name of readdirSync(folder).filter((entry) => entry === ".gitignore"))
    rmSync(join(folder, name));
  step("what hosts install");
  buildHostPackages(folder);
  for (const name of ["Dockerfile", "docker-compose.yml"])
    copyFileSync(join(repository, name), join(folder, name));
}

/** Names an exact version of a peer, which is not the one that the rest of better-auth needs. */
const PINNED = "@better-auth/cimd";
const PEER = "better-call";

/**
 * Packs the server's package again, with PINNED inside it. npm heeds `overrides` of the root alone, so that each install
 * would begin with twenty lines about the conflict; peers of what a package bundles are not compared. A clone does without:
 * npm warns of what the root itself bundles.
 */
function bundlePinned(folder: string): void {
  const made = mkdtempSync(join(tmpdir(), "recollect-package-"));
  try {
    run("tar", ["-xzf", join(folder, `recollect-${versionOf("package.json")}.tgz`), "-C", made]);
    const unpacked = join(made, "package");
    const path = join(unpacked, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    manifest.dependencies[PEER] = versionOf(`node_modules/${PEER}/package.json`);
    manifest.bundleDependencies = [PINNED];
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
    const inside = join("node_modules", PINNED);
    cpSync(join(repository, inside), join(unpacked, inside), { recursive: true });
    run("npm", ["pack", unpacked, "--ignore-scripts", "--silent", "--pack-destination", folder]);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function buildHostPackages(folder: string): void {
  const made = mkdtempSync(join(tmpdir(), "recollect-hosts-"));
  try {
    run(process.execPath, ["packages/hosts/build.js", "--to", made]);
    copyFileSync(join(made, "registry/server.json"), join(folder, "server.json"));
    const version = versionOf("package.json");
    const sources = readdirSync(made).filter((host) => host !== "registry");
    for (const host of sources)
      archive(
        join(made, host),
        join(folder, host === "mcpb" ? "recollect.mcpb" : `recollect-${host}-${version}.zip`),
      );
    archive(join(repository, "packages/claude-code"), join(folder, `recollect-claude-code-${version}.zip`));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Writes a folder's files as a zip that depends on nothing but them. */
function archive(folder: string, to: string): void {
  run("python3", ["-c", ARCHIVE, folder, to]);
}

const ARCHIVE = `
import os, sys, zipfile
folder, to = sys.argv[1:]
paths = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in paths:
        entry = zipfile.ZipInfo(os.path.relpath(path, folder), (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o755 if os.access(path, os.X_OK) else 0o644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        with open(path, "rb") as content:
            archive.writestr(entry, content.read())
`;

function step(what: string): void {
  console.error(`== ${what}`);
}
