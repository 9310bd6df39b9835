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
/** What the build depends on besides this folder. */
const ELSEWHERE = ["../package.json", "../src/surfaces/http/palette.ts", "../src/contract/scope.ts"];

function filesIn(folder) {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      if (/^dist|^node_modules$|^README/.test(name)) return [];
      return statSync(path).isDirectory() ? filesIn(path) : [path];
    })
    .sort();
}

/** Stands for all that the build is made of: another digest, another build. */
function digest() {
  const hash = createHash("sha256");
  for (const path of [...filesIn(HERE), ...ELSEWHERE.map((path) => join(HERE, path))])
    hash.update(relative(HERE, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/** True where the build is there and of these sources; where the sources are not (an installed package), it is. */
export function isBuilt() {
  if (!existsSync(join(HERE, "src"))) return existsSync(join(DIST, "index.html"));
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest();
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
  await viteBuild({ configFile: join(HERE, "vite.config.ts"), logLevel: "error", build: { outDir: made } });
  const assets = join(made, "assets");
  for (const name of readdirSync(assets)) {
    const path = join(assets, name);
    if (/\.(js|css|svg)$/.test(name))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9, memLevel: 9 }));
  }
  writeFileSync(join(made, ".built-from"), digest());
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
