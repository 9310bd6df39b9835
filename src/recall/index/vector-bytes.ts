/**
 * The compact form of a vector, in the record and in the index: a float32 scale (little endian), then one int8 per
 * dimension. A component is `scale · int8`, accurate to 1/254 of the largest component.
 */

const SCALE_BYTES = 4;

/** The vectors of a text's passages as stored: packed and concatenated, beginning with the first passage. */
export interface StoredVectors {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** Packs the vectors of a text's passages, which must have the same dimension. Throws like `encodeVector`. */
export function encodeVectors(vectors: readonly Float32Array[]): StoredVectors {
  const packed = vectors.map(encodeVector);
  const bytes = new Uint8Array(packed.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of packed) {
    bytes.set(vector, at);
    at += vector.length;
  }
  return { bytes, count: vectors.length };
}

/** The int8 components of each vector, as views. Throws like `vectorSteps`. */
export function passageSteps({ bytes, count }: StoredVectors): Int8Array[] {
  const length = bytes.length / count;
  return Array.from({ length: count }, (_, at) => vectorSteps(bytes, at * length, (at + 1) * length));
}

/** Packs a vector of any dimension. Throws `RangeError` if a component is not finite. */
export function encodeVector(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const component = vector[at] as number;
    if (!Number.isFinite(component)) throw new RangeError("A vector's components must be finite.");
    largest = Math.max(largest, Math.abs(component));
  }
  const scale = Math.fround(largest / 127);
  const bytes = new Uint8Array(SCALE_BYTES + vector.length);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  if (scale === 0) return bytes;
  const steps = new Int8Array(bytes.buffer, SCALE_BYTES);
  for (let at = 0; at < vector.length; at++) {
    steps[at] = Math.max(-127, Math.min(127, Math.round((vector[at] as number) / scale)));
  }
  return bytes;
}

/**
 * The int8 components of the vector from `start` to `end`, as a view. Sufficient for a cosine, since the scale cancels.
 * Throws `RangeError` if the range is too short to be a vector.
 */
export function vectorSteps(bytes: Uint8Array, start = 0, end = bytes.length): Int8Array {
  const first = start + SCALE_BYTES;
  if (end < first) throw new RangeError("A packed vector has at least its scale.");
  return new Int8Array(bytes.buffer, bytes.byteOffset + first, end - first);
}
