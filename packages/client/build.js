// Builds the client: what npm gets (dist: JavaScript and types) and what JSR gets (source: the TypeScript itself). With
// --if-changed it does nothing if the build is of these sources, and with --if-possible if there is no compiler.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const src = resolve(here, "../../src");

// Beside the builds: both are published whole.
const STAMP = join(here, ".built-from");

const has = (option) => process.argv.includes(option);
if (!(has("--if-possible") && !canBuild()) && !(has("--if-changed") && isBuilt())) build();

function canBuild() {
  try {
    createRequire(import.meta.url).resolve("typescript/package.json");
    return true;
  } catch {
    return false;
  }
}

function build() {
  for (const made of [STAMP, "dist", "source"]) rmSync(resolve(here, made), { recursive: true, force: true });

  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  // The integrations are compiled unchecked: their frameworks need not be there. `npm run client:test-types` has them.
  for (const project of ["tsconfig.json", "tsconfig.integrations.json"]) {
    const tsc = [join(dirname(compiler), "bin/tsc"), "-p", join(here, project)];
    execFileSync(process.execPath, tsc, { stdio: "inherit" });
  }

  // In declarations the compiler leaves imports as they were written.
  for (const file of readdirSync(join(here, "dist"), { recursive: true }).filter((name) =>
    name.endsWith(".d.ts"),
  )) {
    const path = join(here, "dist", file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }

  for (const file of closure(join(src, "client/index.ts"))) {
    const copy = join(here, "source", relative(src, file));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  copyFileSync(resolve(here, "../../LICENSE"), join(here, "LICENSE"));
  writeFileSync(STAMP, digest());
}

function isBuilt() {
  return existsSync(STAMP) && existsSync(join(here, "dist")) && readFileSync(STAMP, "utf8") === digest();
}

/** Stands for all that the build is made of: another digest, another build. */
function digest() {
  const entries = readdirSync(join(src, "client"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => join(src, "client", name));
  const settings = ["build.js", "tsconfig.json", "tsconfig.integrations.json", "../../tsconfig.json"];
  const hash = createHash("sha256");
  for (const path of [...closure(...entries), ...settings.map((name) => join(here, name))])
    hash.update(relative(here, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/** The files and all that they import from beside them, which is all that the client imports. */
function closure(...entries) {
  const files = new Set(entries);
  for (const file of files) {
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) ?[^;"]*?from "(\.[^"]+)";$/gm);
    for (const [, target] of imports) files.add(resolve(dirname(file), target));
  }
  return files;
}
