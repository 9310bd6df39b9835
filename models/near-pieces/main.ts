import { readFileSync, writeFileSync } from "node:fs";
import { readStaticTable } from "../../src/recall/language/lexicon.ts";
import { MAGIC } from "../../src/recall/language/near-pieces.ts";
import { createSearch } from "./search.ts";

const asset = (name: string) => new URL(`../${name}`, import.meta.url);

/** Writes `models/near-pieces.bin` anew from `models/static-256.bin`: a minute of work. */
function main(): void {
  const table = readStaticTable(readFileSync(asset("static-256.bin")));
  const search = createSearch(table);
  const count = table.words.length;
  const numbers: number[] = [];
  for (let piece = 0; piece < count; piece++) {
    const later = search(piece).pieces.filter((other) => other > piece);
    numbers.push(later.length);
    let before = piece;
    for (const other of later.sort()) {
      numbers.push(other - before - 1);
      before = other;
    }
    if (piece % 1000 === 0) process.stderr.write(`\r${piece} of ${count} word pieces`);
  }
  const head = Buffer.alloc(8);
  head.write(MAGIC, "latin1");
  head.writeUInt32LE(count, 4);
  writeFileSync(asset("near-pieces.bin"), Buffer.concat([head, Buffer.from(numbers.flatMap(leb128))]));
  process.stderr.write(`\r${numbers.length - count} pairs of ${count} word pieces\n`);
}

function leb128(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb128(value >> 7)];
}

main();
