import { say } from "../../../chaos/say.ts";
import type { Api } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { handWrittenCases, TIME_KINDS, timeCases } from "./cases.ts";

/** Memories that say the same of different times, of which a question asks for one. */
export async function time(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const made = timeCases(size, seed);
  const cases = [...made, ...handWrittenCases(seed)];
  const tally = new Tally(["right one first"], ["all made", ...TIME_KINDS, "second set", "third set"]);
  const failures: string[] = [];
  say(`time: ${cases.length} questions`);
  for (const [at, one] of withProgress("time", "questions", cases)) {
    const { kind, question, asked_at, time_zone, right, wrong, others } = one;
    const place = `${path}/${at}`;
    // The right one stands between the others in the order of storing.
    const middle = Math.ceil(wrong.length / 2);
    const memories = [...others, ...wrong.slice(0, middle), right, ...wrong.slice(middle)];
    const ids = await api.store(
      memories.map(({ content, occurred_at }) => ({ content, path: place, metadata: { occurred_at } })),
    );
    const hits = await api.search({ query: question, path: place, limit: 5, asked_at, time_zone });
    const isFirst = hits[0]?.id === ids[memories.indexOf(right)];
    tally.add(at < made.length ? ["all made", kind] : [kind], { "right one first": isFirst });
    if (!isFirst)
      failures.push(
        `${kind}: asked ${asked_at} ${time_zone}: ${question} | ${right.content} ${right.occurred_at} | first: ${hits[0]?.content} ${hits[0]?.metadata.occurred_at}`,
      );
  }
  return {
    tables: [tally.table("Memories that differ in their time alone, in % of the questions", "percent")],
    failures,
  };
}
