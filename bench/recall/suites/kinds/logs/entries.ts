import { createRandom } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { notesOf } from "../notes.ts";
import { dataSet, spaceOfEntries } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FRAMES, NOISE, SLOTS } from "./texts.ts";

/** Log lines, JSON, YAML, tables and code. Plain questions name an identifier or a value, indirect ones the meaning. */
export function logEntries(seed: number, size = 500): DataSet {
  const texts = { slots: SLOTS, frames: FRAMES, noise: NOISE, secondSet: SECOND_SET };
  const entries = notesOf(texts, { perFrame: 8, size, random: createRandom(seed) });
  return dataSet("logs", [spaceOfEntries("logs", entries)]);
}
