import { createRandom, type Random } from "../../../../test/support/random.ts";
import { asText, Prose } from "../prose.ts";
import { RELATIONS, type Relation, valuesOf } from "../relations.ts";
import { Subjects } from "../subjects.ts";

/** How a question stands to what is stored. */
export const SITUATIONS = [
  "plain",
  "paraphrased",
  "withheld",
  "look-alike",
  "contradicted",
  "off-topic",
] as const;
export type Situation = (typeof SITUATIONS)[number];

export interface StatusCase {
  readonly situation: Situation;
  readonly question: string;
  /** What is stored for it, the evidence first where there is any. */
  readonly contents: readonly string[];
  /** How many of the contents answer the question: more than one contradict each other. */
  readonly answering: number;
}

/** How many other facts are told of each subject. */
const OTHER_FACTS = 2;
/** Of so many memories one says more around its fact. */
const LONGER_OF = 3;
const AROUND_LENGTH = 300;

/** So many cases of each situation, each about a subject of its own. */
export function statusCases(size: number, seed: number): StatusCase[] {
  const random = createRandom(seed);
  const subjects = new Subjects(random);
  return Array.from({ length: size * SITUATIONS.length }, (_, at) => {
    const situation = SITUATIONS[at % SITUATIONS.length] as Situation;
    const relation = RELATIONS[Math.floor(at / SITUATIONS.length) % RELATIONS.length] as Relation;
    const subject = subjects.one(relation.about);
    const made = MADE[situation](relation, subject, random, () => subjects.like(subject));
    const others = othersThan(relation, random).map((other) => stated(other, subject, random));
    return { situation, ...made, contents: [...made.contents, ...others].map((text) => amid(text, random)) };
  });
}

type Made = Pick<StatusCase, "question" | "contents" | "answering">;

const MADE: Readonly<
  Record<Situation, (relation: Relation, subject: string, random: Random, like: () => string) => Made>
> = {
  plain: (relation, subject, random) => ({
    question: relation.ask(subject),
    contents: [stated(relation, subject, random)],
    answering: 1,
  }),
  paraphrased: (relation, subject, random) => ({
    question: relation.paraphrase(subject),
    contents: [stated(relation, subject, random)],
    answering: 1,
  }),
  withheld: (relation, subject) => ({ question: relation.ask(subject), contents: [], answering: 0 }),
  "look-alike": (relation, subject, random, like) => ({
    question: relation.ask(subject),
    contents: [stated(relation, like(), random)],
    answering: 0,
  }),
  contradicted: (relation, subject, random) => ({
    question: relation.ask(subject),
    contents: valuesOf(relation, 2, random).map((value) => relation.state(subject, value)),
    answering: 2,
  }),
  "off-topic": (_, __, random) => ({
    question: random.pick(FAR_QUESTIONS)(random),
    contents: [],
    answering: 0,
  }),
};

const stated = (relation: Relation, subject: string, random: Random) =>
  relation.state(subject, random.pick(relation.values));

function othersThan(relation: Relation, random: Random): Relation[] {
  const others = RELATIONS.filter(({ about, name }) => about === relation.about && name !== relation.name);
  return Array.from(
    { length: OTHER_FACTS },
    () => others.splice(random.below(others.length), 1)[0] as Relation,
  );
}

/** Now and then among other sentences, as facts are in notes. */
function amid(fact: string, random: Random): string {
  if (random.below(LONGER_OF) > 0) return fact;
  const sentences = new Prose(random).sentences(AROUND_LENGTH);
  return asText(sentences.toSpliced(random.below(sentences.length + 1), 0, fact));
}

/** About what no memory of these suites is about. */
const FAR_QUESTIONS: readonly ((random: Random) => string)[] = [
  (r) => `How tall is ${r.pick(["Kilimanjaro", "Mont Blanc", "Aconcagua", "Denali", "K2"])}?`,
  (r) => `Who composed ${r.pick(["Tosca", "Fidelio", "Carmen", "Lohengrin", "Norma"])}?`,
  (r) => `What is the capital of ${r.pick(["Mongolia", "Paraguay", "Estonia", "Senegal", "Laos"])}?`,
  (r) => `How do I cook ${r.pick(["risotto", "goulash", "ratatouille", "paella", "ramen"])} for six?`,
  (r) => `Which vitamins are in ${r.pick(["spinach", "carrots", "broccoli", "lentils", "papaya"])}?`,
  (r) => `What does ${r.pick(["photosynthesis", "osmosis", "inflation", "entropy", "irony"])} mean?`,
  (r) => `Who won the football cup in ${1960 + r.below(60)}?`,
  (r) => `Is ${r.pick(["ibuprofen", "aspirin", "insulin", "penicillin"])} safe with alcohol?`,
  (r) => `How far away is ${r.pick(["Jupiter", "the Moon", "Andromeda", "Proxima Centauri"])}?`,
  (r) => `What did ${r.pick(["Aristotle", "Kant", "Hume", "Spinoza"])} think about freedom?`,
];
