/**
 * Divides items, in order, into portions with at most this many items and bytes. A larger item gets a portion of its
 * own.
 */
export function portions<T extends { readonly bytes: number }>(
  items: readonly T[],
  most: { readonly items: number; readonly bytes: number },
): T[][] {
  const all: T[][] = [];
  let portion: T[] = [];
  let bytes = 0;
  for (const item of items) {
    if (portion.length > 0 && (portion.length >= most.items || bytes + item.bytes > most.bytes)) {
      all.push(portion);
      portion = [];
      bytes = 0;
    }
    portion.push(item);
    bytes += item.bytes;
  }
  if (portion.length > 0) all.push(portion);
  return all;
}
