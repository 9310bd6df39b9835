import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from "../../../src/adapters/embedded-postgres/open-embedded-postgres.ts";
import { freshDataDir, usedDataDir } from "./world.ts";

async function open(dataDir: string, role: "server" | "tool" = "server"): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres({ dataDir, role, log: () => {} });
  onTestFinished(() => opened.stop());
  return opened;
}

async function query<T>(opened: EmbeddedPostgres, statement: string, values: string[] = []): Promise<T[]> {
  const sql = postgres({ ...opened.connection, max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(statement, values))] as T[];
  } finally {
    await sql.end();
  }
}

test("a first start makes a UTF8 database that syncs, in a folder only its owner may enter", async () => {
  const dataDir = freshDataDir();
  const opened = await open(dataDir);
  const [server] = await query(
    opened,
    `select current_database() as name, current_setting('server_encoding') as encoding,
            current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp, upper('ä') as upper`,
  );
  expect(server).toEqual({ name: "recollect", encoding: "UTF8", fsync: "on", tcp: "", upper: "Ä" });
  expect(opened.owned).toBe(true);
  for (const folder of [dataDir, join(dataDir, "run"), join(dataDir, "postgres")]) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

test("a second start finds what the first one wrote", async () => {
  const dataDir = await usedDataDir();
  const first = await open(dataDir);
  await query(first, "create table kept as select 'still here' as text");
  await first.stop();
  const second = await open(dataDir);
  expect(await query(second, "select text from kept")).toEqual([{ text: "still here" }]);
});

test("a failing statement leaves no content in the log", async () => {
  const dataDir = await usedDataDir();
  const opened = await open(dataDir);
  await query(opened, "create table secret (text text primary key)");
  await query(opened, "insert into secret values ($1)", ["my-private-memory"]);
  await expect(query(opened, "insert into secret values ($1)", ["my-private-memory"])).rejects.toThrow();
  await expect(query(opened, "select $1::text::uuid", ["my-private-memory"])).rejects.toThrow();
  await expect(query(opened, "select 'my-private-memory'::int")).rejects.toThrow();
  await query(opened, "do $$ begin raise warning 'my-private-memory'; end $$");
  await opened.stop();
  const log = readFileSync(join(dataDir, "postgres.log"), "utf8");
  expect(log).toContain("ready to accept connections");
  expect(log).not.toContain("my-private-memory");
});

test("a path too long for a socket works, and a tool finds the socket all the same", async () => {
  const dataDir = join(freshDataDir(), "long ".repeat(30), 'with "quotes", commas');
  const server = await open(dataDir);
  expect(Buffer.byteLength(server.connection.path)).toBeLessThanOrEqual(103);
  const tool = await open(dataDir, "tool");
  expect(tool.connection).toEqual(server.connection);
  expect(tool.owned).toBe(false);
});

test("what an interrupted first start left behind is removed", async () => {
  const dataDir = await usedDataDir();
  const draft = join(dataDir, "postgres.new-a1b2c3");
  mkdirSync(join(draft, "base"), { recursive: true });
  writeFileSync(join(draft, "PG_VERSION"), "18\n");
  await open(dataDir);
  expect(existsSync(draft)).toBe(false);
});

test("a folder of another major version is refused and left as it is", async () => {
  const dataDir = freshDataDir();
  mkdirSync(join(dataDir, "postgres"), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "15\n");
  await expect(open(dataDir)).rejects.toThrow(/was made by Postgres 15 and this release brings Postgres 18/);
  expect(readdirSync(join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
});

test("a folder that others may read and that holds something else is refused, not closed", async () => {
  const dataDir = freshDataDir();
  mkdirSync(dataDir, { mode: 0o755 });
  writeFileSync(join(dataDir, "thesis.txt"), "");
  await expect(open(dataDir)).rejects.toThrow(/chmod 700/);
  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
});

test("a data folder that is a file is refused in one sentence", async () => {
  const dataDir = freshDataDir();
  writeFileSync(dataDir, "");
  await expect(open(dataDir)).rejects.toThrow(
    `The data folder ${dataDir} cannot be used: ${dataDir} is not a folder. Choose another DATA_DIR.`,
  );
});

test.runIf(process.platform === "linux")(
  "a data folder that cannot be made is refused in one sentence",
  async () => {
    await expect(open("/proc/nowhere")).rejects.toThrow(
      "The data folder /proc/nowhere cannot be used: nothing can be made in /proc. Choose another DATA_DIR.",
    );
  },
);
