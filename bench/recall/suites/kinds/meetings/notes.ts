import { createRandom, type Random } from "../../../../../test/support/random.ts";
import type { DataSet } from "../../../data-set.ts";
import { shuffled } from "../../shuffled.ts";
import { Grammar } from "../grammar.ts";
import { type AskedFact, askBoth, dataSet, type Entry, spaceOfEntries, writtenIn } from "../space.ts";
import { SECOND_SET } from "./second-set.ts";
import { FRAMES, NOISE, REVISIONS, SLOTS } from "./texts.ts";

const PER_FRAME = 7;
const PER_REVISION = 8;

interface Line {
  readonly text: string;
  readonly asked: readonly AskedFact[];
}

/**
 * Notes of meetings with several decisions and action items each. Some later notes change what earlier ones decided: their
 * questions (`changed`) ask for the state now.
 */
export function meetingNotes(seed: number, size = 160): DataSet {
  const random = createRandom(seed);
  const grammar = new Grammar(SLOTS, random);
  const facts = [...FRAMES].flatMap((frame) =>
    Array.from({ length: PER_FRAME }, (): Line[] => {
      const fact = grammar.fact(frame);
      return [
        { text: fact.statement, asked: [askBoth(fact)] },
        { text: grammar.fact(frame).statement, asked: [] },
      ];
    }).flat(),
  );
  const second = writtenIn(SECOND_SET).map(({ text, question }) => ({
    text,
    asked: [{ "second set": question }],
  }));
  const revisions = REVISIONS.flatMap((frame) =>
    Array.from({ length: PER_REVISION }, () => {
      const { statement, plain, indirect } = grammar.fact(frame);
      const [before, after] = statement.split("\t") as [string, string];
      return { before, after: { text: after, asked: [{ changed: plain, "changed, indirect": indirect }] } };
    }),
  );
  const notes = Array.from({ length: size }, (): Line[] => []);
  const add = (line: Line, from: number, to: number) => notes[from + random.below(to - from)]?.push(line);
  for (const line of [...facts, ...second]) add(line, 0, size);
  for (const { before, after } of revisions) {
    add({ text: before, asked: [] }, 0, size / 2);
    add(after, size / 2, size);
  }
  const entries = notes.map((lines, at) => noteOf(lines, at, { grammar, random }));
  return dataSet("meetings", [spaceOfEntries("meetings", entries)]);
}

function noteOf(
  lines: readonly Line[],
  at: number,
  { grammar, random }: { readonly grammar: Grammar; readonly random: Random },
): Entry {
  const others = Array.from({ length: 2 + random.below(4) }, () => ({
    text: grammar.sentence(random.pick(NOISE)),
    asked: [],
  }));
  const points = shuffled([...lines, ...others], random);
  const bullet = random.pick(["- ", "* ", "", "• "]);
  return {
    content: [
      grammar.sentence(random.pick(["# {team} weekly", "Notes, {team} and {team2}", "{project} sync"])),
      grammar.sentence("Attendees: {person}, {person2}, {person3}, {person4}"),
      ...points.map(({ text }) => bullet + text),
    ].join("\n"),
    speaker: "user",
    session: String(at),
    asked: points.flatMap(({ asked }) => asked),
  };
}
