import { createRandom, type Random } from "../../../../test/support/random.ts";
import { Prose } from "../prose.ts";
import { contradictingPairs } from "./pairs.ts";

/** Two memories of which the second says all that the first does. */
export interface Repetition {
  readonly kind: keyof typeof AGAIN;
  readonly first: string;
  readonly again: string;
  readonly question: string;
}

const AGAIN = {
  case: (text: string) => text.toLowerCase(),
  "white space": (text: string) => `  ${text.replaceAll(" ", "  ").replace("  ", "\n")}\n`,
  punctuation: (text: string) => text.replace(/\.$/, "!"),
  contained: (text: string, random: Random) => {
    const prose = new Prose(random);
    return `${prose.sentence()} ${text} ${prose.sentence()}`;
  },
} as const satisfies Record<string, (text: string, random: Random) => string>;

/** Kinds of statements that say the same whatever the case of their letters is. */
const PLAIN = ["word", "weekday", "month", "year"];

export function repetitions(size: number, seed: number): Repetition[] {
  const random = createRandom(seed);
  const kinds = Object.keys(AGAIN) as Repetition["kind"][];
  const pairs = contradictingPairs(size * 8, seed).filter(({ kind }) => PLAIN.includes(kind));
  return pairs.slice(0, size).map(({ sides: [first], question }, at) => {
    const kind = kinds[at % kinds.length] as Repetition["kind"];
    return { kind, first, again: AGAIN[kind](first, random), question };
  });
}
