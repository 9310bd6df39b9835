import type { Language } from "./language.ts";

export interface Fact {
  readonly statement: string;
  readonly plain: string;
  readonly indirect: string;
}

export const FACTS = 60;

/** Returns the facts of a language, in the order that all languages share. Throws if a line is missing or misplaced. */
export function factsOf({ code, facts }: Language): Fact[] {
  const lines = facts.trim().split("\n");
  if (lines.length !== FACTS) throw new Error(`${code} has ${lines.length} facts instead of ${FACTS}`);
  return lines.map((line, at) => {
    const { number, statement, plain, indirect } = line.match(FACT_LINE)?.groups ?? {};
    if (Number(number) !== at + 1 || !statement || !plain || !indirect)
      throw new Error(`${code}: "${line.trim()}" is not fact ${at + 1}`);
    return { statement, plain, indirect };
  });
}

const FACT_LINE = /^\s*(?<number>\d+) (?<statement>\S.*\S) => (?<plain>\S.*\S) => (?<indirect>\S.*\S)$/;
