/**
 * The restore drill: fills a database, dumps it under load, restores it into another cluster, compares every table by count and
 * content, asks the restored service what the first one was asked, and prints how long each step took.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { Corpus } from "../speed/corpus.ts";
import { HttpClient } from "../speed/http-client.ts";

const SERVER = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const BATCH_ITEMS = 200;
const QUERIES = 40;
const PASSES = 3;

const HELP = `npm run drill -- --from URL --to URL [--memories N]

--from      a database to fill and dump; it may be empty, or one of an earlier drill
--to        an empty database on another cluster, which is filled from the dump
--memories  how many the first one is to have (10000)

pg_dump and pg_restore must be on the PATH, and not older than the servers.`;

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

async function serve(databaseUrl: string): Promise<Running> {
  const child = spawn(process.execPath, [...process.execArgv, SERVER], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: "0", LOG_LEVEL: "info", INDEX_MEMORY_MB: "4096" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  let told = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      told = (told + part).slice(-10_000);
      const ready = /Recollect is ready at (http:[^\s"]+)/.exec(told)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void exited.then(() => reject(new Error(`The server ended: ${told}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function keyFor(databaseUrl: string, owner: string): string {
  const command = [...process.execArgv, COMMAND, "keys", "create", "--owner", owner, "--json"];
  const told = execFileSync(process.execPath, command, {
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return (JSON.parse(told) as { token: string }).token;
}

const steps: [string, number][] = [];

async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1000;
  steps.push([step, seconds]);
  console.log(`${step.padEnd(44)} ${seconds.toFixed(1).padStart(8)} s`);
  return result;
}

async function fill(client: HttpClient, corpus: Corpus, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH_ITEMS) {
    const items = Array.from({ length: Math.min(BATCH_ITEMS, to - first) }, (_, at) =>
      corpus.memory(first + at),
    );
    await client.post("/v1/memories/batch", { items });
  }
}

interface Answers {
  /** Of each query, the ids in order. */
  readonly ids: readonly string[];
  readonly p50Ms: number;
}

const FIRST_TRIES = 30;

/** The first search reads all of the owner's memories, for longer than a server may keep a silent connection. */
async function firstAnswer(client: HttpClient, query: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await client.get(`/v1/memories/search?${new URLSearchParams({ query })}`);
      return;
    } catch (error) {
      if (tries === FIRST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
}

/** Every query once unmeasured, so that the index is there; then a few times. */
async function asked(client: HttpClient, queries: readonly string[]): Promise<Answers> {
  await timed("first answer", () => firstAnswer(client, queries[0] as string));
  const times: number[] = [];
  const ids: string[] = [];
  for (let pass = 0; pass <= PASSES; pass += 1)
    for (const query of queries) {
      const begun = performance.now();
      const { body } = await client.get(`/v1/memories/search?${new URLSearchParams({ query, limit: "10" })}`);
      if (pass > 0) times.push(performance.now() - begun);
      else
        ids.push(
          (JSON.parse(body.toString()) as { results: { id: string }[] }).results.map(({ id }) => id).join(),
        );
    }
  return { ids, p50Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number };
}

/** Of each table how many rows it has, and the sum of their hashes. */
async function contents(sql: postgres.Sql | postgres.TransactionSql): Promise<Map<string, string>> {
  const tables = await sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
    order by 1`;
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql.unsafe(
      `select count(*) as count, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from ${name} t`,
    );
    found.set(name as string, `${row?.count} rows, ${row?.sum}`);
  }
  return found;
}

function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  return once(child, "exit").then(([code]) => {
    if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  });
}

/** Dumps one snapshot while the work goes on, and answers what it holds. */
async function dump(from: string, file: string): Promise<Map<string, string>> {
  const sql = postgres(from, { max: 1, onnotice: () => {} });
  try {
    return (await sql.begin("isolation level repeatable read read only", async (transaction) => {
      const [row] = await transaction`select pg_export_snapshot() as id`;
      await timed("dumped under load", () =>
        run("pg_dump", ["--format=custom", "--compress=1", `--snapshot=${row?.id}`, `--file=${file}`, from]),
      );
      return contents(transaction);
    })) as Map<string, string>;
  } finally {
    await sql.end();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: "string" },
      to: { type: "string" },
      memories: { type: "string", default: "10000" },
      help: { type: "boolean" },
    },
  });
  const { from, to } = values;
  if (values.help || from === undefined || to === undefined) return console.log(HELP);
  const memories = Number(values.memories);
  const folder = mkdtempSync(join(tmpdir(), "recollect-drill-"));
  const file = join(folder, "dump");
  const corpus = new Corpus();
  const queries = Array.from({ length: QUERIES }, (_, n) => corpus.query(n));
  let first: Running | null = await serve(from);
  let second: Running | null = null;
  try {
    const key = keyFor(from, "drill");
    const client = new HttpClient(first.url, { "x-api-key": key });
    const { body } = await client.get("/v1/memories?limit=1");
    const held = (JSON.parse(body.toString()) as { total: number }).total;
    await timed(`filled from ${held} to ${memories} memories`, () => fill(client, corpus, held, memories));
    const before = await asked(client, queries);
    let isOver = false;
    let written = 0;
    const load = new HttpClient(first.url, { "x-api-key": keyFor(from, "load") });
    const loading = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await load.post("/v1/memories", { content: `written meanwhile ${n}`, path: "load" });
        written += 1;
      }
    })();
    const dumped = await dump(from, file);
    isOver = true;
    await loading;
    await first.stop();
    first = null;
    await timed("restored into the other cluster", () =>
      run("pg_restore", ["--no-owner", "--exit-on-error", "--jobs=2", `--dbname=${to}`, file]),
    );
    const sql = postgres(to, { max: 1, onnotice: () => {} });
    const restored = await timed("compared", () => contents(sql));
    const tables = [...new Set([...dumped.keys(), ...restored.keys()])];
    const differing = tables.filter((name) => dumped.get(name) !== restored.get(name));
    console.log(
      `${written} writes meanwhile; ${tables.length} tables, ${differing.length} differ ${differing.join(", ")}`,
    );
    const ahead = async () => {
      const [row] = await sql`
        select count(*)::int as count from memories where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`;
      return row?.count as number;
    };
    console.log(`${await ahead()} memories have transaction ids ahead of the other cluster`);
    second = await timed("started on the other cluster", () => serve(to));
    const again = new HttpClient(second.url, { "x-api-key": key });
    await timed("mended by itself, since the start", async () => {
      for (;;) {
        const [row] = await sql`
          select mended_at is not null as is_mended from record_incarnations order by number desc limit 1`;
        if (row?.is_mended === true) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
    const after = await asked(again, queries);
    const same = after.ids.filter((ids, at) => ids === before.ids[at]).length;
    console.log(`${same} of ${QUERIES} queries are answered as before`);
    console.log(`recall p50 ${before.p50Ms.toFixed(1)} ms before, ${after.p50Ms.toFixed(1)} ms after`);
    console.log(`ahead now: ${await ahead()}`);
    await sql.end();
    if (differing.length > 0 || same < QUERIES) process.exitCode = 1;
  } finally {
    await first?.stop();
    await second?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
