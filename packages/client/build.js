// Builds the client: what npm gets (dist: JavaScript and types) and what JSR gets (source: the TypeScript itself).
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const src = resolve(here, "../../src");

for (const folder of ["dist", "source"]) rmSync(join(here, folder), { recursive: true, force: true });

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

/** The file and all that it imports; the client imports nothing that is not a file beside it. */
function closure(entry) {
  const files = new Set([entry]);
  for (const file of files) {
    const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}) ?[^;"]*?from "([^"]+)";$/gm);
    for (const [, target] of imports) files.add(resolve(dirname(file), target));
  }
  return files;
}
