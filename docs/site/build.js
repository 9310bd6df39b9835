// Builds the site of the documents into docs/site/dist: `node docs/site/build.js`. With --if-possible it does nothing where
// the packages that it is built with are not installed (production), and with --if-changed nothing where the build is of
// these sources.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { tsImport } from "tsx/esm/api";
import { navigation } from "./navigation.js";
import { sectionsOf } from "./search-sections.js";
import { pages, placeOf, put, REFERENCE_SIDEBAR, REPOSITORY, stage } from "./stage.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(HERE, "dist");
const STAMP = join(DIST, ".built-from");

function filesIn(folder) {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      if (/^(?:dist|\.stage)/.test(name)) return [];
      return statSync(path).isDirectory() ? filesIn(path) : [path];
    })
    .sort();
}

/** Stands for all that the build is made of: another digest, another build. */
function digest() {
  const hash = createHash("sha256");
  const ofTheCode = ["src/contract", "src/surfaces/rest/openapi"].map((name) => join(REPOSITORY, name));
  const sources = [join(REPOSITORY, "docs"), ...ofTheCode]
    .flatMap(filesIn)
    .concat(join(REPOSITORY, "package.json"));
  for (const path of [...sources, ...pages().map((page) => join(REPOSITORY, page))])
    hash.update(relative(REPOSITORY, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/** True where the build is there and of these sources; where the sources are not (an installed package), it is. */
export function isBuilt() {
  if (!existsSync(join(REPOSITORY, "docs/README.md"))) return existsSync(join(DIST, "index.html.gz"));
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest();
}

/** True where the packages that it is built with are installed, and the documents are there. */
export function canBuild() {
  try {
    return (
      existsSync(new URL(import.meta.resolve("vitepress"))) && existsSync(join(REPOSITORY, "docs/README.md"))
    );
  } catch {
    return false;
  }
}

/** Imports a module in TypeScript, which Bun reads by itself and refuses to have read by another. */
function typeScript(path) {
  return process.versions.bun ? import(path) : tsImport(path, import.meta.url);
}

const sidebarOf = (reference) =>
  Object.entries(reference).map(([place, { title }]) => ({
    text: title,
    link: `/${place.replace(/(?:index)?\.md$/, "")}`,
  }));

export async function build() {
  // Beside the old one, and then in its place: a server never sees half a build, nor do two builds at once each other.
  const made = join(HERE, `dist-${process.pid}`);
  // Within this folder: the generator looks for its packages from here.
  const staged = join(HERE, `.stage-${process.pid}`);
  try {
    stage(staged);
    const { referencePages } = await typeScript("./reference-pages.ts");
    const reference = referencePages();
    for (const [place, { text }] of Object.entries(reference)) put(staged, place, text);
    writeFileSync(join(staged, REFERENCE_SIDEBAR), JSON.stringify(sidebarOf(reference)));
    process.env.NODE_ENV = "production";
    process.env.DOCS_STAGE = staged;
    process.env.DOCS_OUT = made;
    const { build: vitePressBuild } = await import("vitepress");
    await vitePressBuild(HERE, { logLevel: "error" });
    const places = [...pages().map(placeOf), ...Object.keys(reference)];
    writeMarkdown(staged, made, places);
    writeSearch(staged, made, places);
    takeScriptsOut(made);
    compress(made);
    writeFileSync(join(made, ".built-from"), digest());
    rmSync(DIST, { recursive: true, force: true });
    renameSync(made, DIST);
  } catch (error) {
    // Another build was first, of the same sources.
    if (!isBuilt()) throw error;
  } finally {
    rmSync(staged, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
}

/** Each page as Markdown beside it, and what a model is to read first: https://llmstxt.org. */
function writeMarkdown(staged, made, places) {
  const textOf = (page) => readFileSync(join(staged, placeOf(page)), "utf8");
  for (const place of places)
    put(made, place, readFileSync(join(staged, place), "utf8").replace(/^---[\s\S]*?---\n+/, ""));
  const sections = navigation.map(({ title, pages: named }) => {
    const lines = Object.entries(named)
      .filter(([page]) => pages().includes(page))
      .map(([page, name]) => `- [${name}](/docs/${placeOf(page)}): ${firstSentence(textOf(page))}`);
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  const head =
    "# Recollect\n\n> The memory service for AI agents: remember, recall and hand work over.\n\n" +
    "The API is described at /openapi.json (OpenAPI 3.1); an agent with nothing but HTTP begins at /SKILL.md.\n";
  writeFileSync(join(made, "llms.txt"), [head, ...sections].join("\n"));
}

/** Decisions and changes are for those who ask for them: they would stand before the answers. */
const UNSEARCHED = /^(?:decisions\/|changelog|contributing|index\.md)/;

function writeSearch(staged, made, places) {
  const sections = places
    .filter((place) => !UNSEARCHED.test(place))
    .flatMap((place) => {
      const address = `/${place.replace(/(?:(^|\/)index)?\.md$/, "$1")}`;
      const text = readFileSync(join(staged, place), "utf8");
      // The samples of the reference say the same for each operation.
      return sectionsOf(
        place.startsWith("reference/") ? text.replaceAll(/^```[\s\S]*?^```$/gm, "") : text,
        address,
      );
    });
  writeFileSync(join(made, "search.json"), JSON.stringify(sections));
}

/** The first sentence of a page, without marks. */
function firstSentence(text) {
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z*[`]/.test(part) && !part.startsWith("[!"));
  const plain = (paragraph ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
}

/** The scripts within pages become files: the service's pages run none that is not of a file of its own. */
function takeScriptsOut(made) {
  const written = new Set();
  for (const path of htmlIn(made)) {
    const html = readFileSync(path, "utf8").replaceAll(
      /<script((?: id="[\w-]+")?)>([\s\S]*?)<\/script>/g,
      (_, id, code) => {
        const name = `assets/inline.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
        if (!written.has(name)) writeFileSync(join(made, name), code);
        written.add(name);
        return `<script${id} src="/docs/${name}"></script>`;
      },
    );
    writeFileSync(path, html);
  }
}

const htmlIn = (folder) => filesIn(folder).filter((path) => path.endsWith(".html"));

/** Texts are there compressed alone: the server opens them for the few that take nothing compressed. */
function compress(made) {
  for (const path of filesIn(made).filter((name) => /\.(js|css|svg|html|md|txt|json)$/.test(name))) {
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9, memLevel: 9 }));
    rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = process.argv.slice(2);
  const isIdle =
    (options.includes("--if-possible") && !canBuild()) || (options.includes("--if-changed") && isBuilt());
  if (!isIdle) await build();
}
