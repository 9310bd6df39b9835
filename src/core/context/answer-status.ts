import type { answerStatuses } from "../../contract/recall.ts";
import { openingStatement, statementsConflict } from "../memory/conflict.ts";
import { isLiveStatus } from "../memory/supersession.ts";
import { normalizedText } from "../memory/words.ts";

export type AnswerStatus = (typeof answerStatuses)[number];

/** What the status is judged by: the packed items' memories, in any order. */
export interface AnswerItem {
  readonly content: string;
  /** Absolute relevance, 0..1. */
  readonly relevance: number;
  readonly confidence: number;
  readonly authority: string;
  readonly semanticKey: string | null;
  readonly status: string;
  readonly supersededBy: string | null;
}

/**
 * Where each status begins. Relevance is a calibrated chance (see `relevance` in `rank.ts`). Missing evidence on a
 * discussed topic scores nearly as high as an answer (AUROC .6 to .7), so a confirmation also needs half of the
 * question's words. Chosen, not fitted.
 */
const ANSWER_THRESHOLDS = {
  confirmed: { relevance: 0.75, coverage: 0.5 },
  /** For memories with authority `verified`. */
  confirmedVerified: { relevance: 0.65, coverage: 0.4 },
  partial: { relevance: 0.4, coverage: 0.25 },
  /** Conflicting items must both be about the question, and nearly as relevant as the best. */
  conflicting: { relevance: 0.4, shareOfBest: 0.7 },
  confidenceMin: 0.5,
} as const;

/** Items compared with each other for conflicts, best first. */
const COMPARED_MAX = 12;

/**
 * What the items found amount to as an answer; `coverage` is how much of the query's weight the best of them
 * covers, 0..1. The first rule that applies:
 *
 * 1. `no_memories`: there are no items.
 * 2. `conflicting_answers`: two strong live items have one semantic key and different content, or say nearly
 *    the same with other values, neither superseding the other.
 * 3. `confirmed_answer`: a live item of strong relevance whose confidence is .5 or more and which is not an
 *    inference, and strong coverage; `verified` lowers both bars.
 * 4. `partial_answer`: middling relevance and coverage.
 * 5. `no_confirmed_answer`: something was found, nothing settles the question.
 */
export function answerStatusOf(items: readonly AnswerItem[], coverage: number): AnswerStatus {
  if (items.length === 0) return "no_memories";
  const live = items.filter((item) => isLiveStatus(item.status) && item.supersededBy === null);
  const sorted = live.sort((a, b) => b.relevance - a.relevance);
  if (conflictsAmong(strongest(sorted)).length > 0) return "conflicting_answers";
  if (sorted.some((item) => confirms(item, coverage))) return "confirmed_answer";
  const { partial } = ANSWER_THRESHOLDS;
  const isPartial = (sorted[0]?.relevance ?? 0) >= partial.relevance && coverage >= partial.coverage;
  return isPartial ? "partial_answer" : "no_confirmed_answer";
}

function strongest(sorted: readonly AnswerItem[]): AnswerItem[] {
  const { relevance, shareOfBest } = ANSWER_THRESHOLDS.conflicting;
  const relevanceMin = Math.max(relevance, shareOfBest * (sorted[0]?.relevance ?? 0));
  return sorted.filter((item) => item.relevance >= relevanceMin).slice(0, COMPARED_MAX);
}

function confirms(item: AnswerItem, coverage: number): boolean {
  const bar =
    item.authority === "verified" ? ANSWER_THRESHOLDS.confirmedVerified : ANSWER_THRESHOLDS.confirmed;
  const isVouchedFor = item.authority !== "inference" && item.confidence >= ANSWER_THRESHOLDS.confidenceMin;
  return isVouchedFor && item.relevance >= bar.relevance && coverage >= bar.coverage;
}

/**
 * Those of the items that contradict another one: they have the same semantic key and not the same text, or say nearly the
 * same with other values. Compares each with each, so give it few; of long texts it reads the beginnings.
 */
export function conflictsAmong<T extends Pick<AnswerItem, "content" | "semanticKey">>(
  items: readonly T[],
): T[] {
  const compared = items.map((item) => {
    let text: string | undefined;
    return {
      item,
      key: item.semanticKey,
      statement: openingStatement(item.content),
      text: () => (text ??= normalizedText(item.content)),
    };
  });
  const found = new Set<T>();
  for (const [at, a] of compared.entries()) {
    for (const b of compared.slice(at + 1)) {
      const isSameFact = a.key !== null && a.key === b.key;
      if (!isSameFact && !statementsConflict(a.statement, b.statement)) continue;
      if (a.text() !== b.text()) found.add(a.item).add(b.item);
    }
  }
  return [...found];
}
