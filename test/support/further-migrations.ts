import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MIGRATIONS } from "../../src/adapters/postgres/database/migration-file.ts";

/** This program's migrations in a folder of their own, with others besides; `before`: only those below that name. */
export function migrationsWith(
  others: Readonly<Record<string, string>>,
  { before = "999999" } = {},
): { readonly folder: string; write(name: string, text: string): void } {
  const folder = mkdtempSync(join(tmpdir(), "recollect-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(MIGRATIONS))
    if (name < before) cpSync(join(MIGRATIONS, name), join(folder, name));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(others)) write(name, text);
  return { folder, write };
}
