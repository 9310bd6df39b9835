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

/** What a text states is read from its beginning, in UTF-16 units: more is no statement but a document. */
export const STATED_LENGTH_MAX = 2048;
/** Of each two texts so many sentences are compared, each with each. */
const SENTENCES_MAX = 24;

/** A sentence with what comparisons need of it. */
interface StatedSentence {
  readonly text: string;
  readonly compared: ComparedSentence;
  readonly statement: Statement;
}

/** What the beginning of a text states, sentence by sentence. A question states nothing. */
export function statedBy(text: string): readonly StatedSentence[] {
  return stated(read(text.slice(0, STATED_LENGTH_MAX)).sentences);
}

/** What compared sentences (see `Reading`) state. */
export function stated(sentences: readonly string[]): readonly StatedSentence[] {
  return sentences
    .filter((sentence) => !sentence.endsWith("?"))
    .map((text) => ({ text, compared: comparedSentence(text), statement: statementOf(text) }));
}

/** Whether two texts state of one subject, in one relation, another value. Other subjects, roles and times are other facts. */
export function cannotBothBeTrue(a: readonly StatedSentence[], b: readonly StatedSentence[]): boolean {
  const place = contradictionOf(a, b);
  return place !== null && place.isOfAnother !== true;
}

/**
 * Where two texts contradict each other, and null where they do not: of the sentences that they do not have in common two are
 * equal but for one place (`contradictingPlace`), or say of the same another value (`statementsConflict`). Symmetric but for the
 * order of the answer, null for texts that say the same. Contradictions in one fact come before those in what it is about.
 */
export function contradictionOf(
  a: readonly StatedSentence[],
  b: readonly StatedSentence[],
): Difference | null {
  const [ofA, ofB] = [unshared(a, b), unshared(b, a)];
  let ofAnother: Difference | null = null;
  for (const one of ofA) {
    for (const other of ofB) {
      const place = contradictingPlace(one.compared, other.compared);
      const difference =
        place ??
        (statementsConflict(one.statement, other.statement)
          ? differenceOf(one.statement, other.statement)
          : null);
      if (difference !== null && difference.isOfAnother !== true) return difference;
      ofAnother ??= difference;
    }
  }
  return ofAnother;
}

/** The values of each, and what else it alone says it is about. */
function differenceOf(one: Statement, other: Statement): Difference {
  const only = (a: Statement, b: Statement) => [
    ...a.values,
    ...[...a.topic].filter((word) => !b.topic.has(word)),
  ];
  const place = { one: only(one, other), other: only(other, one) };
  const isOfOne =
    areInOneOrder(one.topic, other.topic) &&
    !(hasOther(one.topic, other.topic) && hasOther(other.topic, one.topic));
  return isOfOne ? place : { ...place, isOfAnother: true };
}

function unshared(some: readonly StatedSentence[], others: readonly StatedSentence[]): StatedSentence[] {
  const shared = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !shared.has(text)).slice(0, SENTENCES_MAX);
}

/** What a text states: what it is about, its values, and whether it denies. */
export interface Statement {
  /** Words that are neither value nor negation nor filler. */
  readonly topic: ReadonlySet<string>;
  /** Numbers, dates, weekdays, months, and one side of pairs such as on/off. */
  readonly values: ReadonlySet<string>;
  /** Numbers that name a thing ("ticket 12") and do not measure it. */
  readonly names: ReadonlySet<string>;
  /** An odd number of negations. */
  readonly isNegated: boolean;
}

/** Share of topic words in common, of the longer text's, from which two texts count as nearly the same. */
const TOPIC_OVERLAP_MIN = 0.75;
/** A negation alone decides only between texts that are closer still. */
const NEGATED_OVERLAP_MIN = 0.85;
/** Fewer words than this in common must be all there are. */
const TOPIC_WORDS_MIN = 2;

/**
 * True where two texts say nearly the same and differ in what they state: another number, date, weekday,
 * month or side of a pair such as enabled/disabled, or one denies what the other affirms.
 *
 * One text that only adds a value ("at 5" and "at 5 on 3 May") does not conflict. Numbers that name a thing
 * ("ticket 12", "step 3") must agree, or the texts are about different things. Symmetric; false for equal texts.
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
  let negations = 0;
  let before = "";
  const { words } = read(text);
  words.forEach((word, at) => {
    const number = numberOf(word);
    if (number !== null) (LABELS.has(before) ? names : values).add(number);
    else if (isNegation(word)) negations++;
    else if (isMonthName(word, before, words[at + 1])) values.add(word.slice(0, 3));
    else if (VALUE_WORDS.has(word)) values.add(VALUE_WORDS.get(word) as string);
    else if (!FILLERS.has(word)) topic.add(singular(word));
    before = word;
  });
  return { topic, values, names, isNegated: negations % 2 === 1 };
}

const FILLERS = wordSet(english.FILLERS);
/** In full, or by the first letters. */
const MONTHS = new Set(
  [...wordSet(english.MONTHS)].flatMap((month) => [month, month.slice(0, 3), month.slice(0, 4)]),
);
/** "may" and "march" are months only beside a number. */
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

/** Whether two texts that differ in this exclude each other by it: one denies the other, or has the other side of a pair. */
export function areExclusive(place: Difference): boolean {
  const [one, other] = [place.one, place.other].map((words) =>
    words.length === 1 ? VALUE_WORDS.get(words[0] as string) : undefined,
  );
  return isDenial(place) || (one !== undefined && SIDES.get(one) === other);
}

/** "eats" and "eat", "ports" and "port": the one ending that the negation of an English sentence changes. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function isMonthName(word: string, before: string, after: string | undefined): boolean {
  if (!MONTHS.has(word)) return false;
  return !UNSURE_MONTHS.has(word) || numberOf(before) !== null || numberOf(after ?? "") !== null;
}

/** A number in one spelling: "1,000" and "1000.0" are the same; dates and times stay as written. */
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
 * Whether the words that two topics share stand in one order, of which a beginning may have come to the end ("in winter …",
 * "… in winter"): in another order they may have other roles, as whoever owes and is owed.
 */
function areInOneOrder(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [ofA, ofB] = [sharedWords(a, b), sharedWords(b, a)];
  const from = ofB.indexOf(ofA[0] as string);
  const turned = ofA.length > 2 ? [...ofB.slice(from), ...ofB.slice(0, from)] : ofB;
  return ofA.every((word, at) => word === turned[at]);
}

/**
 * Whether two statements have the same of a question's words, one of them in its order and the other in another: whoever does
 * it, and to whom, are then not those that are asked about.
 */
export function haveOtherRoles({ topic: asked }: Statement, a: Statement, b: Statement): boolean {
  const [ofA, ofB] = [sharedWords(a.topic, asked), sharedWords(b.topic, asked)];
  if (!sameMembers(new Set(ofA), new Set(ofB)) || areInOneOrder(a.topic, b.topic)) return false;
  const order = sharedWords(asked, a.topic).join(" ");
  return (ofA.join(" ") === order) !== (ofB.join(" ") === order);
}

function sharedWords(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((word) => others.has(word));
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const member of a) if (b.has(member)) count++;
  return count;
}
