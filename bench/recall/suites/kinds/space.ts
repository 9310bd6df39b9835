import type { DataSet, Memory, Query, Space } from "../../data-set.ts";
import type { Fact } from "./grammar.ts";

const HOUR = 3_600_000;
const FIRST_HOUR = Date.UTC(2026, 0, 5, 9);

/** A text to be stored, with the facts that it alone states. */
export interface Entry {
  readonly content: string;
  readonly speaker: string;
  readonly session: string;
  readonly asked: readonly AskedFact[];
}

/** Questions for one fact, by kind. */
export type AskedFact = Readonly<Record<string, string>>;

/** Asks for a fact plainly, and in other words. */
export function askBoth({ plain, indirect }: Fact): AskedFact {
  return { plain, indirect };
}

/** A space of the entries in their order, an hour apart, with a query for each question. */
export function spaceOfEntries(name: string, entries: readonly Entry[]): Space {
  const refOf = (at: number) => `${name}-${at}`;
  return {
    space: name,
    memories: entries.map(
      ({ content, speaker, session }, at): Memory => ({
        ref: refOf(at),
        content,
        created_at: new Date(FIRST_HOUR + at * HOUR).toISOString(),
        session: `${name}-${session}`,
        speaker,
      }),
    ),
    queries: entries.flatMap(({ asked }, at) =>
      asked.flatMap((questions, fact) =>
        Object.entries(questions).map(
          ([kind, query]): Query => ({
            id: `${refOf(at)}-${fact}-${kind}`,
            kind,
            query,
            relevant: [refOf(at)],
          }),
        ),
      ),
    ),
  };
}

/** Reads lines `text => question`; `\n` in the text ends a line. */
export function writtenIn(lines: string): { readonly text: string; readonly question: string }[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [text, question, ...rest] = line.trim().split(" => ");
      if (!text || !question || rest.length > 0) throw new Error(`Not a text and a question: "${line}"`);
      return { text: text.replaceAll("\\n", "\n"), question };
    });
}

export function dataSet(name: string, spaces: readonly Space[]): DataSet {
  return { name, license: "Apache-2.0", spaces };
}
