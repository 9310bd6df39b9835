/** What the documents point to is there: files, headings and npm scripts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string) => readFileSync(join(repository, file), "utf8");
const pagesOf = (folder: string) =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const pages = [
  "",
  "docs",
  "docs/decisions",
  "docs/integrations",
  "docs/operations",
  "docs/recall",
  "examples",
  "packages/client",
].flatMap(pagesOf);
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** The fragment by which a heading is linked to. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
  return words.replaceAll(" ", "-");
}

const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] as string));

/** True where the path, or the pattern with `*` in its last part, names a file or folder. */
function isThere(path: string): boolean {
  if (!path.includes("*")) return existsSync(join(repository, path));
  const folder = join(repository, dirname(path));
  const pattern = new RegExp(
    `^${path
      .slice(dirname(path).length + 1)
      .replaceAll(".", "\\.")
      .replaceAll("*", ".*")}$`,
  );
  return existsSync(folder) && readdirSync(folder).some((name) => pattern.test(name));
}

test.each(pages)("the links of %s lead somewhere", (page) => {
  for (const [, target] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target as string)) continue;
    const [path = "", anchor] = (target as string).split("#");
    const file = path === "" ? page : join(dirname(page), path);
    expect(isThere(file), `${target} in ${page}`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file), `${target} in ${page}`).toContain(anchor);
  }
});

const sources = readdirSync(join(repository, "src"), { recursive: true, encoding: "utf8" });

test.each(pages)("every file and script that %s names is there", (page) => {
  const code = [...read(page).matchAll(/```[\s\S]+?```|`[^`\n]+`/g)].map(([text]) =>
    text.replaceAll("`", ""),
  );
  const words = code.flatMap((text) => text.split(/\s+/));
  const paths = words.filter((word) => /^[\w.*-]+\/[\w./*-]*$/.test(word));
  // Files of `src` are mostly named without it. The first start makes `.data`, `npm pack` a package, a build `dist`, and
  // readers have configuration of their own (`.cursor/`). A media type looks like a path.
  const isMade = (path: string) =>
    /^\.\w+\//.test(path) ||
    /^(?:application|text|\*)\//.test(path) ||
    /^(?:packages\/\w+\/)?dist(?:\/|$)/.test(path) ||
    /^\.\/recollect-[\w.]+\.tgz$/.test(path);
  // The path of a memory looks like one of a file too, and so does a word for nothing.
  const isOfMemories = (path: string) => /^(?:projects|people)\/|^N\/A$/.test(path);
  const missing = paths.filter(
    (path) => !isOfMemories(path) && !isThere(path) && !isThere(`src/${path}`) && !isMade(path),
  );
  expect(missing).toEqual([]);
  const files = words.filter((word) => /^[\w-]+\.ts$/.test(word));
  // What the page has its readers write.
  const written = [...read(page).matchAll(/^```ts\n\/\/ ([\w-]+\.ts)$/gm)].map(([, name]) => name);
  expect(
    files.filter((name) => !written.includes(name) && !sources.some((path) => path.endsWith(`/${name}`))),
  ).toEqual([]);
  const run = [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => match[1] as string);
  expect(run.filter((name) => !(name in scripts))).toEqual([]);
});
