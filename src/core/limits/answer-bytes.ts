/** How large the items of one answer are together, as JSON. The first is answered whatever its size. */
export const ANSWER_BYTES = 1024 * 1024;

/** The first of the items that together fit into one answer: at least one, and at most all. */
export function itemsThatFit<T>(items: readonly T[], bytesMax = ANSWER_BYTES): T[] {
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    bytes += jsonBytes(item);
    if (bytes > bytesMax && at > 0) return items.slice(0, at);
  }
  return [...items];
}

/**
 * The beginnings of several lists of one answer that together fit into it: all of them, or of each as many as of the
 * longest, and at least one.
 */
export function beginningsThatFit<T>(lists: readonly (readonly T[])[], bytesMax = ANSWER_BYTES): T[][] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  let bytes = 0;
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) bytes += at < list.length ? jsonBytes(list[at]) : 0;
    if (bytes > bytesMax && at > 0) return lists.map((list) => list.slice(0, at));
  }
  return lists.map((list) => [...list]);
}

/**
 * All items, for an answer that must not leave one out: as many of the first as fit whole beside the rest, which are
 * reduced.
 */
export function reducedToFit<T, R>(
  items: readonly T[],
  reduce: (item: T, at: number) => R,
  bytesMax = ANSWER_BYTES,
): (T | R)[] {
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

/**
 * A list that an operation answers as it is, and that goes on after its last item: surfaces say where by other means.
 */
export function withNextCursor<T>(list: readonly T[], cursor: string | null): T[] {
  return Object.defineProperty([...list], NEXT_CURSOR, { value: cursor });
}

/** The next cursor of such a list; null at its end, and for any other answer. */
export function nextCursorOf(answer: unknown): string | null {
  return Array.isArray(answer) ? ((answer as { [NEXT_CURSOR]?: string | null })[NEXT_CURSOR] ?? null) : null;
}

/** The size of a value as JSON. Escapes count as they are written, so that control characters are six bytes each. */
export function jsonBytes(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).length;
}

const utf8 = new TextEncoder();
