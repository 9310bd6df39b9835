/** Run by Bun: the rows of the table `store` of a SQLite file as JSON Lines. */
import { Database } from "bun:sqlite";

const text = (value: unknown) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value);

try {
  const database = new Database(process.argv[2] ?? "", { readonly: true });
  for (const row of database.query("select * from store order by prefix, key").iterate()) {
    const entries = Object.entries(row as object).map(([name, value]) => [name, text(value)]);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(entries))}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : "it cannot be read"}\n`);
  process.exitCode = 1;
}
