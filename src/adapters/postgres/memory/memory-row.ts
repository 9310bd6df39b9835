import { Buffer } from "node:buffer";
import { type Redaction, snakeCase } from "../../../core/member-table.ts";
import {
  MEMORY_MEMBERS,
  type MemoryRecord,
  type NewMemory,
  type Role,
  type SeenMemory,
} from "../../../core/memory/memory-record.ts";
import type { ItemMemory } from "../../../core/project/workspace-store.ts";
import type { AnySql, Fragment } from "../database/client.ts";

/** A row with a memory's columns, as the driver gives it. */
export type MemoryRow = { readonly [column: string]: unknown };

/** Each member and its column: where SQL names and core names meet. */
const NAMES = (Object.keys(MEMORY_MEMBERS) as (keyof MemoryRecord)[]).map(
  (name): [keyof MemoryRecord, string] => [name, snakeCase(name)],
);

/** What is read otherwise than as it stands in its column of the row `m`. */
const READ_AS: { readonly [Name in keyof MemoryRecord]?: string } = {
  createHash: "encode(m.create_hash, 'hex')",
  dedupeHash: "encode(m.dedupe_hash, 'hex')",
  // null in earlier states, which were kept before there was the column.
  supersededByKey: "coalesce(m.superseded_by_key, false)",
};

const COLUMNS = NAMES.map(([name, column]) =>
  READ_AS[name] ? `${READ_AS[name]} as ${column}` : `m.${column}`,
).join(", ");

/** The columns of the memory `m` that `toRecord` reads. */
export function columns(sql: AnySql): Fragment {
  return sql.unsafe(COLUMNS);
}

export function toRecord(row: MemoryRow): MemoryRecord {
  const record: Record<string, unknown> = {};
  for (const [name, column] of NAMES) record[name] = row[column];
  return record as unknown as MemoryRecord;
}

export function toSeen(row: MemoryRow): SeenMemory {
  return { memory: toRecord(row), role: row.role as Role };
}

const ITEM_MEMBERS = {
  id: true,
  seq: true,
  ownerId: true,
  memoryId: true,
  scope: true,
  projectId: true,
  path: true,
  bucket: true,
  status: true,
  source: true,
  agentId: true,
  instanceHash: true,
  createdAt: true,
  updatedAt: true,
  revision: true,
} satisfies Record<Exclude<keyof ItemMemory, "agentName">, true>;

const ITEM_NAMES = NAMES.filter(([name]) => name in ITEM_MEMBERS);
const ITEM_COLUMNS = ITEM_NAMES.map(([, column]) => `m.${column}`).join(", ");

/** Where a todo or decision lies and who made it: what it says is in its state, and long lists are read faster so. */
export function itemColumns(sql: AnySql): Fragment {
  return sql`${sql.unsafe(ITEM_COLUMNS)}, m.provenance ->> 'agent_name' as agent_name`;
}

/** A row of `itemColumns`. */
export function toItemMemory(row: MemoryRow): ItemMemory {
  const memory: Record<string, unknown> = { agentName: row.agent_name };
  for (const [name, column] of ITEM_NAMES) memory[name] = row[column];
  return memory as unknown as ItemMemory;
}

/** The members that are given, as columns. `seq` and `revision` are the record's to give. */
export function toColumns(memory: Partial<NewMemory>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of NAMES) {
    if (name in memory && name !== "seq" && name !== "revision")
      row[column] = (memory as Partial<MemoryRecord>)[name];
  }
  for (const column of ["create_hash", "dedupe_hash"]) {
    if (typeof row[column] === "string") row[column] = Buffer.from(row[column], "hex");
  }
  return row;
}

/**
 * What redaction makes of the columns of these members, for an update of their row from `given`: the words that replace
 * its own, and of a memory its metadata.
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

/** Rows by what they have in a column, each list in the order of the rows. */
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
