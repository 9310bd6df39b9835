/** The program as it was before the newest migration serves on today's schema: one can go back by one version. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { MIGRATIONS } from "../../src/adapters/postgres/database/migration-file.ts";
import { relayTo } from "../oauth/relay.ts";
import { everyRequest } from "../support/every-route.ts";
import { httpClient } from "../support/http-client.ts";
import { ownDatabase } from "../support/own-database.ts";
import { home, KEY } from "../support/server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = "src/adapters/postgres/database/migrations";

const git = (...args: string[]) =>
  spawnSync("git", args, { cwd: repository, encoding: "utf8" }).stdout.trim();

/** The commit before the one that brought the newest migration; "" where this checkout has no such history. */
function commitBefore(migration: string): string {
  const added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", `${FOLDER}/${migration}`);
  return added === "" ? "" : git("rev-parse", "--verify", "--quiet", `${added}^`);
}

const newest = readdirSync(MIGRATIONS).sort().at(-1) as string;
const before = commitBefore(newest);

test.skipIf(before === "")(
  "the version before the newest migration serves on the schema of now",
  async () => {
    const checkout = mkdtempSync(join(tmpdir(), "recollect-before-"));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true, maxRetries: 5 }));
    execFileSync("sh", ["-c", `git archive ${before} | tar -x -C '${checkout}'`], { cwd: repository });
    // It runs on the packages of now, which have the patches of now.
    rmSync(join(checkout, "patches"), { recursive: true });
    for (const shared of ["node_modules", "patches"])
      symlinkSync(join(repository, shared), join(checkout, shared));
    const known = readdirSync(join(checkout, FOLDER));
    expect(known).not.toContain(newest);
    const database = await ownDatabase();
    const sql = connect(database, 1);
    onTestFinished(() => sql.end({ timeout: 1 }));
    // Versions before there was this policy refuse what they do not know; what is asked here is the schema itself.
    if (!known.includes("000031_migration_steps.sql"))
      await sql`delete from migrations where not name = any(${known})`;
    const { address } = await relayTo(database);
    const at = await home({ fresh: true, embedded: true, checkout });
    const server = at.start("node", {
      DATABASE_URL: "url" in address ? address.url : "",
      BOOTSTRAP_API_KEY: KEY,
    });
    const client = httpClient(await server.ready(), KEY);
    for (const name of Object.keys(everyRequest(client, "x"))) {
      const { status, body } = await client.post("/v1/remember", { content: `For ${name}.`, path: "p" });
      expect(status).toBe(201);
      const answer = await everyRequest(client, body.id)[name]?.();
      expect({ name, status: answer?.status }).toEqual({ name, status: expect.toSatisfy((s) => s < 500) });
    }
    expect(server.stderr()).not.toMatch(/"level":(?:50|60)|will be tried again/);
    expect((await server.stop()).code).toBe(0);
  },
  240_000,
);
