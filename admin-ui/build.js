// Builds the admin UI into admin-ui/dist: `node admin-ui/build.js`. With --if-possible it does nothing where the packages
// that it is built with are not installed (production), and with --if-changed nothing where the build is of these sources.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(HERE, "dist");
const STAMP = join(DIST, ".built-from");
const SRC = fileURLToPath(new URL("../src/", import.meta.url));
/** Files that the build depends on besides this folder and the files of src/ that the pages import. */
const ELSEWHERE = ["../package.json", "../src/surfaces/http/palette.ts"];

function filesIn(folder) {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      if (/^dist|^node_modules$|^README/.test(name)) return [];
      return statSync(path).isDirectory() ? filesIn(path) : [path];
    })
    .sort();
}

/** Digest of all that the build is made of. `imported`: the files of src/ that the pages import. */
function digest(imported) {
  const hash = createHash("sha256");
  const elsewhere = [...ELSEWHERE, ...imported].map((path) => join(HERE, path)).filter(existsSync);
  for (const path of [...filesIn(HERE), ...elsewhere])
    hash.update(relative(HERE, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/** True where the build is there and of these sources; where the sources are not (an installed package), it is. */
export function isBuilt() {
  if (!existsSync(join(HERE, "src"))) return existsSync(join(DIST, "index.html"));
  if (!existsSync(STAMP)) return false;
  const [built, ...imported] = readFileSync(STAMP, "utf8").split("\n");
  return built === digest(imported);
}

/** True where the packages that it is built with are installed. */
export function canBuild() {
  try {
    for (const name of ["vite", "@vitejs/plugin-react", "@mantine/core"])
      if (!existsSync(new URL(import.meta.resolve(name)))) return false;
    return existsSync(join(HERE, "src"));
  } catch {
    return false;
  }
}

export async function build() {
  const { build: viteBuild } = await import("vite");
  // Beside the old one, and then in its place: a server never sees half a build, nor do two builds at once each other.
  const made = join(HERE, `dist-${process.pid}`);
  // Whatever this process is run for: with React's own checks in it the build is a third larger.
  process.env.NODE_ENV = "production";
  const imported = [];
  const noteImports = {
    name: "note-imports",
    buildEnd() {
      imported.push(...[...this.getModuleIds()].filter((id) => id.startsWith(SRC)));
    },
  };
  await viteBuild({
    configFile: join(HERE, "vite.config.ts"),
    logLevel: "error",
    plugins: [noteImports],
    build: { outDir: made },
  });
  const assets = join(made, "assets");
  for (const name of readdirSync(assets)) {
    const path = join(assets, name);
    if (/\.(js|css|svg)$/.test(name))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9, memLevel: 9 }));
  }
  const paths = imported.map((path) => relative(HERE, path)).sort();
  writeFileSync(join(made, ".built-from"), [digest(paths), ...paths].join("\n"));
  rmSync(DIST, { recursive: true, force: true });
  try {
    renameSync(made, DIST);
  } catch (error) {
    // Another build was first, of the same sources.
    if (!isBuilt()) throw error;
    rmSync(made, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = process.argv.slice(2);
  const isIdle =
    (options.includes("--if-possible") && !canBuild()) || (options.includes("--if-changed") && isBuilt());
  if (!isIdle) await build();
}
