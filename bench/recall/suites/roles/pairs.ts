import { createRandom, type Random } from "../../../../test/support/random.ts";
import { RELATIONS } from "../relations.ts";
import { FIRST_NAMES, NOUNS, PLACES } from "../vocabulary.ts";

/** Two memories with the same words in reversed relation, memories about something else, and a question. */
export interface RolePair {
  readonly kind: string;
  /** It states the relation that the question asks for. */
  readonly right: string;
  readonly reversed: string;
  readonly question: string;
  readonly others: readonly string[];
}

/** A relation from one to another, said in several forms. A form says the same of `a` and `b`, in that order. */
interface Direction {
  readonly kind: string;
  /** Whom it relates. */
  readonly between: "people" | "places";
  /** `value` is the same in both memories of a pair. */
  readonly value: (random: Random) => string;
  readonly says: readonly ((a: string, b: string, value: string) => string)[];
  readonly asks: readonly ((a: string, b: string, value: string) => string)[];
}

const OTHERS = 20;
/** Of the other memories, how many are about one of the two. */
const OTHERS_OF_THEM = 4;

const noun = (random: Random) => random.pick(NOUNS);
const amount = (random: Random) => String(10 + 5 * random.below(40));
const hours = (random: Random) => String(2 + random.below(9));
const rank =
  (...ranks: readonly string[]) =>
  (random: Random) =>
    random.pick(ranks);

const DIRECTIONS: readonly Direction[] = [
  {
    kind: "owes",
    between: "people",
    value: amount,
    says: [(a, b, v) => `${a} owes ${b} ${v} euros.`, (a, b, v) => `${a} still owes ${v} euros to ${b}.`],
    asks: [
      (a, b) => `How much does ${a} owe ${b}?`,
      (a, b) => `How many euros does ${a} owe to ${b}?`,
      (_, b) => `Who owes ${b} euros?`,
    ],
  },
  {
    kind: "gives",
    between: "people",
    value: noun,
    says: [(a, b, v) => `${a} gave ${b} a ${v}.`, (a, b, v) => `${a} gave a ${v} to ${b} at the party.`],
    asks: [
      (a, b) => `What did ${a} give ${b}?`,
      (a, b) => `What did ${a} give to ${b}?`,
      (_, b, v) => `Who gave ${b} a ${v}?`,
      (a, _, v) => `Whom did ${a} give a ${v}?`,
    ],
  },
  {
    kind: "lends",
    between: "people",
    value: noun,
    says: [(a, b, v) => `${a} lent the ${v} to ${b}.`, (a, b, v) => `${b} was lent the ${v} by ${a}.`],
    asks: [
      (a, b) => `What did ${a} lend to ${b}?`,
      (a, b) => `What was ${b} lent by ${a}?`,
      (_, b, v) => `Who lent the ${v} to ${b}?`,
    ],
  },
  {
    kind: "receives from",
    between: "people",
    value: noun,
    says: [
      (a, b, v) => `${a} received a ${v} from ${b}.`,
      (a, b, v) => `In spring ${a} received a ${v} from ${b}.`,
    ],
    asks: [
      (a, b) => `What did ${a} receive from ${b}?`,
      (a, _, v) => `From whom did ${a} receive a ${v}?`,
      (a, _, v) => `Who did ${a} receive a ${v} from?`,
    ],
  },
  {
    kind: "from … to",
    between: "places",
    value: hours,
    says: [
      (a, b, v) => `The night bus from ${a} to ${b} takes ${v} hours.`,
      (a, b, v) => `The night bus to ${b} from ${a} takes ${v} hours.`,
    ],
    asks: [
      (a, b) => `How long does the night bus from ${a} to ${b} take?`,
      (a, b) => `How many hours to ${b} from ${a} by night bus?`,
    ],
  },
  {
    kind: "reports to",
    between: "people",
    value: noun,
    says: [(a, b) => `${a} reports to ${b}.`, (a, b, v) => `${a} reports to ${b} about the ${v}.`],
    asks: [
      (a) => `Who does ${a} report to?`,
      (a) => `To whom does ${a} report?`,
      (_, b) => `Who reports to ${b}?`,
      (a, b) => `Does ${a} report to ${b}?`,
    ],
  },
  {
    kind: "before, after",
    between: "people",
    value: noun,
    says: [
      (a, b, v) => `${a} joined the ${v} team before ${b}.`,
      (a, b, v) => `${b} joined the ${v} team after ${a}.`,
    ],
    asks: [
      (_, b, v) => `Who joined the ${v} team before ${b}?`,
      (a, _, v) => `Who joined the ${v} team after ${a}?`,
      (a, b, v) => `Did ${a} join the ${v} team before ${b}?`,
    ],
  },
  {
    kind: "passive",
    between: "people",
    value: noun,
    says: [
      (a, b, v) => `${b}'s ${v} patch was reviewed by ${a}.`,
      (a, b, v) => `${a} reviewed ${b}'s ${v} patch.`,
    ],
    asks: [
      (_, b) => `Who reviewed ${b}'s patch?`,
      (_, b) => `By whom was ${b}'s patch reviewed?`,
      (a) => `Whose patch did ${a} review?`,
      (a) => `Whose patch was reviewed by ${a}?`,
    ],
  },
  {
    kind: "hires",
    between: "people",
    value: noun,
    says: [
      (a, b, v) => `${b} was hired by ${a} for the ${v} project.`,
      (a, b, v) => `${a} hired ${b} for the ${v} project.`,
    ],
    asks: [
      (_, b, v) => `Who hired ${b} for the ${v} project?`,
      (a, _, v) => `Whom did ${a} hire for the ${v} project?`,
      (_, b) => `Who was ${b} hired by?`,
      (a, b) => `Was ${b} hired by ${a}?`,
    ],
  },
  {
    kind: "possessive",
    between: "people",
    value: rank("mentor", "landlord", "dentist", "godfather", "lawyer", "tutor"),
    says: [
      (a, b, v) => `${a}'s ${v} is ${b}.`,
      (a, b, v) => `${b} is ${a}'s ${v}.`,
      (a, b, v) => `The ${v} of ${a} is ${b}.`,
    ],
    asks: [
      (a, _, v) => `Who is ${a}'s ${v}?`,
      (_, b, v) => `Whose ${v} is ${b}?`,
      (a, _, v) => `Who is the ${v} of ${a}?`,
    ],
  },
  {
    kind: "of the user",
    between: "people",
    value: amount,
    says: [(_, b, v) => `The user owes ${b} ${v} euros.`],
    asks: [(_, b) => `How much do I owe ${b}?`, (_, b) => `How much does the user owe ${b}?`],
  },
  {
    kind: "to the user",
    between: "people",
    value: amount,
    says: [(a, _, v) => `${a} owes the user ${v} euros.`],
    asks: [(a) => `How much does ${a} owe me?`, (a) => `How much does ${a} owe the user?`],
  },
];

export const ROLE_KINDS: readonly string[] = DIRECTIONS.map(({ kind }) => kind);

/** So many pairs, of each kind in turn. The same for the same seed. */
export function rolePairs(count: number, seed: number): RolePair[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const direction = DIRECTIONS[at % DIRECTIONS.length] as Direction;
    const [a, b, ...strangers] = different(direction.between === "people" ? FIRST_NAMES : PLACES, random);
    return pairOf(direction, [a as string, b as string], strangers, random);
  });
}

function pairOf(
  direction: Direction,
  [a, b]: readonly [string, string],
  strangers: readonly string[],
  random: Random,
): RolePair {
  const value = direction.value(random);
  const says = random.pick(direction.says);
  return {
    kind: direction.kind,
    right: says(a, b, value),
    reversed: reversedOf(direction, says, [a, b], value),
    question: random.pick(direction.asks)(a, b, value),
    others: others([a, b], strangers, random),
  };
}

/** Of the user, the other direction is said by another kind. */
function reversedOf(
  { kind }: Direction,
  says: Direction["says"][number],
  [a, b]: readonly [string, string],
  value: string,
): string {
  if (kind === "of the user") return `${b} owes the user ${value} euros.`;
  if (kind === "to the user") return `The user owes ${a} ${value} euros.`;
  return says(b, a, value);
}

/** What else is known: a few things about the two, and the same things about others. */
function others(them: readonly string[], strangers: readonly string[], random: Random): string[] {
  const relations = RELATIONS.filter(({ about }) => about === "person");
  return Array.from({ length: OTHERS }, (_, at) => {
    const subject = (at < OTHERS_OF_THEM ? them[at % 2] : strangers[at]) as string;
    // Not the relations that are asked for.
    const relation = random.pick(relations.filter(({ name }) => name !== "manager"));
    return relation.state(subject, random.pick(relation.values));
  });
}

/** Two for the pair, and one for each of the other memories. */
function different(names: readonly string[], random: Random): string[] {
  const left = [...names];
  return Array.from({ length: OTHERS + 2 }, () => left.splice(random.below(left.length), 1)[0] as string);
}
