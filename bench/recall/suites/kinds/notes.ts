import type { Random } from "../../../../test/support/random.ts";
import { shuffled } from "../shuffled.ts";
import { type Frame, Grammar, type Slots } from "./grammar.ts";
import { type AskedFact, askBoth, type Entry, writtenIn } from "./space.ts";

/** Grammar of a suite whose memories state one fact each, and sets that were written by hand. */
export interface NoteTexts {
  readonly slots: Slots;
  readonly frames: readonly Frame[];
  /** Templates of other memories. */
  readonly noise: readonly string[];
  /** Lines `text => question`, by the kind of their questions. */
  readonly written: Readonly<Record<string, string>>;
}

/** `perFrame` facts of each frame, as many that are not asked for, the written sets, and noise up to `size`, in random order. */
export function notesOf(
  { slots, frames, noise, written }: NoteTexts,
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
  for (const [kind, lines] of Object.entries(written))
    for (const { text, question } of writtenIn(lines)) add(text, [{ [kind]: question }]);
  while (entries.length < size) add(linesOf(grammar.sentence(random.pick(noise))), []);
  return shuffled(entries, random);
}

function linesOf(text: string): string {
  return text.replaceAll("\\n", "\n");
}
