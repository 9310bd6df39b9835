import { answerStatuses } from "../../../../src/contract/recall.ts";
import { say } from "../../../chaos/say.ts";
import type { Api, Context } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, percent, shortened, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { SITUATIONS, type StatusCase, statusCases } from "./cases.ts";

type Status = (typeof answerStatuses)[number];

/** Questions whose evidence is there, is there twice, or is not there: what the status makes of them. */
export async function status(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const cases = statusCases(size, seed);
  const contents = cases.flatMap((one) => one.contents);
  const ids = await api.store(contents.map((content) => ({ content, path })));
  say(`status: ${ids.length} memories are stored, ${cases.length} questions asked`);
  const tally = new Tally<Status>(answerStatuses, SITUATIONS);
  const meaning = new Tally(["evidence in the pack", "both sides in the pack"], answerStatuses);
  const failures: string[] = [];
  let from = 0;
  for (const [, one] of withProgress("status", "questions", cases)) {
    const answering = ids.slice(from, from + one.answering);
    from += one.contents.length;
    const context = await api.context({ query: one.question, path });
    const given = context.answer_status;
    const shown = answering.filter((id) => context.items.some((item) => item.id === id)).length;
    tally.add([one.situation], { [given]: true });
    meaning.add([given], { "evidence in the pack": shown > 0, "both sides in the pack": shown > 1 });
    if (isWrong(one, given, shown)) failures.push(failureOf(one, given, shown, context));
  }
  return {
    tables: [
      tally.table("What answer_status says, in % of the questions of each kind", "percent", figures(tally)),
      meaning.table("What is in a pack of each answer_status, in %", "percent"),
    ],
    failures,
  };
}

/** One memory answers it, and its answer stands uncontradicted. */
const isAnswered = ({ answering }: StatusCase) => answering === 1;

function isWrong(one: StatusCase, given: Status, shown: number): boolean {
  if (given === "confirmed_answer") return !isAnswered(one) || shown === 0;
  if (one.situation === "contradicted") return given !== "conflicting_answers";
  return one.situation === "plain";
}

function figures(tally: Tally<Status>): string {
  const confirmed = (situation: string) => tally.count(situation, "confirmed_answer");
  const all = SITUATIONS.reduce((sum, situation) => sum + confirmed(situation), 0);
  const right = confirmed("plain") + confirmed("paraphrased");
  return [
    `Precision of confirmed_answer, where as many questions are of each kind: ${percent(right, all)} %.`,
    `Coverage: ${percent(confirmed("plain"), tally.cases("plain"))} % of the plain questions are confirmed.`,
  ].join(" ");
}

function failureOf(
  { situation, question }: StatusCase,
  given: Status,
  shown: number,
  { items }: Context,
): string {
  const first = items[0];
  const best = first ? `first: ${first.score.toFixed(2)} ${shortened(first.content)}` : "nothing shown";
  return `${situation}: ${given}, evidence shown ${shown} times: ${question} | ${best}`;
}
