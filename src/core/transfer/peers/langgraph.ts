/**
 * Items of a LangGraph store: rows of the table in its SQLite and Postgres stores (`prefix`, `key`, `value`,
 * `created_at`, `updated_at`, `expires_at`), or items as `search` returns them (`namespace`, `key`, `value`), saved as
 * JSON.
 *
 * | LangGraph | here |
 * |---|---|
 * | the text of `value` (`content`, `text`, `memory`, `data`, its only text), or all its members as lines | `content` |
 * | `namespace` | the path below `langgraph`, `metadata.namespace` |
 * | `key`, `value` | `metadata.key`, and `metadata.value` if it fits |
 * | `created_at`, `updated_at`, `expires_at` | the same |
 */
import { DomainError } from "../../error.ts";
import { itemsOf, jsonLines, wholeDocument } from "./json-input.ts";
import { isObject, type Make, type PeerRecord, type Place } from "./peer-record.ts";

/**
 * Reads an array of items, an object with them in `items`, or one item per line. `validation_failed` for any other
 * document.
 */
export function* readLanggraph(text: string, make: Make): Generator<PeerRecord> {
  const document = wholeDocument(text);
  const list = isObject(document) ? document.items : document;
  if (Array.isArray(list)) {
    for (const { value, ...place } of itemsOf(list, text.length)) yield* langgraphRecords(place, value, make);
    return;
  }
  if (document !== null && !isItem(document))
    throw new DomainError(
      "validation_failed",
      "The file has no LangGraph items: it must be an array of them, an object with the array in items, or an item in each line.",
    );
  for (const line of jsonLines(text)) {
    const { line: number, offset } = line;
    if ("problem" in line) yield { line: number, offset, kind: "item", problem: line.problem };
    else yield* langgraphRecords({ line: number, offset }, line.value, make);
  }
}

function isItem(value: unknown): value is Record<string, unknown> {
  return isObject(value) && "key" in value;
}

/** The records of one item or of one row of the table. */
export function langgraphRecords(place: Place, item: unknown, make: Make): PeerRecord[] {
  const wrong = (problem: string) => [{ line: place.line, offset: place.offset, kind: "item", problem }];
  if (!isItem(item)) return wrong("is not an item: it must be an object with a namespace, a key and a value");
  const namespace = namespaceOf(item);
  if (namespace === null) return wrong("namespace: must be an array of texts");
  const { key } = item;
  if (typeof key !== "string") return wrong("key: must be a text");
  const value = objectOf(item.value);
  if (!isObject(value)) return wrong("value: must be a JSON object");
  return make(place, {
    kind: "item",
    key: [namespace, key],
    content: textOf(value),
    path: namespace,
    createdAt: item.created_at ?? item.createdAt,
    updatedAt: item.updated_at ?? item.updatedAt,
    expiresAt: item.expires_at ?? item.expiresAt,
    metadata: { namespace, key, ...(hasRoom(value) ? { value } : {}) },
  });
}

/**
 * The labels of the namespace; null if it is invalid. The table joins them with full stops, which no label may contain.
 */
function namespaceOf({ namespace, prefix }: Record<string, unknown>): string[] | null {
  if (typeof prefix === "string") return prefix === "" ? [] : prefix.split(".");
  const isList = Array.isArray(namespace) && namespace.every((label) => typeof label === "string");
  return isList ? (namespace as string[]) : null;
}

/** The value as an object. SQLite stores it as text. */
function objectOf(value: unknown): unknown {
  return typeof value === "string" ? wholeDocument(value) : value;
}

/** Members that hold the text of a memory, in LangGraph's examples and in what LangMem writes. */
const TEXT_MEMBERS = ["content", "text", "memory", "data"];

function textOf(value: Readonly<Record<string, unknown>>): string {
  for (const name of TEXT_MEMBERS) {
    const member = value[name];
    if (typeof member === "string" && member.trim() !== "") return member;
    if (isObject(member)) return textOf(member);
  }
  const members = Object.values(value);
  const texts = members.filter((member) => typeof member === "string" && member.trim() !== "");
  return members.length === 1 && texts.length === 1 ? String(texts[0]) : linesOf(value).join("\n");
}

/**
 * Each leaf as a line with the names on its path. Sorted by name, since Postgres does not keep the order. Iterative, so
 * that nesting cannot exhaust the stack.
 */
function linesOf(root: unknown): string[] {
  const lines: string[] = [];
  const pending: { value: unknown; names: string }[] = [{ value: root, names: "" }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, names } = next;
    if (typeof value !== "object" || value === null) {
      if (value !== null && value !== "") lines.push(names === "" ? String(value) : `${names}: ${value}`);
      continue;
    }
    const inside = Array.isArray(value)
      ? value.map((member) => ({ value: member, names }))
      : Object.entries(value)
          .sort(byName)
          .map(([name, member]) => ({
            value: member as unknown,
            names: names === "" ? name : `${names} ${name}`,
          }));
    pending.push(...inside.reverse());
  }
  return lines;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The room for a value in the metadata, beside the names. A larger value is still in the content, as lines. */
const VALUE_BYTES_MAX = 48 * 1024;

function hasRoom(value: object): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= VALUE_BYTES_MAX;
}
