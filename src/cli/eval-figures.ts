import { z } from "zod";
import { mean, scoresOf } from "../contract/eval-scores.ts";
import { publicId } from "../contract/primitives.ts";
import { identityOf, judgements } from "./eval-questions.ts";

const ids = z.array(publicId);

/** The server's answers to a question. */
const questionResult = judgements.extend({
  line: z.int(),
  asked: z.looseObject({ query: z.string() }),
  /** Ids that the search returned, best first. */
  found: ids,
  packed: ids,
  /** Forbidden ids that the search or the context named. */
  leaked: ids,
  /** Relevant and stale ids that the key cannot read. */
  unknown: ids,
  tokens: z.number(),
  degraded: z.boolean(),
  search_ms: z.number(),
  context_ms: z.number(),
});
export type QuestionResult = z.output<typeof questionResult>;

/** The members of a report that comparisons read. Figures are not among them: they are computed from the results. */
export const evalReport = z.object({
  recollect_eval: z.literal(1),
  created_at: z.string(),
  results: z.array(questionResult).min(1),
});

type Scores = ReturnType<typeof scoresOf>;

/** Returns the figures of all questions together; null for a score that no question has. */
export function figuresOf(results: readonly QuestionResult[]) {
  const scores = results.map(scoresOf);
  const meanOf = (name: keyof Scores) => mean(scores.flatMap((one) => one[name] ?? []));
  const sumOf = (name: "stale" | "leaks") => scores.reduce((sum, one) => sum + one[name], 0);
  const searchMs = results.map(({ search_ms }) => search_ms);
  const contextMs = results.map(({ context_ms }) => context_ms);
  return {
    questions: results.length,
    recall_at_5: meanOf("recall_at_5"),
    recall_at_10: meanOf("recall_at_10"),
    any_at_10: meanOf("any_at_10"),
    mrr: meanOf("reciprocal_rank"),
    pack_share: meanOf("pack_share"),
    stale_answers: sumOf("stale"),
    leaks: sumOf("leaks"),
    pack_tokens: mean(results.map(({ tokens }) => tokens)),
    empty_packs: results.filter(({ packed }) => packed.length === 0).length,
    search_ms_p50: percentile(searchMs, 0.5),
    search_ms_p95: percentile(searchMs, 0.95),
    context_ms_p50: percentile(contextMs, 0.5),
    context_ms_p95: percentile(contextMs, 0.95),
  };
}

export type Figures = ReturnType<typeof figuresOf>;

/** The nearest-rank percentile; null for no values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** A question whose scores differ between two reports. */
export interface ChangedQuestion {
  readonly line: number;
  readonly query: string;
  readonly change: "better" | "worse" | "mixed";
  readonly scores: { readonly name: keyof Scores; readonly before: number; readonly after: number }[];
}

/** Scores that are better if they are lower. */
const LOWER_IS_BETTER: readonly (keyof Scores)[] = ["stale", "leaks"];

/** Compares the questions that both reports have with the same judgements. */
export function compare(before: readonly QuestionResult[], after: readonly QuestionResult[]) {
  const earlier = new Map(before.map((result) => [questionKey(result), result]));
  const pairs = after.flatMap((result) => {
    const same = earlier.get(questionKey(result));
    return same ? [{ before: same, after: result }] : [];
  });
  return {
    before: pairs.map((pair) => pair.before),
    after: pairs.map((pair) => pair.after),
    changed: pairs.flatMap((pair) => changeOf(pair.before, pair.after) ?? []),
  };
}

function questionKey(result: QuestionResult): string {
  const { relevant, stale, forbidden } = result;
  return JSON.stringify([
    identityOf(result),
    ...[relevant, stale, forbidden].map((list) => [...list].sort()),
  ]);
}

function changeOf(before: QuestionResult, after: QuestionResult): ChangedQuestion | null {
  const [old, now] = [scoresOf(before), scoresOf(after)];
  const scores = (Object.keys(now) as (keyof Scores)[]).flatMap((name) => {
    const [from, to] = [old[name] ?? 0, now[name] ?? 0];
    return from === to ? [] : [{ name, before: from, after: to }];
  });
  if (scores.length === 0) return null;
  const isBetter = scores.map((one) => one.after > one.before !== LOWER_IS_BETTER.includes(one.name));
  const change = isBetter.every(Boolean) ? "better" : isBetter.some(Boolean) ? "mixed" : "worse";
  return { line: after.line, query: after.asked.query, change, scores };
}
