import { isLiveStatus } from "../index/scope.ts";
import { read } from "../language/reading.ts";
import { once } from "../once.ts";
import type { Steps } from "../work.ts";
import { type Difference, isNegated } from "./near-equal.ts";
import {
  type Answer,
  answerIn,
  hasExact,
  mayAnswer,
  mentionsAny,
  namesAny,
  namesMost,
  type Question,
  shareMet,
  shareMetAtMost,
} from "./question.ts";
import { ReadingAllowance } from "./reading-allowance.ts";
import { areReversed, type Relating } from "./relation.ts";
import { comparedText, saysTheSame } from "./sameness.ts";
import {
  areExclusive,
  cannotBothBeTrue,
  contradictionOf,
  haveOtherRoles,
  STATED_LENGTH_MAX,
  stated,
  statedBy,
  statementOf,
} from "./statement.ts";

/** The fields compared of a memory that recall found. */
export interface Conflictable {
  readonly id: string;
  readonly content: string;
  /** Absolute relevance, 0..1. */
  readonly relevance: number;
  readonly semanticKey: string | null;
  readonly status: string;
  readonly supersededBy: string | null;
}

/** Two memories that give different values for the same thing. */
export interface ConflictingPair<M> {
  readonly sides: readonly [M, M];
  readonly reason: "same_semantic_key" | "other_values";
}

/** How the memories that may answer a question relate to each other. */
export interface Contradictions<M> {
  readonly pairs: readonly ConflictingPair<M>[];
  /** Memories for which another memory also answers the question, and it is unclear whether both say the same. */
  readonly unsure: ReadonlySet<M>;
}

/** The question as a statement, read when first needed. */
type AskedStatement = () => ReturnType<typeof statementOf>;

/** Maximum numbers of answering and of strong memories compared with each other, best first. */
const ANSWERING_MAX = 24;
const STRONG_MAX = 12;
/** A memory is strong if it is nearly as relevant as the best. */
const STRONG = { relevance: 0.55, shareOfBest: 0.7 } as const;
/** A memory that does not meet all demands of the question must meet this share to count as contradicting. */
const ASKED_SHARE_MIN = 0.6;
/** The minimum for a yes/no question, which may name what the other side says in another word. */
const ASKED_WHETHER_SHARE_MIN = 0.5;
/** Maximum number of sentences compared of a partial answer: those that meet most of the question. */
const SENTENCES_MAX = 4;
/**
 * Two answers with no words in common give different values only if the question has at least `DEMANDS_MIN` demands,
 * and each answer is one sentence with at most `TOLD_MAX` words that the question lacks.
 */
const DEMANDS_MIN = 3;
const TOLD_MAX = 6;
/**
 * Budgets for long memories: how much is searched for the question's demands, and how much is read, in UTF-16 units.
 */
const LOOKED_THROUGH_MAX = 2 ** 22;
const READ_LENGTH_MAX = 2 ** 17;

/** A memory prepared for comparison. */
interface Compared<M> {
  readonly memory: M;
  /** null if it does not meet all demands. */
  readonly answer: Answer | null;
  readonly stated: ReturnType<typeof stated>;
  /** How the memory relates those whom the question names. Read when first needed. */
  readonly relating: () => Relating | null;
}

/**
 * Finds the memories whose answers contradict each other. Two contradict if they state the same fact by their key but
 * differ in text, are equal except in one place, give different values for the same thing (`contradictionOf`), or
 * answer the same question with nothing in common. A difference in a word that the question names concerns something
 * else, unless the two are mutually exclusive.
 *
 * If some memories meet all demands, the others count only against those. The number of comparisons is bounded.
 */
export function* contradictionsAmong<M extends Conflictable>(
  memories: readonly M[],
  question: Question,
): Steps<Contradictions<M>> {
  const compared = yield* comparable(memories, question);
  const asked = once(() => statementOf(question.words.join(" ")));
  const isAnswered = compared.some(({ answer }) => answer !== null);
  const pairs: ConflictingPair<M>[] = [];
  const unsure = new Set<M>();
  for (const [at, a] of compared.entries()) {
    yield;
    for (const b of compared.slice(at + 1)) {
      if (isAnswered && a.answer === null && b.answer === null) continue;
      const reason = reasonFor(a, b, question, asked);
      if (reason === "unsure") unsure.add(a.memory).add(b.memory);
      else if (reason !== null) pairs.push({ sides: [a.memory, b.memory], reason });
    }
  }
  return { pairs, unsure };
}

/** Among memories without a question at hand, those that contradict another. Quadratic, so pass only a few. */
export function conflictsAmong<M extends Pick<Conflictable, "content" | "semanticKey">>(
  memories: readonly M[],
): M[] {
  return [...new Set(conflictingPairs(memories).flatMap(({ sides }) => sides))];
}

/** The same as pairs. */
export function conflictingPairs<M extends Pick<Conflictable, "content" | "semanticKey">>(
  memories: readonly M[],
): ConflictingPair<M>[] {
  const compared = memories.map((memory) => ({ memory, stated: statedBy(memory.content) }));
  return compared.flatMap(({ memory, stated }, at) =>
    compared.slice(at + 1).flatMap((other): ConflictingPair<M>[] => {
      const sides = [memory, other.memory] as const;
      if (isSameKey(...sides)) return saysOther(...sides) ? [{ sides, reason: "same_semantic_key" }] : [];
      return cannotBothBeTrue(stated, other.stated) ? [{ sides, reason: "other_values" }] : [];
    }),
  );
}

function* comparable<M extends Conflictable>(
  memories: readonly M[],
  question: Question,
): Steps<Compared<M>[]> {
  const live = memories
    .filter(({ status, supersededBy }) => isLiveStatus(status) && supersededBy === null)
    .sort((a, b) => b.relevance - a.relevance);
  const strongMin = Math.max(STRONG.relevance, STRONG.shareOfBest * (live[0]?.relevance ?? 0));
  const answerOf = answerReader(question);
  const found: Compared<M>[] = [];
  for (const [rank, memory] of live.entries()) {
    yield;
    const isStrong = memory.relevance >= strongMin;
    const answer = answerOf(memory.content);
    const relating = once(() => question.relation?.(memory.content) ?? null);
    if (answer !== null) found.push({ memory, answer, stated: stated(answer.sentences), relating });
    else if (rank < STRONG_MAX && (isStrong || question.asksWhether) && hasExact(memory.content, question)) {
      const asked = mostAsked(memory.content, question);
      // A negative answer may lack the very word asked about ("unable", "closed") and be less relevant for it.
      if (isStrong || asked.length > 0) found.push({ memory, answer, stated: asked, relating });
    }
  }
  return found;
}

/**
 * Returns a reader that finds a memory's answer to a question. Call it best first; it returns null once its budget is
 * spent.
 */
function answerReader(question: Question): (content: string) => Answer | null {
  const looking = new ReadingAllowance(LOOKED_THROUGH_MAX);
  const reading = new ReadingAllowance(READ_LENGTH_MAX);
  let answers = 0;
  return (content) => {
    const { length } = content;
    if (answers >= ANSWERING_MAX || !looking.allows(length) || !reading.allows(length)) return null;
    looking.spend(length);
    if (!mayAnswer(content, question)) return null;
    reading.spend(length);
    const answer = answerIn(content, question);
    if (answer !== null) answers++;
    return answer;
  };
}

/** The sentences that meet most demands, from a text that does not meet all; none if they meet too few. */
function mostAsked(content: string, question: Question): ReturnType<typeof stated> {
  const start = content.slice(0, STATED_LENGTH_MAX);
  if (question.demands.length === 0) return stated(read(start).sentences);
  const least = question.asksWhether ? ASKED_WHETHER_SHARE_MIN : ASKED_SHARE_MIN;
  if (shareMetAtMost(start, question) < least) return stated([]);
  const { sentences } = read(start);
  const asked = sentences
    .map((sentence) => ({ sentence, share: shareMet(sentence, question) }))
    .filter(({ share }) => share >= least)
    .sort((a, b) => b.share - a.share);
  return stated(asked.slice(0, SENTENCES_MAX).map(({ sentence }) => sentence));
}

function reasonFor<M extends Conflictable>(
  a: Compared<M>,
  b: Compared<M>,
  question: Question,
  asked: AskedStatement,
): ConflictingPair<M>["reason"] | "unsure" | null {
  if (isSameKey(a.memory, b.memory)) return saysOther(a.memory, b.memory) ? "same_semantic_key" : null;
  const reason = valuesReasonFor(a, b, question);
  // Checked last, since it takes longest.
  return reason !== null && sayOfOtherRoles(a, b, asked) ? null : reason;
}

function valuesReasonFor<M extends Conflictable>(
  a: Compared<M>,
  b: Compared<M>,
  question: Question,
): "other_values" | "unsure" | null {
  const place = contradictingPlaceOf(a, b, question);
  // A word that both have because the question demands it does not distinguish them: Ann's dog may be called Ann.
  const names = a.answer !== null && b.answer !== null ? mentionsAny : namesAny;
  const isNamed = place !== null && names(question, otherWords(place));
  // "Is it open?": "it is closed" is about the same thing, though the question names one side.
  if (place !== null && (!isNamed || areExclusive(place))) return "other_values";
  if (a.answer === null || b.answer === null) return isNamed && question.asksWhether ? "unsure" : null;
  if (isNamed) return "unsure";
  return answersOtherwise(a.answer, b.answer, question);
}

/** "How much does Lena owe Tomas?" is not answered by what Tomas owes Lena. */
function sayOfOtherRoles<M>(a: Compared<M>, b: Compared<M>, asked: AskedStatement): boolean {
  if (areReversed(a.relating(), b.relating())) return true;
  return a.stated.some((one) =>
    b.stated.some((other) => haveOtherRoles(asked(), one.statement, other.statement)),
  );
}

/**
 * Where the two contradict each other. Two subjects of which the same is said do so only for a question that asks who
 * or what this is said of: "Who looks after the boiler?", but not "Tell me about the boiler."
 */
function contradictingPlaceOf<M>(a: Compared<M>, b: Compared<M>, question: Question): Difference | null {
  const place = contradictionOf(a.stated, b.stated);
  return place?.shared === undefined || namesMost(question, place.shared) ? place : null;
}

/** The words that only one of the two has; none if only their order differs. */
function otherWords({ one, other }: Difference): string[] {
  return [...one.filter((word) => !other.includes(word)), ...other.filter((word) => !one.includes(word))];
}

function answersOtherwise(a: Answer, b: Answer, question: Question): "other_values" | "unsure" | null {
  if (isNegated(a.told) === isNegated(b.told) && (isWithin(a.told, b.told) || isWithin(b.told, a.told)))
    return null;
  const isBrief = [a, b].every(({ sentences, told }) => sentences.length === 1 && told.length <= TOLD_MAX);
  const isDisjoint = !a.told.some((word) => b.told.includes(word));
  return isBrief && isDisjoint && question.demands.length >= DEMANDS_MIN ? "other_values" : "unsure";
}

/** Whether the words appear among others in the same order, so that the others only say more. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const other of others) if (other === words[at]) at++;
  return at === words.length;
}

function isSameKey(a: Pick<Conflictable, "semanticKey">, b: Pick<Conflictable, "semanticKey">): boolean {
  return a.semanticKey !== null && a.semanticKey === b.semanticKey;
}

function saysOther(a: Pick<Conflictable, "content">, b: Pick<Conflictable, "content">): boolean {
  return !saysTheSame(comparedText(a.content), comparedText(b.content));
}
