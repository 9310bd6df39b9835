import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { CommandFailure } from "../failure.ts";
import { type Client, type Connection, ENTRY } from "./clients.ts";

/**
 * Inserts the client's entry, or removes it if `connection` is null. Everything else is unchanged, including comments:
 * only whole tables of the entry are removed, and one is added at the end. The result is parsed and compared, so that
 * an unexpected notation is rejected rather than damaged. `CommandFailure` for that, and for text that cannot be
 * parsed.
 */
export function editToml(before: string, client: Client, connection: Connection | null): string {
  const wanted = without(read(before), client);
  const cut = cutTables(before, `${client.servers}.${ENTRY}`);
  if (connection === null) return checked(cut, wanted, before, client);
  const entry = client.entry(connection);
  const table = `[${client.servers}.${ENTRY}]\n${stringify(entry)}`.trimEnd();
  const text = `${cut.trimEnd()}${cut.trim() === "" ? "" : "\n\n"}${table}\n`;
  const servers = { ...(wanted[client.servers] as object | undefined), [ENTRY]: entry };
  return checked(text, { ...wanted, [client.servers]: servers }, before, client);
}

type Table = Record<string, unknown>;

function read(text: string): Table {
  try {
    // Values of the library's own types, such as dates, are compared by their serialised form.
    return JSON.parse(
      JSON.stringify(parse(text), (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
    );
  } catch (error) {
    throw new CommandFailure(
      `It is not valid TOML. Correct that first: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

function without(whole: Table, { servers }: Client): Table {
  const { [ENTRY]: _, ...others } = (whole[servers] ?? {}) as Table;
  const { [servers]: __, ...rest } = whole;
  return Object.keys(others).length === 0 ? rest : { ...rest, [servers]: others };
}

/** Removes the tables with that name and those below it. Comments before the next table belong to that table. */
function cutTables(text: string, name: string): string {
  const kept: string[] = [];
  let isInside = false;
  let remarks: string[] = [];
  for (const line of text.split("\n")) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, "");
    if (header !== undefined) {
      // Keeps only the blank lines before the removed table.
      if (isInside) kept.push(...(kept.at(-1)?.trim() === "" ? withoutLeadingBlanks(remarks) : remarks));
      isInside = header === name || header.startsWith(`${name}.`);
      remarks = [];
    } else if (isInside) remarks = /^\s*(#|$)/.test(line) ? [...remarks, line] : [];
    if (!isInside) kept.push(line);
  }
  return [...kept, ...remarks.filter((line) => isInside && isSaid(line))].join("\n");
}

function withoutLeadingBlanks(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex(isSaid);
  return first === -1 ? [] : lines.slice(first);
}

const isSaid = (line: string) => line.trim() !== "";

function checked(text: string, wanted: Table, before: string, client: Client): string {
  const found = read(text);
  const isSame = isDeepStrictEqual(found, wanted) || isDeepStrictEqual(withoutEmpty(found, client), wanted);
  if (isSame) return text;
  throw new CommandFailure(
    `Its table ${client.servers} is written in a way that cannot be edited safely${before === "" ? "" : ": add the entry by hand"}.`,
  );
}

function withoutEmpty(whole: Table, { servers }: Client): Table {
  const { [servers]: held, ...rest } = whole;
  return held !== undefined && Object.keys(held as Table).length === 0 ? rest : whole;
}
