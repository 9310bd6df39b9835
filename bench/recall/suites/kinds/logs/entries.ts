import { createRandom } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { notesOf } from "../notes.ts";
import { dataSet, spaceOfEntries } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FRAMES, NOISE, SLOTS } from "./texts.ts";
import { THIRD_SET } from "./third-set.ts";

/** Log lines, JSON, YAML, tables and code. Plain questions name an identifier or a value, indirect ones the meaning. */
export function logEntries(seed: number, size = 500): DataSet {
  const random = createRandom(seed);
  const texts = { slots: SLOTS, frames: FRAMES, noise: NOISE, written: { "second set": SECOND_SET } };
  const third = { ...texts, frames: [], written: { "third set": THIRD_SET } };
  return dataSet("logs", [
    spaceOfEntries("logs", notesOf(texts, { perFrame: 8, size, random })),
    spaceOfEntries("logs, third set", notesOf(third, { perFrame: 0, size, random })),
  ]);
}
