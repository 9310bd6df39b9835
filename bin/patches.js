import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = new URL("./patches/", import.meta.url);
const { resolve } = createRequire(import.meta.url);

/**
 * Applies bin/patches/*.patch to what npm has installed. What is patched already is left as it is, so that this may run at
 * each start: npm leaves it out with `--ignore-scripts`.
 */
export function applyPatches() {
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".patch"))) {
    const [, library, version] = /^(.+)\+(.+)\.patch$/.exec(name) ?? [];
    const root = rootOf(library);
    const installed = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
    if (installed !== version) throw new Error(`${name} is not for ${library} ${installed}: run \`npm ci\`.`);
    const [, ...files] = readFileSync(new URL(name, folder), "utf8").split(/^--- .*\n\+\+\+ b\//m);
    for (const file of files) patchFile(root, file);
  }
}

/** The folder of an installed package, wherever npm put it. */
function rootOf(library) {
  const entry = resolve(library);
  const at = entry.lastIndexOf(join("node_modules", library));
  return entry.slice(0, at + join("node_modules", library).length);
}

function patchFile(root, patch) {
  const [path, ...lines] = patch.trimEnd().split("\n");
  const file = join(root, path);
  const before = readFileSync(file, "utf8");
  let text = before;
  for (const hunk of lines
    .join("\n")
    .split(/^@@ .*\n/m)
    .slice(1))
    text = patchHunk(text, hunk, path);
  if (text !== before) replaceFile(file, text);
}

/** Another process that is just loading the file reads all of the one or all of the other. */
function replaceFile(file, text) {
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, text);
    renameSync(next, file);
  } catch (cause) {
    throw new Error(
      `${file} lacks this project's patch and cannot be written (${cause.code}): run \`node bin/apply-patches.js\` as its owner.`,
      { cause },
    );
  }
}

/** Lines stand for themselves here, not their numbers: those of a hunk must be there once. */
function patchHunk(text, hunk, path) {
  const side = (sign) =>
    hunk
      .replace(/\n$/, "")
      .split("\n")
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const [old, patched] = [side("+"), side("-")];
  if (text.split(patched).length === 2) return text;
  if (text.split(old).length !== 2)
    throw new Error(
      `The patch does not fit ${path}, which another version of this project may have patched: remove node_modules and run \`npm ci\`, or install the package anew.\n${hunk}`,
    );
  return text.replace(old, () => patched);
}
