import { say } from "../../../chaos/say.ts";
import type { Api } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { ROLE_KINDS, rolePairs } from "./pairs.ts";

/** Pairs with the same words in reversed relation, of which a question asks for one. */
export async function roles(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const pairs = rolePairs(size, seed);
  const tally = new Tally(["right one first", "false conflict"], ["all", ...ROLE_KINDS]);
  const failures: string[] = [];
  say(`roles: ${pairs.length} pairs`);
  for (const [at, { kind, right, reversed, question, others }] of withProgress("roles", "pairs", pairs)) {
    const place = `${path}/${at}`;
    // The newer one is the right one in half of them.
    const sides = Math.floor(at / ROLE_KINDS.length) % 2 === 0 ? [right, reversed] : [reversed, right];
    const ids = await api.store([...others, ...sides].map((content) => ({ content, path: place })));
    const pair = ids.slice(others.length);
    const rightId = pair[sides.indexOf(right)] as string;
    const hits = await api.search({ query: question, path: place, limit: 5 });
    const { conflicts } = await api.context({ query: question, path: place });
    const had = {
      "right one first": hits[0]?.id === rightId,
      "false conflict": conflicts.some((conflict) => pair.every((id) => conflict.ids.includes(id))),
    };
    tally.add(["all", kind], had);
    if (!had["right one first"])
      failures.push(`${kind}: not first: ${question} | ${right} | first: ${hits[0]?.content}`);
    if (had["false conflict"])
      failures.push(`${kind}: named as a conflict: ${question} | ${right} | ${reversed}`);
  }
  return {
    tables: [tally.table("Memories with the same words in reversed relation, in % of the pairs", "percent")],
    failures,
  };
}
