/** Maximum total size of an answer's items as JSON. The first item is always included. */
export const ANSWER_BYTES = 1024 * 1024;

/** Returns the leading items that fit into one answer, at least one. */
export function itemsThatFit<T>(items: readonly T[], bytesMax = ANSWER_BYTES): T[] {
  if (mostJsonBytes(items) <= bytesMax) return [...items];
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    bytes += jsonBytes(item);
    if (bytes > bytesMax && at > 0) return items.slice(0, at);
  }
  return [...items];
}

/**
 * Truncates several lists so that together they fit into one answer: each to the same maximum length, and to at least
 * one item.
 */
export function fittingStarts<T>(lists: readonly (readonly T[])[], bytesMax = ANSWER_BYTES): T[][] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  let bytes = 0;
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) bytes += at < list.length ? jsonBytes(list[at]) : 0;
    if (bytes > bytesMax && at > 0) return lists.map((list) => list.slice(0, at));
  }
  return lists.map((list) => [...list]);
}

/**
 * Returns all items, for an answer that must not omit any: as many leading items as fit in full, and the rest reduced.
 */
export function allReduced<T, R>(
  items: readonly T[],
  reduce: (item: T, at: number) => R,
  bytesMax = ANSWER_BYTES,
): (T | R)[] {
  if (items.reduce((sum, item) => sum + jsonBytes(item), 0) <= bytesMax) return [...items];
  const reduced = items.map(reduce);
  let bytes = reduced.reduce((sum, item) => sum + jsonBytes(item), 0);
  let whole = 0;
  for (const [at, item] of items.entries()) {
    bytes += jsonBytes(item) - jsonBytes(reduced[at]);
    if (bytes > bytesMax) break;
    whole += 1;
  }
  return [...items.slice(0, whole), ...reduced.slice(whole)];
}

const NEXT_CURSOR = Symbol("next cursor");

/** Attaches a next cursor to a list that an operation returns as a plain array. Surfaces send the cursor separately. */
export function withNextCursor<T>(list: readonly T[], cursor: string | null): T[] {
  return Object.defineProperty([...list], NEXT_CURSOR, { value: cursor });
}

/** Returns the next cursor of such a list; null at its end, and for any other answer. */
export function nextCursorOf(answer: unknown): string | null {
  return Array.isArray(answer) ? ((answer as { [NEXT_CURSOR]?: string | null })[NEXT_CURSOR] ?? null) : null;
}

/** Returns the size of a value as JSON in bytes, with escapes: a control character counts as six bytes. */
export function jsonBytes(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).length;
}

const utf8 = new TextEncoder();

/** More than any number, `true` or `null` takes. */
const SCALAR_BYTES = 32;

/** Returns an upper bound of `jsonBytes` for plain JSON values, in a fraction of its time. */
function mostJsonBytes(value: unknown): number {
  if (typeof value === "string") return stringBytes(value);
  if (typeof value !== "object" || value === null) return SCALAR_BYTES;
  let bytes = SCALAR_BYTES;
  for (const name in value) bytes += stringBytes(name) + 2 + mostJsonBytes(value[name as keyof typeof value]);
  return bytes;
}

/** With quotation marks, and each UTF-16 unit as an escape. */
function stringBytes({ length }: string): number {
  return 6 * length + 2;
}
