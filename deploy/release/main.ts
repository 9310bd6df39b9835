/**
 * Builds everything that a release publishes into one folder, and checks it. Publishes nothing.
 *
 *   npm run release -- [--to FOLDER] [--tag vX.Y.Z] [--twice]
 *
 * `--tag` also requires that the tag is this version, that nothing is left under "Unreleased", and that the checkout is
 * clean. `--twice` builds everything again and compares the bytes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildAll } from "./artifacts.ts";
import { problemsOf } from "./checks.ts";
import { digestsOf } from "./digests.ts";
import { notesOf } from "./notes.ts";
import { repository, versionOf } from "./repository.ts";

function main(): void {
  const { values } = parseArgs({
    options: { to: { type: "string" }, tag: { type: "string" }, twice: { type: "boolean" } },
  });
  refuse(problemsOf(values.tag ?? null));
  const folder = resolve(values.to ?? join(repository, "dist/release"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildAll(folder, { isFresh: values.twice === true });
  const digests = digestsOf(folder);
  if (values.twice) refuse(differences(digests));
  writeFileSync(join(folder, "NOTES.md"), notesOf(versionOf("package.json")));
  writeFileSync(
    join(folder, "SHA256SUMS"),
    digests.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""),
  );
  for (const { name, bytes } of digests) console.log(`${String(bytes).padStart(10)}  ${name}`);
  console.log(
    `Recollect ${versionOf("package.json")}: ${digests.length} files in ${folder}${values.twice ? ", the same twice" : ""}. Nothing was published.`,
  );
}

/** Builds everything a second time, and names the files that came out otherwise. */
function differences(first: ReturnType<typeof digestsOf>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "recollect-release-"));
  try {
    buildAll(folder, { isFresh: true });
    const again = new Map(digestsOf(folder).map(({ name, sha256 }) => [name, sha256]));
    return first
      .filter(({ name, sha256 }) => again.get(name) !== sha256)
      .map(({ name }) => `${name} is not the same when it is built again.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  console.error("There is no release until this is put right.");
  process.exit(1);
}

main();
