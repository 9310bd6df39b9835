import { rfc3339 } from "../memory/present.ts";

/** As which member of a line a member of a record is written. */
export interface Written<Name extends string = string> {
  readonly name: Name;
  /** Milliseconds in the record, RFC 3339 in the line. */
  readonly isInstant: boolean;
}

export function as<const Name extends string>(name: Name): Written<Name> {
  return { name, isInstant: false };
}

export function asInstant<const Name extends string>(name: Name): Written<Name> {
  return { name, isInstant: true };
}

type Names<Members> = Members[keyof Members] extends Written<infer Name> ? Name : never;

/**
 * Writes members of a record as members of a line, and reads them back: one table for both ways. A member of the line that
 * nothing is written as does not compile.
 */
export function mapping<Source, Line>() {
  return <const Members extends { readonly [Member in keyof Source]?: Written<keyof Line & string> }>(
    members: Members & (keyof Line extends Names<Members> ? unknown : { readonly [missing: string]: never }),
  ) => {
    const entries = Object.entries(members) as [string, Written][];
    return {
      members: members as Members,
      toLine(record: Pick<Source, keyof Members & keyof Source>): Line {
        const line: Record<string, unknown> = {};
        for (const [member, { name, isInstant }] of entries) {
          const value = (record as Record<string, unknown>)[member];
          line[name] = isInstant && value !== null ? rfc3339(value as number) : value;
        }
        return line as Line;
      },
      fromLine(line: Line): Pick<Source, keyof Members & keyof Source> {
        const record: Record<string, unknown> = {};
        for (const [member, { name, isInstant }] of entries) {
          const value = (line as Record<string, unknown>)[name];
          record[member] = isInstant && typeof value === "string" ? Date.parse(value) : value;
        }
        return record as Pick<Source, keyof Members & keyof Source>;
      },
    };
  };
}
