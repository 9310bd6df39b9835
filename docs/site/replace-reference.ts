/**
 * Takes what draws the API reference from its package, checked by the digest that the registry gives for it:
 *
 *   npx tsx docs/site/replace-reference.ts VERSION
 *
 * Then name the file in `src/surfaces/docs/docs-surface.ts`, remove the old one, and look at the page.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const PACKAGE = "@scalar/api-reference";
const FOLDER = fileURLToPath(new URL("./reference/", import.meta.url));

const version = process.argv[2] ?? "";
const work = mkdtempSync(join(tmpdir(), "reference-"));
try {
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: work, encoding: "utf8" });
  const [{ filename, integrity }] = JSON.parse(npm("pack", `${PACKAGE}@${version}`, "--json")) as [
    { filename: string; integrity: string },
  ];
  const digest = createHash("sha512")
    .update(readFileSync(join(work, filename)))
    .digest("base64");
  const told = npm("view", `${PACKAGE}@${version}`, "dist.integrity").trim();
  if (told !== integrity || told !== `sha512-${digest}`)
    throw new Error("The package is not what the registry names.");
  execFileSync("tar", ["-xzf", filename], { cwd: work });
  const script = readFileSync(join(work, "package/dist/browser/standalone.js"));
  writeFileSync(join(FOLDER, `scalar-${version}.js.gz`), gzipSync(script, { level: 9 }));
} finally {
  rmSync(work, { recursive: true, force: true });
}
