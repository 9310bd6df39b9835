import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that decides what an index has of a memory. `package.json` names the versions of what they import. */
const FOLDERS = ["src/recall/language", "src/recall/index"];
const FILES = ["src/adapters/postgres/recall/index-document-row.ts", "models/static-256.bin", "package.json"];

let version: Promise<string> | null = null;

/**
 * Identifies how this process reads texts into an index. Derived from the sources, so that no change of them can be
 * forgotten, and from the runtime, whose tables of characters they use.
 */
export function analysisVersion(): Promise<string> {
  version ??= readVersion();
  return version;
}

async function readVersion(): Promise<string> {
  const { bun, deno, node, icu, unicode } = process.versions;
  const hash = createHash("sha256").update(JSON.stringify([bun ?? deno ?? node, icu, unicode, process.arch]));
  for (const file of [...FILES, ...(await Promise.all(FOLDERS.map(sourcesIn))).flat()].sort())
    hash.update(`\n${file}\n`).update(await readFile(join(ROOT, file)));
  return hash.digest("hex");
}

async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}
