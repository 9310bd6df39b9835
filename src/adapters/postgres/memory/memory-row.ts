import { Buffer } from "node:buffer";
import { type Redaction, snakeCase } from "../../../core/memory/member-table.ts";
import {
  MEMORY_MEMBERS,
  type MemoryRecord,
  type NewMemory,
  type Role,
  type SeenMemory,
} from "../../../core/memory/memory-record.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** A row with a memory's columns, as the driver gives it. */
export type MemoryRow = { readonly [column: string]: unknown };

/** Each member and its column. This is the only mapping between SQL names and core names. */
const NAMES = (Object.keys(MEMORY_MEMBERS) as (keyof MemoryRecord)[]).map(
  (name): [keyof MemoryRecord, string] => [name, snakeCase(name)],
);

/** Members that are bytes in the database and hexadecimal in a record. */
const HASHES: readonly (keyof MemoryRecord)[] = ["createHash", "dedupeHash"];

/** SQL that reads a member from the row `m`, under the name of its column. */
function readAs([name, column]: (typeof NAMES)[number]): string {
  if (HASHES.includes(name)) return `encode(m.${column}, 'hex') as ${column}`;
  // null in earlier states that were stored before the column existed.
  if (name === "supersededByKey") return `coalesce(m.${column}, false) as ${column}`;
  return `m.${column}`;
}

/** The columns of these members of the memory `m`, and functions to read a row that has them. */
export function selectionOf<Name extends keyof MemoryRecord>(members: Readonly<Record<Name, unknown>>) {
  const names = NAMES.filter(([name]) => name in members);
  const selected = names.map(readAs).join(", ");
  const blank = Object.fromEntries(names.map(([name]) => [name, null]));
  return {
    columns: (sql: AnySql): Fragment => sql.unsafe(selected),
    read(row: MemoryRow): Pick<MemoryRecord, Name> {
      const record: Record<string, unknown> = {};
      for (const [name, column] of names) record[name] = row[column];
      return record as Pick<MemoryRecord, Name>;
    },
    /**
     * Reads a row that is an array of values, in the order of `columns`. Rows as objects take twice as long to make.
     */
    readValues(values: readonly unknown[]): Pick<MemoryRecord, Name> {
      // Copying a record with all members is faster than adding one member after the other.
      const record: Record<string, unknown> = { ...blank };
      for (let at = 0; at < names.length; at++) record[(names[at] as (typeof names)[number])[0]] = values[at];
      return record as Pick<MemoryRecord, Name>;
    },
  };
}

/** Columns and reading functions for a whole memory. */
export const {
  columns,
  read: toRecord,
  readValues: recordOf,
} = selectionOf<keyof MemoryRecord>(MEMORY_MEMBERS);

export function toSeen(row: MemoryRow): SeenMemory {
  return { memory: toRecord(row), role: row.role as Role };
}

/** Converts the members that are present to columns, except `seq` and `revision`, which the database assigns. */
export function toColumns(memory: Partial<NewMemory>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of NAMES) {
    if (!(name in memory) || name === "seq" || name === "revision") continue;
    const value = (memory as Partial<MemoryRecord>)[name];
    row[column] = HASHES.includes(name) && typeof value === "string" ? Buffer.from(value, "hex") : value;
  }
  return row;
}

const INSTANTS: ReadonlySet<string> = new Set(
  Object.entries(MEMORY_MEMBERS).flatMap(([name, entry]) =>
    "isInstant" in entry && entry.isInstant ? [snakeCase(name)] : [],
  ),
);

/** Columns with which a whole memory is written. */
export const WRITTEN_COLUMNS: readonly string[] = NAMES.filter(
  ([name]) => name !== "seq" && name !== "revision",
).map(([, column]) => column);

/**
 * A whole memory as JSON that Postgres reads as a row. Members that are null are left out. So many rows need only one
 * parameter, instead of one for each column of each row.
 */
export function toJsonColumns(memory: NewMemory): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of NAMES) {
    const value = (memory as Partial<MemoryRecord>)[name];
    if (value === null || value === undefined || name === "seq" || name === "revision") continue;
    if (HASHES.includes(name)) row[column] = `\\x${value}`;
    else row[column] = INSTANTS.has(column) ? new Date(value as number).toISOString() : value;
  }
  return row;
}

/** Bytes as JSON that Postgres reads as `bytea`. */
export function jsonBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/**
 * SQL assignments that redact the columns of these members, for an update from `given`, which has the replacement words
 * and, for a memory, the metadata.
 */
export function redactionOf(
  members: Readonly<Record<string, { readonly redacted: Redaction<unknown> | "words" | "now" | "replaced" }>>,
): string {
  const set = (member: string, to: string) => `${snakeCase(member)} = ${to}`;
  return Object.entries(members)
    .flatMap(([member, { redacted }]) => {
      if (redacted === "kept") return [];
      if (redacted === "now") return [set(member, "date_trunc('milliseconds', now())")];
      if (redacted === "replaced") return [set(member, `given.${snakeCase(member)}`)];
      if (redacted === "words")
        return [set(member, `case when ${snakeCase(member)} is not null then given.words end`)];
      return [set(member, literal(redacted.to))];
    })
    .join(", ");
}

function literal(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  return `'${(typeof value === "string" ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
}

/** Groups rows by the value of a column. Each group keeps the order of the rows. */
export function grouped<T>(
  rows: readonly MemoryRow[],
  by: string,
  read: (row: MemoryRow) => T,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row[by] as string);
    if (group) group.push(read(row));
    else groups.set(row[by] as string, [read(row)]);
  }
  return groups;
}
