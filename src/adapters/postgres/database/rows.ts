import { camelCase, snakeCase } from "../../../core/memory/member-table.ts";

/** A row as the driver returns it, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** Target of a column: a member of the record, or a member of the nested record `group`. */
interface Member {
  readonly group: string | null;
  /** The whole group is null if the first of its columns is. */
  readonly isOptional: boolean;
  readonly name: string;
}

const members = new Map<string, Member>();

function memberOf(column: string): Member {
  const [name = "", group = null] = column.split(".", 2).map(camelCase).reverse();
  const member = { group: group?.replace("?", "") ?? null, isOptional: group?.endsWith("?") === true, name };
  members.set(column, member);
  return member;
}

/**
 * Reads a row as the record that its columns name. `created_at` is the member `createdAt`, and `space.team_id` is the member
 * `teamId` of the member `space`. With a question mark, as in `approval?.at`, the whole member is null if the first of its
 * columns is. The statement selects what the record has, and nothing else.
 */
export function fromRow<T>(row: Row): T {
  const record: Record<string, unknown> = {};
  for (const column in row) {
    const { group, isOptional, name } = members.get(column) ?? memberOf(column);
    const value = row[column];
    if (group === null) record[name] = value;
    else {
      const inner = record[group] as Record<string, unknown> | null | undefined;
      if (inner === undefined) record[group] = isOptional && value === null ? null : { [name]: value };
      else if (inner !== null) inner[name] = value;
    }
  }
  return record as T;
}

/** The columns that a record's members are written to. Undefined members are left out. */
export function toRow(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      value === undefined ? [] : [[snakeCase(name), value]],
    ),
  );
}
