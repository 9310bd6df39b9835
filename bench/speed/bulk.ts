import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { loadavg } from "node:os";
import type { Readable } from "node:stream";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { endedMs, processorMs, quiet } from "../work/processor-time.ts";
import type { Corpus } from "./corpus.ts";
import { type Home, type Running, residentMegabytes } from "./processes.ts";
import { ratio, type Table } from "./table.ts";

/** What an import writes for each memory, and how these rows are read again: of lines that are taken away, from its memory. */
const TABLES: Readonly<Record<string, { readonly columns: string; readonly rows: string }>> = {
  memories: { columns: "", rows: "select * from memories" },
  embeddings: { columns: "", rows: "select * from embeddings" },
  audit_log: { columns: "", rows: "select * from audit_log" },
  outbox: {
    columns: "(owner_id, memory, revision, kind)",
    rows: "select owner_id, id, revision, 'put' from memories",
  },
  event_inbox: {
    columns: "(memory, owner_id, memory_id, scope, project_id, subject, kind, revision)",
    rows: "select id, owner_id, memory_id, scope, project_id, 'memory', 'created', revision from memories",
  },
};
const LOOK_EVERY_MS = 200;
const FIRST_DAY = Date.parse("2025-01-01T00:00:00Z");

interface Bulk {
  readonly seconds: number;
  readonly processorSeconds: number;
}

/** Resident memory in megabytes, as it was looked at all along. */
interface Resident {
  readonly importer: number[];
  readonly server: number[];
}

/**
 * `recollect import` of so many memories beside a running server, and COPY of the very rows that it wrote into tables with the
 * same columns, defaults and indexes. The floor makes no vectors, finds no secrets, asks for no conflicts, has no triggers
 * and no foreign keys.
 */
export async function measureBulk(home: Home, corpus: Corpus, memories: number): Promise<Table> {
  const server = await home.server();
  const file = home.file("bulk.jsonl");
  console.error(`bulk: writing a file of ${memories} memories`);
  await writeExport(file, corpus, memories);
  const sql = connect(await home.database(), 1);
  try {
    await sql`set statement_timeout = 0`;
    console.error("bulk: importing it");
    const resident: Resident = { importer: [], server: [] };
    const load = loadavg()[0] as number;
    const imported = await importing(home, server, file, resident);
    const [stored] = await sql`select count(*)::int as count from memories`;
    if (stored?.count !== memories) throw new Error(`The import stored ${stored?.count} of ${memories}.`);
    console.error("bulk: copying its rows");
    const copied = await copying(sql, server, (table) => home.file(table));
    return tableOf(memories, { imported, copied, resident, load });
  } finally {
    await sql.end();
  }
}

async function writeExport(file: string, corpus: Corpus, memories: number): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${JSON.stringify({ recollect_export: 3 })}\n`);
  for (let at = 0; at < memories; at += 1) {
    const line = {
      kind: "memory",
      memory_id: `memory-${at}`,
      owner: { kind: "user", name: "bulk" },
      ...corpus.memory(at),
      bucket: "public",
      memory_type: "semantic",
      created_at: new Date(FIRST_DAY + at * 1000).toISOString(),
    };
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

async function importing(home: Home, server: Running, file: string, resident: Resident): Promise<Bulk> {
  const before = takenBy(server);
  const startedAt = performance.now();
  const child = home.command(["import", file, "--json"]);
  (child.stdout as Readable).resume();
  const ended = once(child, "exit");
  let own = 0;
  const look = setInterval(() => {
    const pid = child.pid as number;
    own = Math.max(own, processorMs(pid));
    const megabytes = residentOrNull(pid);
    if (megabytes !== null) resident.importer.push(megabytes);
    resident.server.push(residentMegabytes(server));
  }, LOOK_EVERY_MS);
  const [code] = await ended.finally(() => clearInterval(look));
  if (code !== 0) throw new Error(`The import ended with ${code}.`);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: (own + takenBy(server) - before) / 1000,
  };
}

/** The connections of an import end with it: their processes are no longer there to be asked. */
function takenBy({ pid }: Running): number {
  return processorMs(pid) + endedMs(pid);
}

/** It may have ended just now. */
function residentOrNull(pid: number): number | null {
  try {
    return residentMegabytes({ pid });
  } catch {
    return null;
  }
}

async function copying(sql: Sql, server: Running, fileOf: (table: string) => string): Promise<Bulk> {
  await sql`create schema floor`;
  for (const [table, { rows }] of Object.entries(TABLES)) {
    await sql.unsafe(`create table floor.${table} (like public.${table} including all)`);
    await sql.unsafe(`copy (${rows}) to '${fileOf(table)}'`);
  }
  await sql`checkpoint`;
  await quiet(server.pid);
  const before = takenBy(server);
  const startedAt = performance.now();
  for (const [table, { columns }] of Object.entries(TABLES))
    await sql.unsafe(`copy floor.${table} ${columns} from '${fileOf(table)}'`);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: (takenBy(server) - before) / 1000,
  };
}

interface Measured {
  readonly imported: Bulk;
  readonly copied: Bulk;
  readonly resident: Resident;
  /** What the machine had to do when it began. */
  readonly load: number;
}

function tableOf(memories: number, { imported, copied, resident, load }: Measured): Table {
  const row = (name: string, { seconds, processorSeconds }: Bulk) => [
    name,
    (memories / seconds).toFixed(0),
    ratio(copied.seconds / seconds),
    `${((processorSeconds / memories) * 1e6).toFixed(0)} µs`,
    ratio(copied.processorSeconds / processorSeconds),
  ];
  return {
    title: `Bulk: ${memories} memories`,
    columns: ["", "memories/s", "of the floor", "processor time each", "of the floor's"],
    rows: [row("floor: COPY of the same rows", copied), row("recollect import", imported)],
    remark: [
      `Resident memory by quarters of the import: the command ${quarters(resident.importer)}, the service ${quarters(resident.server)}.`,
      `The machine's load was ${load.toFixed(1)} when it began. Processor time is that of the command, the service and its database.`,
    ].join("\n"),
  };
}

/** The most of each quarter. */
function quarters(looks: readonly number[]): string {
  const size = Math.max(1, Math.ceil(looks.length / 4));
  return [0, 1, 2, 3]
    .map((quarter) => looks.slice(quarter * size, (quarter + 1) * size))
    .filter((some) => some.length > 0)
    .map((some) => `${Math.max(...some).toFixed(0)} MB`)
    .join(", ");
}
