/** "First" and "last" order memories by their time, unless they are part of a name. */
import { expect, test } from "vitest";
import { createEmbeddedIndex } from "../../../src/adapters/embedded-index/embedded-index.ts";
import { staticEmbedding } from "../../../src/adapters/embedding/builtin.ts";
import { askedTimeFirst } from "../../../src/core/recall/asked-time.ts";
import { analyseQuery, withCounted } from "../../../src/recall/index/query.ts";
import { readTime } from "../../../src/recall/language/times.ts";
import { rank } from "../../../src/recall/ranking/rank.ts";
import { indexDocument, lexicon, MemoryFeed } from "../../support/recall-fixtures.ts";
import { recallScope } from "../../support/recall-scope.ts";

/** The memories about the subject in the order of a question that asks for the first, given from newest to oldest. */
async function inOrder(question: string, contents: readonly string[]): Promise<string[]> {
  const feed = new MemoryFeed();
  feed.put(
    ...contents.map((content, at) => indexDocument({ seq: at + 1, content, occurredAt: -at, vectors: null })),
  );
  const index = createEmbeddedIndex({ feed, lexicon, memoryBudgetBytes: 1e9 });
  const asked = readTime(question);
  const [adjective] = asked?.orderWord == null ? [] : lexicon.pieces(asked.orderWord);
  const whole = analyseQuery(question, lexicon);
  const query = adjective === undefined ? whole : withCounted(whole, adjective);
  const set = await index.candidates({
    query,
    embedding: staticEmbedding(query, lexicon),
    retrievers: ["lexical", "dense"],
    ...recallScope(),
  });
  const time = {
    range: null,
    order: asked?.order ?? null,
    eventId: null,
    countsOrder: adjective !== undefined,
  };
  return askedTimeFirst(rank(query, set), set, time).map(({ seq }) => contents[seq - 1] as string);
}

const VISITS = ["Lena visited the museum of Dalton.", "Lena visited the old museum of Dalton."];

test.each([
  "When did Lena first visit the museum of Dalton?",
  "When did Lena visit the museum of Dalton for the first time?",
])("%s: the oldest comes first", async (question) => {
  expect((await inOrder(question, VISITS))[0]).toBe(VISITS[1]);
});

test("a memory that says the adjective itself comes first, however old the others are", async () => {
  const [named, other] = [
    "The deadline of my first sprint about navigation and layout of the blog is in March.",
    "The deadline of my sprint about navigation and layout of the blog is in May.",
  ];
  const question = "What is the deadline of my first sprint about navigation and layout of the blog?";
  const others = Array.from({ length: 30 }, (_, at) => `Otto drank ${at} cups of tea.`);
  expect((await inOrder(question, [named as string, other as string, ...others]))[0]).toBe(named);
});
