type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array;

/** The array, or a copy twice as long when `length` no longer fits. */
export function grown<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  longer.set(array as never);
  return longer;
}
