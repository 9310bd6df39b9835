import { answerStatuses } from "../../../../src/contract/recall.ts";
import { say } from "../../../chaos/say.ts";
import type { Space } from "../../data-set.ts";
import type { Api } from "../api.ts";
import { type Findings, shortened, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { scriptSentences } from "./sentences.ts";

const PLACES = ["first", "among five", "in the pack"] as const;
type Status = (typeof answerStatuses)[number];
type Column = (typeof PLACES)[number] | Status;

/** Sentences of every script, asked for by some of their words and by other forms of them: where each is, and what is said of it. */
export async function scripts(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const tally = new Tally<Column>([...PLACES, ...answerStatuses]);
  const failures: string[] = [];
  for (const space of scriptSentences(seed, size).spaces) {
    failures.push(...(await askSpace(api, `${path}/${space.space}`, space, tally)));
    say(`scripts: ${space.space} is asked`);
  }
  return {
    tables: [
      tally.table("Where the sentence is, and what answer_status says, in % of the questions", "percent"),
    ],
    failures,
  };
}

/** Answers in words what was not found. */
async function askSpace(api: Api, path: string, space: Space, tally: Tally<Column>): Promise<string[]> {
  const ids = await api.store(space.memories.map(({ content }) => ({ content, path })));
  const idOf = new Map(space.memories.map(({ ref }, at) => [ref, ids[at]]));
  const failures: string[] = [];
  for (const { kind = "", query, relevant } of space.queries) {
    const id = idOf.get(relevant[0] as string);
    const hits = await api.search({ query, path, limit: 5 });
    const context = await api.context({ query, path });
    const place = hits.findIndex((hit) => hit.id === id);
    const isPacked = context.items.some((item) => item.id === id);
    tally.add([`${space.space}, ${kind}`], {
      first: place === 0,
      "among five": place >= 0,
      "in the pack": isPacked,
      [context.answer_status]: true,
    });
    const isFound = kind === "literal" ? place === 0 : place >= 0;
    if (isFound && isPacked) continue;
    const best = hits[0] ? `first: ${hits[0].score.toFixed(2)} ${shortened(hits[0].content)}` : "nothing";
    failures.push(`${space.space}, ${kind}: place ${place + 1}, packed ${isPacked}: ${query} | ${best}`);
  }
  return failures;
}
