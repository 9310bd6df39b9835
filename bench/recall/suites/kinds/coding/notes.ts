import { createRandom } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { notesOf } from "../notes.ts";
import { dataSet, spaceOfEntries } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FRAMES, NOISE, SLOTS } from "./texts.ts";

/** Notes of coding agents: failures, stack traces, commands, diffs, settings, commits. */
export function codingNotes(seed: number, size = 400): DataSet {
  const texts = { slots: SLOTS, frames: FRAMES, noise: NOISE, secondSet: SECOND_SET };
  const entries = notesOf(texts, { perFrame: 7, size, random: createRandom(seed) });
  return dataSet("coding", [spaceOfEntries("coding", entries)]);
}
