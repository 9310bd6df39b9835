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

/** A memory that recall found, as input for the status. */
export interface AnswerItem extends Conflictable {
  readonly confidence: number;
  readonly authority: string;
}

/** Input for determining the status. */
interface Found<M extends AnswerItem> {
  readonly question: Question;
  /** All memories found, in any order. */
  readonly memories: readonly M[];
  /** The memories that the pack shows, with the text shown of each. */
  readonly shown: readonly { readonly memory: M; readonly text: string }[];
  readonly contradictions: Contradictions<M>;
  /** The share of the query's weight that the most relevant memory covers, 0..1. */
  readonly coverage: number;
}

/**
 * Thresholds of each status. Relevance is a calibrated probability (see `relevance` in `rank.ts`). A shown memory with
 * every word of the question only needs to be more than a weak match: between .1 and .3 nothing changes in the suite
 * `status`, seed 7.
 */
const ANSWER_THRESHOLDS = {
  confirmed: 0.1,
  /** For memories with authority `verified`. */
  confirmedVerified: 0.05,
  /** For text without spaces, in which words cannot be looked up. */
  unspaced: { relevance: 0.75, coverage: 0.5 },
  partial: { relevance: 0.32, coverage: 0.25 },
  confidenceMin: 0.5,
} as const;

/**
 * How well a pack answers the question. The first rule that applies:
 *
 * 1. `no_memories`: nothing was found.
 * 2. `conflicting_answers`: live memories answer with different values.
 * 3. `confirmed_answer`: the pack shows a live memory that meets all demands of the question (`answerIn`), states the
 *    answer (`asserts`), is relevant, has a confidence of .5 or more and is no inference; and no other memory gives an
 *    answer that might differ.
 * 4. `partial_answer`: medium relevance and coverage, and some memory has the identifiers and numbers asked for.
 * 5. `no_confirmed_answer`: something was found, but nothing settles the question.
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
