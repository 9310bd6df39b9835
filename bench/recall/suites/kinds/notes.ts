import type { Random } from "../../../../test/support/random.ts";
import { shuffled } from "../shuffled.ts";
import { type Frame, Grammar, type Slots } from "./grammar.ts";
import { type AskedFact, askBoth, type Entry, secondSetOf } from "./space.ts";

/** Grammar and second set of a suite whose memories state one fact each. */
export interface NoteTexts {
  readonly slots: Slots;
  readonly frames: readonly Frame[];
  /** Templates of other memories. */
  readonly noise: readonly string[];
  readonly secondSet: string;
}

/** `perFrame` facts of each frame, as many that are not asked for, the second set, and noise up to `size`, in random order. */
export function notesOf(
  { slots, frames, noise, secondSet }: NoteTexts,
  { perFrame, size, random }: { readonly perFrame: number; readonly size: number; readonly random: Random },
): Entry[] {
  const grammar = new Grammar(slots, random);
  const entries: Entry[] = [];
  const add = (content: string, asked: readonly AskedFact[]) =>
    entries.push({ content, asked, speaker: "agent", session: String(entries.length) });
  for (const frame of frames) {
    for (let count = 0; count < perFrame; count++) {
      const fact = grammar.fact(frame);
      add(linesOf(fact.statement), [askBoth(fact)]);
      add(linesOf(grammar.fact(frame).statement), []);
    }
  }
  for (const { text, question } of secondSetOf(secondSet)) add(text, [{ "second set": question }]);
  while (entries.length < size) add(linesOf(grammar.sentence(random.pick(noise))), []);
  return shuffled(entries, random);
}

function linesOf(text: string): string {
  return text.replaceAll("\\n", "\n");
}
