/**
 * The vectors of a text's word pieces, concatenated in order, with `dimension` components each, scaled to length 127
 * and rounded. The cosine of two is their dot product over 127², accurate to about .02.
 */
export type TokenVectors = Int8Array;

/**
 * Token vectors as stored: 4 bits per component, two per byte, the first in the low bits. A piece's components are
 * multiples of its largest / 7, from −7 to 7, stored as 1 to 15. They therefore have a direction but no length; only
 * the direction is compared.
 */
export type PackedTokens = Uint8Array;

const STEP_MAX = 7;
const ZERO = 8;

/** Packs vectors of the given dimension, which must be even. */
export function packTokens(vectors: TokenVectors, dimension: number): PackedTokens {
  const packed = new Uint8Array(vectors.length / 2);
  for (let from = 0; from < vectors.length; from += dimension) {
    const piece = vectors.subarray(from, from + dimension);
    const scale = STEP_MAX / Math.max(1, largest(piece));
    for (let at = 0; at < dimension; at += 2) {
      const low = Math.round((piece[at] as number) * scale) + ZERO;
      const high = Math.round((piece[at + 1] as number) * scale) + ZERO;
      packed[(from + at) / 2] = low | (high << 4);
    }
  }
  return packed;
}

function largest(piece: TokenVectors): number {
  let most = 0;
  for (let at = 0; at < piece.length; at++) most = Math.max(most, Math.abs(piece[at] as number));
  return most;
}

export function pieceCount(packed: PackedTokens, dimension: number): number {
  return (packed.length * 2) / dimension;
}

/** Both components of each byte value in memory order, and the sum of their squares. */
const STEPS = new Int16Array(256);
const SQUARES = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  const steps = Int8Array.of((byte & 15) - ZERO, (byte >> 4) - ZERO);
  STEPS[byte] = new Int16Array(steps.buffer)[0] as number;
  SQUARES[byte] = (steps[0] as number) ** 2 + (steps[1] as number) ** 2;
}

/** Unpacks into consecutive rows of `rows` from row `to` on, and writes 1 / length of each row. */
export function unpackTokens(
  packed: PackedTokens,
  dimension: number,
  { rows, inverseLengths, to }: { rows: Int8Array; inverseLengths: Float32Array; to: number },
): void {
  const bytes = dimension / 2;
  const pairs = new Int16Array(rows.buffer, rows.byteOffset + to * dimension, packed.length);
  for (let from = 0, row = to; from < packed.length; row++) {
    let squares = 0;
    for (const end = from + bytes; from < end; from++) {
      const byte = packed[from] as number;
      pairs[from] = STEPS[byte] as number;
      squares += SQUARES[byte] as number;
    }
    inverseLengths[row] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  }
}
