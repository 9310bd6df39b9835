import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of this program's migrations. */
export const MIGRATIONS = fileURLToPath(new URL("./migrations/", import.meta.url));

/**
 * How a migration runs:
 * - `transaction`: all of it, or nothing. For changes with strong locks for an instant, never for reading a whole
 *   table.
 * - `concurrently`: one statement after the other, each in its own transaction, while others read and write.
 * - `batches`: one statement repeatedly, each time for the rows of some keys, and in its own transaction.
 */
export type Way =
  | { readonly kind: "transaction" }
  | { readonly kind: "concurrently"; readonly statements: readonly string[] }
  | { readonly kind: "batches"; readonly table: string; readonly key: string };

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly way: Way;
  /**
   * The number of the oldest migration that a program must know to work on the schema after this one; null: any program
   * works.
   */
  readonly oldestProgram: string | null;
}

/** The numbered files of a folder, in order. */
export async function migrationNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

/**
 * Reads a migration from its file. Lines that begin with `--!` say how to run it. Rejects if such a line is not
 * understood.
 */
export async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(join(folder, name), "utf8");
  let way: Way = { kind: "transaction" };
  let oldestProgram: string | null = null;
  for (const [, said = ""] of sql.matchAll(/^--!(.*)$/gm)) {
    const batches = /^ batches of ([a-z_.]+) by ([a-z_]+)$/.exec(said);
    const program = /^ oldest program (\d{6})$/.exec(said);
    if (said === " concurrently") way = { kind: "concurrently", statements: statementsOf(name, sql) };
    else if (batches) way = { kind: "batches", table: batches[1] as string, key: batches[2] as string };
    else if (program) oldestProgram = program[1] as string;
    else throw new Error(`The migration ${name} says \`--!${said}\`, which is not understood.`);
  }
  return { name, sql, way, oldestProgram };
}

/** Statements that run while others read and write, however long they take. */
const CONCURRENT =
  /^(?:create (?:unique )?index concurrently |drop index concurrently |reindex index concurrently |alter table [a-z_.]+ validate constraint )/i;

/** Splits a concurrent migration into statements. Such statements contain no semicolon. */
function statementsOf(name: string, sql: string): string[] {
  const statements = sql
    .replaceAll(/^[ \t]*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "))
    .filter((statement) => statement !== "");
  const other = statements.find((statement) => !CONCURRENT.test(statement));
  if (other !== undefined)
    throw new Error(`The migration ${name} is concurrent, and ${other.split(" ", 4).join(" ")} … is not.`);
  return statements;
}

/** The number of a migration, by which programs and schemas are compared. */
export function numberOf(name: string): string {
  return name.slice(0, 6);
}
