/** The program as it was before the newest migration serves on today's schema: one can go back by one version. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { MIGRATIONS } from "../../src/adapters/postgres/database/migration-file.ts";
import { ownDatabase } from "../support/own-database.ts";
import { expectServed } from "./serves.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = "src/adapters/postgres/database/migrations";

const git = (...args: string[]) =>
  spawnSync("git", args, { cwd: repository, encoding: "utf8" }).stdout.trim();

/** The commit before the one that brought the newest migration; "" where this checkout has no such history. */
function commitBefore(migration: string): string {
  const added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", `${FOLDER}/${migration}`);
  return added === "" ? "" : git("rev-parse", "--verify", "--quiet", `${added}^`);
}

/** Shares the packages of this checkout, which have the patches of now, and has the program ask for none but those. */
function onPackagesOfNow(checkout: string): void {
  rmSync(join(checkout, "patches"), { recursive: true });
  for (const shared of ["node_modules", "patches"])
    symlinkSync(join(repository, shared), join(checkout, shared));
  const client = "src/adapters/postgres/database/client.ts";
  const asked = /^const PATCH = \d+;$/m;
  const [ofNow = ""] = asked.exec(readFileSync(join(repository, client), "utf8")) ?? [];
  expect(ofNow).not.toBe("");
  writeFileSync(
    join(checkout, client),
    readFileSync(join(checkout, client), "utf8").replace(asked, () => ofNow),
  );
}

const newest = readdirSync(MIGRATIONS).sort().at(-1) as string;
const before = commitBefore(newest);

test.skipIf(before === "")(
  "the version before the newest migration serves on the schema of now",
  async () => {
    const checkout = mkdtempSync(join(tmpdir(), "recollect-before-"));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true, maxRetries: 5 }));
    execFileSync("sh", ["-c", `git archive ${before} | tar -x -C '${checkout}'`], { cwd: repository });
    onPackagesOfNow(checkout);
    const known = readdirSync(join(checkout, FOLDER));
    expect(known).not.toContain(newest);
    const database = await ownDatabase();
    const sql = connect(database, 1);
    onTestFinished(() => sql.end({ timeout: 1 }));
    // Versions before there was this policy refuse what they do not know; what is asked here is the schema itself.
    if (!known.includes("000031_migration_steps.sql"))
      await sql`delete from migrations where not name = any(${known})`;
    await expectServed(database, checkout);
  },
  240_000,
);
