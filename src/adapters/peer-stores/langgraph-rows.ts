/** Reads the rows of a LangGraph store in a stable order. Writes nothing. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { DomainError } from "../../core/error.ts";

const PAGE = 500;
/** SQLSTATE of a missing table, and of a missing schema. */
const NO_TABLE = ["42P01", "3F000"];

/** Yields the rows of the Postgres store's table, on the connection's search path. */
export async function* postgresRows(address: string): AsyncGenerator<unknown> {
  const sql = postgres(address, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    // Read as JSON, so that times have one format and numbers stay exact.
    const rows = sql`select to_jsonb(store) - 'value' || jsonb_build_object('value', value::text) as row from store
      order by prefix, key`;
    for await (const page of rows.cursor(PAGE)) for (const { row } of page) yield row;
  } catch (error) {
    throw unreadable((error as { code?: string }).code ?? "unknown");
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Not the failure itself: this service's own database is another one, and the message may name what is in the address.
 */
function unreadable(code: string): DomainError {
  const why = NO_TABLE.includes(code) ? "has no table named store" : `cannot be read (${code})`;
  return new DomainError(
    "validation_failed",
    `LangGraph's database ${why}. Give the address with which its store is opened.`,
  );
}

/**
 * Rows of its SQLite store's file. Node has SQLite since its version 22 only, so that Bun reads it, which this service
 * comes with: `bun` is its command line.
 */
export async function* sqliteRows(file: string, bun: readonly string[]): AsyncGenerator<unknown> {
  const [program = "", ...before] = bun;
  const script = fileURLToPath(new URL("./print-sqlite-rows.ts", import.meta.url));
  const child = spawn(program, [...before, script, file], { stdio: ["ignore", "pipe", "pipe"] });
  let wrong = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    wrong = `${wrong}${text}`.slice(0, 1000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  ended.catch(() => {});
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line);
    if ((await ended) !== 0)
      throw new DomainError("validation_failed", `The file is no store of LangGraph: ${wrong.trim()}`);
  } finally {
    child.kill();
  }
}
