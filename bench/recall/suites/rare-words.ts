import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readStaticTable } from "../../../src/recall/language/lexicon.ts";
import type { Random } from "../../../test/support/random.ts";

const TABLE = fileURLToPath(new URL("../../../models/static-256.bin", import.meta.url));
/** Of the table's words, which stand in the order of how frequent they are, the first say little. */
const RANK_MIN = 1500;

/** Of the built-in embedder's table (Apache-2.0): some 15,000 words, most of them nouns and names. */
const WORDS = readStaticTable(readFileSync(TABLE))
  .words.filter((word) => /^[a-z]{5,}$/.test(word))
  .slice(RANK_MIN);

/** By Zipf's law with exponent 1, for which the logarithm of the rank is spread evenly. */
export function rareWord(random: Random): string {
  return WORDS[Math.floor((WORDS.length + 1) ** random.next()) - 1] as string;
}
