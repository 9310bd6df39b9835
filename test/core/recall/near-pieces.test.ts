import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSearch } from "../../../models/near-pieces/search.ts";
import { readStaticTable } from "../../../src/recall/language/lexicon.ts";
import { readNearPieces } from "../../../src/recall/language/near-pieces.ts";

const asset = (name: string) => readFileSync(new URL(`../../../models/${name}`, import.meta.url));
const bytes = asset("near-pieces.bin");
const table = readStaticTable(asset("static-256.bin"));
const near = readNearPieces(bytes, table);

test("what ships is what a search of the whole vocabulary finds", () => {
  const search = createSearch(table);
  // Every 307th piece, so that each part of the vocabulary has its turn; the first and the last as well.
  for (let piece = 0; piece < table.words.length; piece += 307) expect(near(piece)).toEqual(search(piece));
  expect(near(table.words.length - 1)).toEqual(search(table.words.length - 1));
});

test("a word beyond the vocabulary is near itself only", () => {
  expect(near(1_000_000)).toEqual({ pieces: Int32Array.of(1_000_000), weights: Float32Array.of(1) });
});

test("a table of another vocabulary, one that is cut short, and what is none are refused", () => {
  expect(() =>
    readNearPieces(bytes, { ...table, rows: table.rows.subarray(1000 * table.dimension) }),
  ).toThrow("Not a table of this vocabulary's near pieces");
  expect(() => readNearPieces(bytes.subarray(0, bytes.length - 2), table)).toThrow("cut short");
  expect(() => readNearPieces(bytes.subarray(0, 100), table)).toThrow("cut short");
  expect(() => readNearPieces(new Uint8Array(3), table)).toThrow("Not a table");
});
