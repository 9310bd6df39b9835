// The documents as the site's generator reads them: the Markdown of docs/ and of the READMEs beside the code, in one folder,
// with links that lead from page to page there. On a forge the same files are read as they lie.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Path of the reference's part of the sidebar in the staged folder. */
export const REFERENCE_SIDEBAR = "reference-sidebar.json";

/** Pages that lie elsewhere than in docs/. */
const BESIDE_THE_CODE = {
  "docs/README.md": "overview.md",
  "docs/site/landing.md": "index.md",
  "README.md": "readme.md",
  "ARCHITECTURE.md": "architecture.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "packages/client/README.md": "client.md",
  "packages/python/README.md": "python-client.md",
  "examples/README.md": "examples.md",
};
/** Every page of the site by its file in the repository. */
export function pages() {
  const inDocs = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md") && !name.startsWith("docs/site/"));
  const beside = Object.keys(BESIDE_THE_CODE).filter((name) => existsSync(join(REPOSITORY, name)));
  return [...new Set([...inDocs, ...beside])].sort();
}

/** Where a page is in the site: `docs/integrations/README.md` is `integrations/index.md`. */
export function placeOf(page) {
  return BESIDE_THE_CODE[page] ?? page.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The fragment by which a forge links to a heading: the documents are read there too. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Lays all pages into a folder, and what they show and link to in the repository. */
export function stage(folder) {
  for (const page of pages())
    put(
      folder,
      placeOf(page),
      withLinks(folder, page, withTabs(readFileSync(join(REPOSITORY, page), "utf8"))),
    );
}

const TAB_NAMES = { ts: "TypeScript", python: "Python", sh: "curl", json: "MCP" };

/**
 * Blocks between `<!-- tabs -->` and `<!-- /tabs -->` become tabs; a forge shows them one below the other.
 * `<!-- block PATH LANG N [NAME] -->` stands for the Nth block in LANG of another document, whose tests run it.
 */
function withTabs(text) {
  return text
    .replaceAll(/<!-- block (\S+) (\w+) (\d+) (\[.+?\]) -->/g, (_, path, lang, which, name) => {
      const blocks = readFileSync(join(REPOSITORY, path), "utf8").matchAll(
        new RegExp(`^\`\`\`${lang}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
      );
      const [, code] = [...blocks][which - 1] ?? [];
      if (code === undefined) throw new Error(`${path} has no block ${which} in ${lang}.`);
      return `\`\`\`${lang} ${name}\n${code}\`\`\``;
    })
    .replaceAll(/<!-- tabs -->\n([\s\S]*?)\n<!-- \/tabs -->/g, (_, blocks) => {
      const named = blocks
        .replaceAll(/<!-- not run: .*? -->\n/g, "")
        .replaceAll(/^```(\w+)$/gm, (fence, lang) => `${fence} [${TAB_NAMES[lang]}]`);
      return `::: code-group\n${named}\n:::`;
    });
}

/** Text between code: only there is `](` a link. */
const CODE = /(^ *```[\s\S]*?^ *```$|`[^`\n]+`)/m;

function withLinks(folder, page, text) {
  return text
    .split(new RegExp(CODE, "gm"))
    .map((part, at) => (at % 2 === 1 ? part : linked(folder, page, part)))
    .join("");
}

function linked(folder, page, text) {
  return text
    .replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, mark, words, target) => {
      const inner = linkedInside(folder, page, words);
      const place = placeOfTarget(folder, page, target, mark === "!");
      if (place === null) return inner;
      return `${mark}[${inner}](${place})${place.startsWith("/docs/files/") ? '{target="_self"}' : ""}`;
    })
    .replaceAll(/\b(src|srcset|href)="([^"#:]+)"/g, (whole, name, target) => {
      const place = placeOfTarget(folder, page, target, name !== "href");
      return place === null ? whole : `${name}="${place}"`;
    });
}

/** A picture within a link. */
const linkedInside = (folder, page, words) => (words.startsWith("![") ? linked(folder, page, words) : words);

/** Where a link leads in the site; null where that is nowhere. A file that is no page is laid beside the pages. */
function placeOfTarget(folder, page, target, isPicture) {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path, anchor] = target.split("#");
  const file = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, "");
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  const from = posix.dirname(placeOf(page));
  const relative = (place) => {
    const way = posix.relative(from, place);
    return (way.startsWith(".") ? way : `./${way}`) + fragment;
  };
  const source = join(REPOSITORY, file);
  if (!existsSync(source)) return null;
  if (statSync(source).isDirectory())
    return existsSync(join(source, "README.md")) && pages().includes(`${file}/README.md`)
      ? relative(placeOf(`${file}/README.md`))
      : null;
  if (pages().includes(file)) return relative(placeOf(file));
  if (isPicture) {
    const name = `pictures/${basename(file)}`;
    copy(source, join(folder, name));
    return relative(name);
  }
  copy(source, join(folder, "public/files", `${file}.txt`));
  return `/docs/files/${file}.txt`;
}

function copy(source, target) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
}

export function put(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
