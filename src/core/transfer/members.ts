import { type WireName, wireName } from "../member-table.ts";
import { rfc3339 } from "../memory/present.ts";

type Names<Members> = { [Name in keyof Members]: WireName<Members, Name> }[keyof Members];

/**
 * Writes members of a record as members of a line, and reads them back: one table for both ways. A member of the line that
 * nothing is written as does not compile, nor one that the line has not.
 */
export function mapping<Source, Line>() {
  return <const Members extends { readonly [Member in keyof Source]?: object }>(
    members: Members &
      ([keyof Line, Names<Members>] extends [Names<Members>, keyof Line]
        ? unknown
        : { readonly [missing: string]: never }),
  ) => {
    const entries = Object.entries(members as Readonly<Record<string, object>>).map(([member, entry]) => ({
      member,
      name: wireName(member, entry),
      isInstant: "isInstant" in entry && entry.isInstant === true,
    }));
    return {
      toLine(record: Pick<Source, keyof Members & keyof Source>): Line {
        const line: Record<string, unknown> = {};
        for (const { member, name, isInstant } of entries) {
          const value = (record as Record<string, unknown>)[member];
          line[name] = isInstant && value !== null ? rfc3339(value as number) : value;
        }
        return line as Line;
      },
      fromLine(line: Line): Pick<Source, keyof Members & keyof Source> {
        const record: Record<string, unknown> = {};
        for (const { member, name, isInstant } of entries) {
          const value = (line as Record<string, unknown>)[name];
          record[member] = isInstant && typeof value === "string" ? Date.parse(value) : value;
        }
        return record as Pick<Source, keyof Members & keyof Source>;
      },
    };
  };
}
