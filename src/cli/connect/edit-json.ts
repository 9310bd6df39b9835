import { applyEdits, type JSONPath, modify, type ParseError, parse } from "jsonc-parser";
import { CommandFailure } from "../failure.ts";
import { type Client, type Connection, ENTRY } from "./clients.ts";

/** Accepts comments and trailing commas, as editors do. */
const TOLERANT = { allowTrailingComma: true, disallowComments: false };

/**
 * Inserts the client's entry into the text, or removes it if `connection` is null. Everything else is unchanged,
 * including comments and order. `CommandFailure` for a text that cannot be parsed.
 */
export function editJson(before: string, client: Client, connection: Connection | null): string {
  const text = before.trim() === "" ? "{}\n" : before;
  const besides = client.besides?.(connection ?? { url: "", signsIn: false }) ?? null;
  if (connection === null) {
    const without = removeIfEmpty(set(text, [client.servers, ENTRY], undefined), client.servers);
    return besides === null ? without : removeListed(without, besides.list, besides.value.id);
  }
  const withEntry = set(text, [client.servers, ENTRY], client.entry(connection));
  if (besides === null) return withEntry;
  const cleared = removeListed(withEntry, besides.list, besides.value.id);
  return set(cleared, [besides.list, listed(cleared, besides.list).length], besides.value);
}

function set(text: string, path: JSONPath, value: unknown): string {
  const root = read(text);
  const holder = root[path[0] as string];
  const isList = typeof path[1] === "number";
  if (holder !== undefined && (isList ? !Array.isArray(holder) : !isObject(holder)))
    throw new CommandFailure(
      `Its member ${String(path[0])} is not what the client expects. Check the file first.`,
    );
  if (value === undefined && (!isObject(holder) || !(ENTRY in holder))) return text;
  return edited(text, path, value);
}

function edited(text: string, path: JSONPath, value: unknown): string {
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

function removeIfEmpty(text: string, member: string): string {
  const holder = read(text)[member];
  return isObject(holder) && Object.keys(holder).length === 0 ? edited(text, [member], undefined) : text;
}

function listed(text: string, list: string): readonly unknown[] {
  const value = read(text)[list];
  return Array.isArray(value) ? value : [];
}

function removeListed(text: string, list: string, id: string): string {
  const at = listed(text, list).findIndex((one) => isObject(one) && one.id === id);
  if (at === -1) return text;
  const without = edited(text, [list, at], undefined);
  return listed(without, list).length === 0 ? edited(without, [list], undefined) : without;
}

function read(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, TOLERANT);
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new CommandFailure(`It is not valid JSON (line ${line}). Correct that first.`);
  }
  if (isObject(value)) return value;
  throw new CommandFailure("It contains no JSON object. Check the file first.");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
