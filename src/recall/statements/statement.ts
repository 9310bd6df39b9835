import { read } from "../language/reading.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";
import {
  type ComparedSentence,
  comparedSentence,
  contradictingPlace,
  type Difference,
  isDenial,
  isNegation,
  LABELS,
  NUMBER_WORDS,
} from "./near-equal.ts";

/**
 * Only this much of a text's beginning is read for statements, in UTF-16 units. A longer text is a document, not a
 * statement.
 */
export const STATED_LENGTH_MAX = 2048;
/** Maximum number of sentences per text, compared pairwise. */
const SENTENCES_MAX = 24;

/** A sentence with the data for comparisons. */
interface StatedSentence {
  readonly text: string;
  readonly compared: ComparedSentence;
  readonly statement: Statement;
}

/** Statements in the beginning of a text, by sentence. Questions are left out. */
export function statedBy(text: string): readonly StatedSentence[] {
  return stated(read(text.slice(0, STATED_LENGTH_MAX)).sentences);
}

/** Statements in compared sentences (see `Reading`). */
export function stated(sentences: readonly string[]): readonly StatedSentence[] {
  return sentences
    .filter((sentence) => !sentence.endsWith("?"))
    .map((text) => ({ text, compared: comparedSentence(text), statement: statementOf(text) }));
}

/**
 * Whether two texts give different values for one relation of one subject. Statements with other subjects, roles or
 * times do not conflict.
 */
export function cannotBothBeTrue(a: readonly StatedSentence[], b: readonly StatedSentence[]): boolean {
  const place = contradictionOf(a, b);
  return place !== null && place.isOfAnother !== true;
}

/**
 * Finds where two texts contradict each other; null if nowhere. Among the sentences they do not share, two must be
 * equal except in one place (`contradictingPlace`), or give different values for the same thing (`statementsConflict`).
 * Symmetric except for the order of the sides; null for texts that say the same. Contradictions within one fact take
 * precedence over those about its subject.
 */
export function contradictionOf(
  a: readonly StatedSentence[],
  b: readonly StatedSentence[],
): Difference | null {
  const [ofA, ofB] = [unshared(a, b), unshared(b, a)];
  let aboutAnother: Difference | null = null;
  for (const one of ofA) {
    for (const other of ofB) {
      const place = contradictingPlace(one.compared, other.compared);
      const found =
        place ??
        (statementsConflict(one.statement, other.statement)
          ? differenceOf(one.statement, other.statement)
          : null);
      const difference =
        found !== null && goOtherWays(one.statement, other.statement)
          ? { ...found, ...ofAnother(one.statement, other.statement) }
          : found;
      if (difference !== null && difference.isOfAnother !== true) return difference;
      aboutAnother ??= difference;
    }
  }
  return aboutAnother;
}

function ofAnother(one: Statement, other: Statement) {
  return { isOfAnother: true, shared: sharedWords(one.topic, other.topic) } as const;
}

/** The values of each, with the topic words that only it has. */
function differenceOf(one: Statement, other: Statement): Difference {
  const only = (a: Statement, b: Statement) => [
    ...a.values,
    ...[...a.topic].filter((word) => !b.topic.has(word)),
  ];
  const place = { one: only(one, other), other: only(other, one) };
  const isOfOne =
    areInOneOrder(one.topic, other.topic) &&
    !(hasOther(one.topic, other.topic) && hasOther(other.topic, one.topic));
  return isOfOne ? place : { ...place, ...ofAnother(one, other) };
}

function unshared(some: readonly StatedSentence[], others: readonly StatedSentence[]): StatedSentence[] {
  const shared = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !shared.has(text)).slice(0, SENTENCES_MAX);
}

/** A text's statement: its topic, its values, and whether it is negated. */
export interface Statement {
  /** Words other than values, negations and fillers. */
  readonly topic: ReadonlySet<string>;
  /** Numbers, dates, weekdays, months, and one side of pairs such as on/off. */
  readonly values: ReadonlySet<string>;
  /** Numbers that name a thing ("ticket 12") instead of measuring it. */
  readonly names: ReadonlySet<string>;
  /** The preposition of direction before a word of the topic: "to" or "from". */
  readonly directions: ReadonlyMap<string, string>;
  /** True for an odd number of negations. */
  readonly isNegated: boolean;
}

/** Minimum share of common topic words, relative to the longer text, for two texts to count as nearly the same. */
const TOPIC_OVERLAP_MIN = 0.75;
/** A mere negation decides only between texts that are even closer. */
const NEGATED_OVERLAP_MIN = 0.85;
/** If fewer topic words than this are shared, they must be all there are. */
const TOPIC_WORDS_MIN = 2;

/**
 * True if two texts say nearly the same but differ in what they state: another number, date, weekday, month or side of
 * a pair such as enabled/disabled, or one negates the other.
 *
 * A text that only adds a value ("at 5" and "at 5 on 3 May") does not conflict. Numbers that name a thing ("ticket 12",
 * "step 3") must agree; otherwise the texts are about different things. Symmetric; false for equal texts.
 */
export function statementsConflict(a: Statement, b: Statement): boolean {
  if (!sameMembers(a.names, b.names)) return false;
  const larger = Math.max(a.topic.size, b.topic.size);
  const shared = sharedCount(a.topic, b.topic);
  const isAboutTheSame = shared >= TOPIC_WORDS_MIN ? shared >= TOPIC_OVERLAP_MIN * larger : shared === larger;
  if (shared === 0 || !isAboutTheSame) return false;
  if (hasOther(a.values, b.values) && hasOther(b.values, a.values)) return true;
  return a.isNegated !== b.isNegated && shared >= NEGATED_OVERLAP_MIN * larger;
}

export function statementOf(text: string): Statement {
  const topic = new Set<string>();
  const values = new Set<string>();
  const names = new Set<string>();
  const directions = new Map<string, string>();
  let negations = 0;
  let direction: string | undefined;
  let before = "";
  const { words } = read(text);
  words.forEach((word, at) => {
    const number = numberOf(word);
    if (number !== null) (LABELS.has(before) ? names : values).add(number);
    else if (isNegation(word)) negations++;
    else if (isMonthName(word, before, words[at + 1])) values.add(word.slice(0, 3));
    else if (VALUE_WORDS.has(word)) values.add(VALUE_WORDS.get(word) as string);
    else if (!FILLERS.has(word) && !DIRECTIONS.has(word)) {
      topic.add(singular(word));
      if (direction !== undefined) directions.set(singular(word), direction);
    }
    // An article may stand between the preposition and its word.
    if (!ARTICLES.has(word)) direction = DIRECTIONS.get(word);
    before = word;
  });
  return { topic, values, names, directions, isNegated: negations % 2 === 1 };
}

const FILLERS = wordSet(english.FILLERS);
const ARTICLES = wordSet("a an the");
const DIRECTIONS = new Map(
  english.DIRECTIONS.flatMap((words) => {
    const [side = "", ...more] = words.split(" ");
    return [side, ...more].map((word): [string, string] => [word, side]);
  }),
);
/** In full, or abbreviated to the first letters. */
const MONTHS = new Set(
  [...wordSet(english.MONTHS)].flatMap((month) => [month, month.slice(0, 3), month.slice(0, 4)]),
);
/** "may" and "march" count as months only beside a number. */
const UNSURE_MONTHS = wordSet(english.MONTHS_THAT_ARE_WORDS, "mar marc");
const CONTRARIES = [...english.CONTRARIES, ...Object.values(others.CONTRARIES).flat()];
const SIDES: ReadonlyMap<string, string> = new Map(
  CONTRARIES.flatMap((pair) => {
    const [one, other] = pair.split(" ") as [string, string];
    return [
      [one, other],
      [other, one],
    ] as const;
  }),
);
const VALUE_WORDS = new Map<string, string>([
  ...Array.from(wordSet(english.WEEKDAYS), (day): [string, string] => [day, day]),
  ...CONTRARIES.flatMap((pair) =>
    pair.split(" ").flatMap((side) => side.split("/").map((word): [string, string] => [word, side])),
  ),
]);

/**
 * Whether this difference makes two texts mutually exclusive: one negates the other, or has the other side of a pair.
 */
export function areExclusive(place: Difference): boolean {
  const [one, other] = [place.one, place.other].map((words) =>
    words.length === 1 ? VALUE_WORDS.get(words[0] as string) : undefined,
  );
  return isDenial(place) || (one !== undefined && SIDES.get(one) === other);
}

/** "eats" and "eat", "ports" and "port": strips the one ending that negation changes in an English sentence. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function isMonthName(word: string, before: string, after: string | undefined): boolean {
  if (!MONTHS.has(word)) return false;
  return !UNSURE_MONTHS.has(word) || numberOf(before) !== null || numberOf(after ?? "") !== null;
}

/** Normalises a number: "1,000" and "1000.0" are the same. Dates and times stay as written. */
function numberOf(word: string): string | null {
  const spelled = NUMBER_WORDS.get(word);
  if (spelled !== undefined) return spelled;
  if (!/^\p{N}/u.test(word)) return null;
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word) ? word.replaceAll(",", "") : word;
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? String(Number(plain)) : plain;
}

function hasOther(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const member of a) if (!b.has(member)) return true;
  return false;
}

function sameMembers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && !hasOther(a, b);
}

/**
 * Whether the words shared by two topics are in the same order, except that the beginning may have moved to the end
 * ("in winter …", "… in winter"). In another order they may have other roles, such as debtor and creditor.
 */
function areInOneOrder(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [ofA, ofB] = [sharedWords(a, b), sharedWords(b, a)];
  const from = ofB.indexOf(ofA[0] as string);
  const turned = ofA.length > 2 ? [...ofB.slice(from), ...ofB.slice(0, from)] : ofB;
  return ofA.every((word, at) => word === turned[at]);
}

/**
 * Whether two statements have the same words of a question, but only one has them in the question's order. The
 * other then assigns the roles differently from the question.
 */
export function haveOtherRoles({ topic: asked }: Statement, a: Statement, b: Statement): boolean {
  const [ofA, ofB] = [sharedWords(a.topic, asked), sharedWords(b.topic, asked)];
  if (!sameMembers(new Set(ofA), new Set(ofB)) || areInOneOrder(a.topic, b.topic)) return false;
  const order = sharedWords(asked, a.topic).join(" ");
  return (ofA.join(" ") === order) !== (ofB.join(" ") === order);
}

/** Whether one statement goes to what the other comes from. */
function goOtherWays({ directions: a }: Statement, { directions: b }: Statement): boolean {
  return [...a].some(([word, direction]) => b.has(word) && b.get(word) !== direction);
}

function sharedWords(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((word) => others.has(word));
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const member of a) if (b.has(member)) count++;
  return count;
}
