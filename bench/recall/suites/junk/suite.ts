import { createRandom } from "../../../../test/support/random.ts";
import { say } from "../../../chaos/say.ts";
import type { Api, Written } from "../api.ts";
import { type Findings, shortened, Tally } from "../report.ts";
import { Subjects } from "../subjects.ts";
import type { Given } from "../suite.ts";
import { echoes, knownFact, nearRepetitions, type Offer, trivia } from "./offers.ts";

/** Remembers facts, recalls them, and offers what came of it again: what gets stored beside them. */
export async function junk(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const random = createRandom(seed);
  const subjects = new Subjects(random);
  const tally = new Tally(["stored", "deduplicated", "refused", "with a reason"]);
  const failures: string[] = [];
  say(`junk: ${size} facts, and what is offered after each`);
  for (let at = 0; at < size; at += 1) {
    const fact = knownFact(subjects, random);
    // One place for each, so that what is offered for one repeats nothing of another.
    const place = `${path}/${at}`;
    await api.store([{ content: fact.content, path: place, dedupe: true }]);
    const query = fact.relation.ask(fact.subject);
    const { context_text } = await api.context({ query, path: place });
    const handedOut = { contextText: context_text, content: fact.content };
    const offers = [...echoes(handedOut, random), ...nearRepetitions(fact, random), ...trivia(fact, random)];
    for (const offer of offers) {
      const had = await offered(api, offer, place);
      tally.add([offer.sort], had);
      if (had.stored !== offer.isNew) failures.push(failureOf(offer, had.answer));
    }
  }
  return { tables: [tally.table("What is offered to be remembered, in %", "percent", REMARK)], failures };
}

const REMARK = `Stored: as a memory of its own, by counting. With a reason: the answer says in words why it did something else.`;

async function offered(api: Api, { content }: Offer, path: string) {
  const before = await api.count(path);
  const [answer = {}] = await api.write([{ content, path, dedupe: true }]);
  return {
    stored: (await api.count(path)) > before,
    deduplicated: answer.deduplicated === true,
    refused: answer.error !== undefined,
    "with a reason": answer.reason !== undefined,
    answer,
  };
}

function failureOf({ sort, content, isNew }: Offer, answer: Written): string {
  return `${sort}: ${isNew ? "not stored" : "stored"}: ${shortened(content)} | ${JSON.stringify(answer)}`;
}
