import { createRandom } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { notesOf } from "../notes.ts";
import { dataSet, spaceOfEntries } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FRAMES, NOISE, SLOTS } from "./texts.ts";
import { THIRD_SET } from "./third-set.ts";

/** Notes of coding agents: failures, stack traces, commands, diffs, settings, commits. */
export function codingNotes(seed: number, size = 400): DataSet {
  const random = createRandom(seed);
  const texts = { slots: SLOTS, frames: FRAMES, noise: NOISE, written: { "second set": SECOND_SET } };
  const third = { ...texts, frames: [], written: { "third set": THIRD_SET } };
  return dataSet("coding", [
    spaceOfEntries("coding", notesOf(texts, { perFrame: 7, size, random })),
    spaceOfEntries("coding, third set", notesOf(third, { perFrame: 0, size, random })),
  ]);
}
