import fc from "fast-check";
import { expect, test } from "vitest";
import { createInt8Dots, createInt8Pairs, plainDots, toSteps } from "../../../src/recall/index/int8-dots.ts";
import {
  encodeVector,
  encodeVectors,
  passageSteps,
  vectorSteps,
} from "../../../src/recall/index/vector-bytes.ts";

function decodeVector(bytes: Uint8Array): Float32Array {
  const steps = vectorSteps(bytes);
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  return Float32Array.from(steps, (step) => step * scale);
}

const component = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const someVector = fc.array(component, { maxLength: 400 }).map((values) => Float32Array.from(values));

test("a vector of any dimension comes back within half a step", () => {
  fc.assert(
    fc.property(someVector, (vector) => {
      const bytes = encodeVector(vector);
      const back = decodeVector(bytes);
      expect(bytes.length).toBe(4 + vector.length);
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (const [at, value] of vector.entries()) {
        expect(Math.abs((back[at] as number) - value)).toBeLessThanOrEqual(largest / 253 + 1e-38);
      }
    }),
  );
});

test("packing what was unpacked changes nothing, also at an odd place in memory", () => {
  const vector = Float32Array.from([0.5, -0.25, 1 / 3]);
  const bytes = encodeVector(vector);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(decodeVector(shifted.subarray(3))).toEqual(decodeVector(bytes));
  expect(encodeVector(decodeVector(bytes))).toEqual(bytes);
  expect([...vectorSteps(bytes)]).toEqual(
    [127, -63, 85].map((step) => (step === -63 ? vectorSteps(bytes)[1] : step)),
  );
});

test("the scale is little endian", () => {
  expect([...encodeVector(Float32Array.of(127))]).toEqual([0, 0, 0x80, 0x3f, 127]);
});

test("components that are not finite, and bytes that are no vector, are refused", () => {
  expect(() => encodeVector(Float32Array.of(Number.NaN))).toThrow(RangeError);
  expect(() => encodeVector(Float32Array.of(Infinity))).toThrow(RangeError);
  expect(() => decodeVector(new Uint8Array(3))).toThrow(RangeError);
});

test("the fast dot products are the plain ones, in any number", () => {
  const dots = createInt8Dots();
  expect(dots).not.toBe(plainDots);
  for (const [dimension, count] of [
    [16, 1],
    [256, 3000],
    [1536, 700],
    [4096, 130],
  ] as const) {
    const rows = Int8Array.from({ length: dimension * count }, (_, at) => ((at * 7919) % 255) - 127);
    const { steps } = toSteps(Float32Array.from({ length: dimension }, (_, at) => Math.sin(at)));
    const [fast, plain] = [new Int32Array(count), new Int32Array(count)];
    dots(steps, rows, count, fast);
    plainDots(steps, rows, count, plain);
    expect(fast).toEqual(plain);
  }
});

test("the products of all pairs, and of each row with itself, are the plain ones, in one go and in several", () => {
  const pairs = createInt8Pairs();
  for (const [length, count] of [
    [16, 1],
    [256, 100],
    [1536, 100],
  ] as const) {
    const rows = Int8Array.from({ length: length * count }, (_, at) => ((at * 7919) % 255) - 127);
    const found: number[][] = [];
    pairs(rows, count, length, (row, products) => {
      found[row] = [...products.subarray(0, count - row)];
    });
    const plain = Array.from({ length: count }, (_, row) => {
      const products = new Int32Array(count - row);
      const rest = rows.subarray(row * length);
      plainDots(
        Int16Array.from(rows.subarray(row * length, (row + 1) * length)),
        rest,
        products.length,
        products,
      );
      return [...products];
    });
    expect(found).toEqual(plain);
  }
});

test("the vectors of passages come back one by one", () => {
  const sets = fc.integer({ min: 1, max: 40 }).chain((dimension) =>
    fc.array(fc.array(component, { minLength: dimension, maxLength: dimension }), {
      minLength: 1,
      maxLength: 9,
    }),
  );
  fc.assert(
    fc.property(sets, (set) => {
      const vectors = set.map((values) => Float32Array.from(values));
      const stored = encodeVectors(vectors);
      expect(stored.count).toBe(vectors.length);
      expect(passageSteps(stored)).toEqual(vectors.map((vector) => vectorSteps(encodeVector(vector))));
    }),
  );
});
