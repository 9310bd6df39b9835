import { readFileSync, writeFileSync } from "node:fs";
import { readStaticTable } from "../../src/recall/language/lexicon.ts";
import { MAGIC, WEIGHT_STEPS } from "../../src/recall/language/near-pieces.ts";
import { createSearch } from "./search.ts";

const asset = (name: string) => new URL(`../${name}`, import.meta.url);

/** Writes `models/near-pieces.bin` anew from `models/static-256.bin`: a minute of work. */
function main(): void {
  const table = readStaticTable(readFileSync(asset("static-256.bin")));
  const search = createSearch(table);
  const count = table.words.length;
  const starts = new Uint32Array(count + 1);
  const pieces: number[] = [];
  const steps: number[] = [];
  for (let piece = 0; piece < count; piece++) {
    const near = search(piece);
    for (const other of near.pieces) pieces.push(other);
    for (const weight of near.weights) steps.push(weight * WEIGHT_STEPS);
    starts[piece + 1] = pieces.length;
    if (piece % 1000 === 0) process.stderr.write(`\r${piece} of ${count} word pieces`);
  }
  const head = new DataView(new ArrayBuffer(8));
  for (let at = 0; at < 4; at++) head.setUint8(at, MAGIC.charCodeAt(at));
  head.setUint32(4, count, true);
  // Typed arrays are little endian wherever the runtimes run.
  const parts = [head, starts, Uint16Array.from(pieces), Uint16Array.from(steps)];
  writeFileSync(asset("near-pieces.bin"), Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer))));
  process.stderr.write(`\r${pieces.length} near pieces of ${count} word pieces\n`);
}

main();
