import { createRandom, type Random } from "../../../../test/support/random.ts";
import { asText, Prose } from "../prose.ts";
import { Subjects } from "../subjects.ts";
import { SWAPS } from "./swaps.ts";

/** Two memories of which one step makes the other: both cannot be dropped for one. */
export interface Pair {
  readonly kind: string;
  readonly sides: readonly [string, string];
  /** Both answer it, each in its way. */
  readonly question: string;
}

/** How many characters of other text stand around both statements alike: the longer, the more alike they are. */
const AROUND = [0, 0, 200, 1500] as const;

/** So many pairs, of every kind in turn, each about something else. */
export function contradictingPairs(size: number, seed: number): Pair[] {
  const random = createRandom(seed);
  const subjects = new Subjects(random);
  return Array.from({ length: size }, (_, at) => {
    const swap = SWAPS[at % SWAPS.length] as (typeof SWAPS)[number];
    const subject = subjects.one(swap.about);
    const [first, second] = swap.values(random);
    const around = textAround(AROUND[Math.floor(at / SWAPS.length) % AROUND.length] as number, random);
    return {
      kind: swap.kind,
      sides: [around(swap.state(subject, first)), around(swap.state(subject, second))],
      question: swap.ask(subject),
    };
  });
}

/** Puts a statement into the same text each time. */
function textAround(length: number, random: Random): (statement: string) => string {
  const sentences = new Prose(random).sentences(length);
  const at = random.below(sentences.length + 1);
  return (statement) => asText(sentences.toSpliced(at, 0, statement));
}
