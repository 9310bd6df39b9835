/** Pieces of similar meaning or form with their weights, nearest first, including the piece itself. */
export interface NearPieces {
  readonly pieces: Int32Array;
  /** cos⁴ in multiples of 1/1024, so that sums are exact in any order. */
  readonly weights: Float32Array;
}

/** Minimum cosine of a near piece. Source: recall.md, "soft count"; a plateau from .4 to .5. */
export const NEAR_COSINE_MIN = 0.45;
export const WEIGHT_STEPS = 1024;
export const MAGIC = "MNP1";

/**
 * Reads the precomputed near pieces of a vocabulary (`models/near-pieces`). They are precomputed because finding
 * them takes more than a millisecond per piece, and a query has a dozen pieces.
 *
 * Format, little endian: `MNP1` | u32 number of pieces | u32 start of each piece's near pieces, and the end of the last
 * | u16 near pieces | u16 their weights in 1/1024.
 *
 * Throws if the bytes are not such a table of `count` pieces or are truncated.
 */
export function readNearPieces(bytes: Uint8Array, count: number): (piece: number) => NearPieces {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isTable = bytes.length >= 8 && new TextDecoder().decode(bytes.subarray(0, 4)) === MAGIC;
  if (!isTable || view.getUint32(4, true) !== count)
    throw new Error("Not a table of this vocabulary's near pieces.");
  const piecesAt = 8 + 4 * (count + 1);
  const total = bytes.length < piecesAt ? 0 : view.getUint32(piecesAt - 4, true);
  if (bytes.length !== piecesAt + 4 * total) throw new Error("The table of near pieces is cut short.");
  const starts = Uint32Array.from({ length: count + 1 }, (_, piece) => view.getUint32(8 + 4 * piece, true));
  const pieces = Int32Array.from({ length: total }, (_, at) => view.getUint16(piecesAt + 2 * at, true));
  const weightsAt = piecesAt + 2 * total;
  const weights = Float32Array.from(
    { length: total },
    (_, at) => view.getUint16(weightsAt + 2 * at, true) / WEIGHT_STEPS,
  );
  return (piece) => {
    if (piece >= count) return itself(piece);
    const [from, to] = [starts[piece] as number, starts[piece + 1] as number];
    return { pieces: pieces.subarray(from, to), weights: weights.subarray(from, to) };
  };
}

/** A piece outside the vocabulary has no vector to compare, so it is near only to itself. */
function itself(piece: number): NearPieces {
  return { pieces: Int32Array.of(piece), weights: Float32Array.of(1) };
}
