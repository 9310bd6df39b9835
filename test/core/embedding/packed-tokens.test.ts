import fc from "fast-check";
import { expect, test } from "vitest";
import { packTokens, pieceCount, unpackTokens } from "../../../src/recall/index/packed-tokens.ts";

const DIMENSION = 64;

/** Vectors of length 127 or so, as a model makes them. */
const vectors = fc
  .array(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: DIMENSION, maxLength: DIMENSION }), {
    maxLength: 20,
  })
  .map((pieces) => Int8Array.from(pieces.flatMap(unit)));

function unit(piece: number[]): number[] {
  const length = Math.hypot(...piece) || 1;
  return piece.map((component) => Math.round((component / length) * 127));
}

test("a piece keeps its direction in 4 bits a component", () => {
  fc.assert(
    fc.property(vectors, (made) => {
      const packed = packTokens(made, DIMENSION);
      expect(packed).toHaveLength(made.length / 2);
      const count = pieceCount(packed, DIMENSION);
      const rows = new Int8Array(count * DIMENSION);
      const inverseLengths = new Float32Array(count);
      unpackTokens(packed, DIMENSION, { rows, inverseLengths, to: 0 });
      for (let piece = 0; piece < count; piece++) {
        const [a, b] = [made, rows].map((all) => all.subarray(piece * DIMENSION, (piece + 1) * DIMENSION));
        if (a === undefined || b === undefined || Math.hypot(...a) === 0) continue;
        const dot = a.reduce((sum, component, at) => sum + component * (b[at] as number), 0);
        expect((dot / Math.hypot(...a)) * (inverseLengths[piece] as number)).toBeGreaterThan(0.98);
      }
    }),
  );
});

test("nothing is packed into nothing, and a piece without a direction is unpacked as none", () => {
  expect(packTokens(new Int8Array(0), DIMENSION)).toHaveLength(0);
  const packed = packTokens(new Int8Array(DIMENSION), DIMENSION);
  const rows = new Int8Array(2 * DIMENSION).fill(1);
  const inverseLengths = new Float32Array(2).fill(1);
  unpackTokens(packed, DIMENSION, { rows, inverseLengths, to: 1 });
  expect([...rows.subarray(DIMENSION)].every((step) => step === 0)).toBe(true);
  expect([...inverseLengths]).toEqual([1, 0]);
});
