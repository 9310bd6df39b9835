import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildAll } from "./artifacts.ts";
import { problemsOf } from "./checks.ts";
import { digestsOf } from "./digests.ts";
import { notesOf } from "./notes.ts";
import { repository, versionOf } from "./repository.ts";

const USAGE = `Usage: npm run release -- [--to FOLDER] [--tag vX.Y.Z] [--twice]

Builds everything that a release publishes into one folder, dist/release, and checks it. Publishes nothing.

  --to FOLDER   another folder
  --tag TAG     also refuse if the tag is not this version, if notes are missing, or if the checkout is not clean
  --twice       build everything again, and refuse if a byte differs`;

const OPTIONS = {
  to: { type: "string" },
  tag: { type: "string" },
  twice: { type: "boolean" },
  help: { type: "boolean" },
} as const;

function main(): void {
  const values = asked();
  if (values.help) {
    console.log(USAGE);
    return;
  }
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

function asked() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
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
