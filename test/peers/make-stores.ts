import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEmbeddedPostgres } from "../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { connect } from "../../src/adapters/postgres/database/client.ts";
import { run } from "../protocol/run.ts";

const MAKE = fileURLToPath(new URL("make", import.meta.url));
const WITHIN_MS = 10 * 60_000;

/** Where the peers' packages are installed. */
export interface PeerPrograms {
  /** A folder with `@modelcontextprotocol/server-memory` in its node_modules. */
  readonly memoryServer: string;
  /** Pythons that have mem0, LangGraph's stores, and Graphiti. */
  readonly mem0: string;
  readonly langgraph: string;
  readonly graphiti: string;
  /** Its command line; null where no Python is new enough for it. */
  readonly basicMemory: string | null;
}

/** Lets each peer write its store into the folder, without a language model or an account. */
export async function makeStores(programs: PeerPrograms, folder: string): Promise<void> {
  const script = (name: string) => join(MAKE, name);
  const file = (name: string) => join(folder, name);
  const made = (command: readonly string[]) => run(command, { withinMs: WITHIN_MS });
  mkdirSync(folder, { recursive: true });
  await made([
    process.execPath,
    script("make-memory-server.mjs"),
    programs.memoryServer,
    file("memory-server.jsonl"),
  ]);
  await made([programs.mem0, script("make_mem0.py"), folder]);
  await made([programs.langgraph, script("make_langgraph.py"), "sqlite", file("langgraph.db")]);
  await inPostgres(folder, (address) =>
    made([
      programs.langgraph,
      script("make_langgraph.py"),
      "postgres",
      address,
      file("langgraph-postgres.json"),
    ]),
  );
  await made([programs.graphiti, script("make_graphiti.py"), file("graphiti.json")]);
  if (programs.basicMemory !== null)
    await made([script("make-basic-memory.sh"), programs.basicMemory, file("basic-memory")]);
}

/** A Postgres of its own, by the address that Python's driver takes. */
async function inPostgres(folder: string, work: (address: string) => Promise<unknown>): Promise<void> {
  const database = await openEmbeddedPostgres({
    dataDir: join(folder, "postgres"),
    role: "tool",
    log: () => {},
  });
  try {
    const { path, username } = database.connection;
    const sql = connect(database.connection, 1);
    await sql`create database peers`;
    await sql.end();
    const [, directory, port] = /^(.*)\/\.s\.PGSQL\.(\d+)$/.exec(path) ?? [];
    await work(`host=${directory} port=${port} user=${username} dbname=peers`);
  } finally {
    await database.stop();
  }
}
