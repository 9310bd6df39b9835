/** The links between libraries that npm does not pack: what the package's `scripts/hydrate-symlinks.js` does. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** False when a link is missing and cannot be made. */
export function tryLinks(packageFolder: string): boolean {
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
export function makeLinks(packageFolder: string): void {
  for (const link of missingLinks(packageFolder)) makeLink(packageFolder, link);
}

/** As the package lists them: `target` is the link to be made, `source` the file it leads to. */
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
