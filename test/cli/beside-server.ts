import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { type Ran, recollectHere } from "./cli.ts";

/** The embedded database of a running server, and the command line beside it, in this process. */
export interface BesideServer {
  readonly sql: Sql;
  readonly dataDir: string;
  run(...args: string[]): Promise<Ran>;
  /** The JSON on standard output: all of it, or this throws. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  json(...args: string[]): Promise<any>;
  close(): Promise<void>;
}

export async function openBesideServer(more: Record<string, string> = {}): Promise<BesideServer> {
  const parent = mkdtempSync(join(tmpdir(), "recollect-cli-"));
  const dataDir = join(parent, "data");
  const env = { DATA_DIR: dataDir, ...more };
  const database = await openEmbeddedPostgres({ dataDir, role: "server", log: () => {} });
  const sql = connect(database.connection, 2);
  return {
    sql,
    dataDir,
    run: (...args) => recollectHere(args, env),
    async json(...args) {
      const { status, stdout, stderr } = await recollectHere([...args, "--json"], env);
      if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async close() {
      await sql.end();
      await database.stop();
      rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
