import { isLiveStatus } from "../index/scope.ts";
import { asserts } from "./assertion.ts";
import type { Conflictable, Contradictions } from "./conflicts.ts";
import { answersIn, hasExact, type Question } from "./question.ts";

export type AnswerStatus =
  | "confirmed_answer"
  | "partial_answer"
  | "no_confirmed_answer"
  | "conflicting_answers"
  | "no_memories";

/** A memory that recall found, as the status is judged by it. */
export interface AnswerItem extends Conflictable {
  readonly confidence: number;
  readonly authority: string;
}

/** What the status is judged by. */
interface Found<M extends AnswerItem> {
  readonly question: Question;
  /** All that was found, in any order. */
  readonly memories: readonly M[];
  /** What the pack shows, and of each what is shown. */
  readonly shown: readonly { readonly memory: M; readonly text: string }[];
  readonly contradictions: Contradictions<M>;
  /** How much of the query's weight the most relevant memory covers, 0..1. */
  readonly coverage: number;
}

/**
 * Where each status begins. Relevance is a calibrated chance (see `relevance` in `rank.ts`). What is shown and has every word of
 * the question needs no more of it than not to be a weak match: between .1 and .3 nothing changes in the suite `status`, seed 7.
 */
const ANSWER_THRESHOLDS = {
  confirmed: 0.1,
  /** For memories with authority `verified`. */
  confirmedVerified: 0.05,
  /** Where words cannot be looked up in a text. */
  unspaced: { relevance: 0.75, coverage: 0.5 },
  partial: { relevance: 0.4, coverage: 0.25 },
  confidenceMin: 0.5,
} as const;

/**
 * What a pack amounts to as an answer. The first rule that applies:
 *
 * 1. `no_memories`: nothing was found.
 * 2. `conflicting_answers`: live memories answer with different values.
 * 3. `confirmed_answer`: the pack shows a live memory that has everything the question demands (`answerIn`), states it
 *    (`asserts`), is relevant, of a confidence of .5 or more and no inference; and no other memory answers so that it could be
 *    something else.
 * 4. `partial_answer`: middling relevance and coverage, and some memory has the identifiers and numbers asked for.
 * 5. `no_confirmed_answer`: something was found, nothing settles the question.
 */
export function answerStatusOf<M extends AnswerItem>(found: Found<M>): AnswerStatus {
  const { memories, shown, contradictions, question, coverage } = found;
  if (memories.length === 0) return "no_memories";
  if (contradictions.pairs.length > 0) return "conflicting_answers";
  const live = memories.filter(isHolding);
  if (shown.some(({ memory, text }) => confirms(memory, text, found))) return "confirmed_answer";
  const best = Math.max(
    0,
    ...live.map(({ relevance }) => relevance).filter((relevance) => !Number.isNaN(relevance)),
  );
  const { partial } = ANSWER_THRESHOLDS;
  const isPartial =
    best >= partial.relevance &&
    coverage >= partial.coverage &&
    live.some(({ content }) => hasExact(content, question));
  return isPartial ? "partial_answer" : "no_confirmed_answer";
}

function isHolding({ status, supersededBy }: AnswerItem): boolean {
  return isLiveStatus(status) && supersededBy === null;
}

function confirms<M extends AnswerItem>(
  memory: M,
  text: string,
  { question, contradictions, coverage }: Found<M>,
): boolean {
  const { authority, confidence, relevance } = memory;
  const isVouchedFor = authority !== "inference" && confidence >= ANSWER_THRESHOLDS.confidenceMin;
  if (!isHolding(memory) || !isVouchedFor || contradictions.unsure.has(memory)) return false;
  if (question.isUnspaced) {
    const { unspaced } = ANSWER_THRESHOLDS;
    const isStrong = relevance >= unspaced.relevance && coverage >= unspaced.coverage;
    return isStrong && question.isWhole && hasExact(text, question);
  }
  const { confirmed, confirmedVerified } = ANSWER_THRESHOLDS;
  if (!(relevance >= (authority === "verified" ? confirmedVerified : confirmed))) return false;
  for (const answer of answersIn(text, question)) if (asserts(answer, question)) return true;
  return false;
}
