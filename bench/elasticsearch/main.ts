import { Client, HttpConnection } from "@elastic/elasticsearch";
import { loadLexicon, staticEmbedding } from "../../src/adapters/embedding/builtin.ts";
import type { IndexDocument } from "../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { CandidateRequest } from "../../src/recall/index/recall-index.ts";
import { encodeVectors } from "../../src/recall/index/vector-bytes.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";
import { passageTexts } from "../../src/recall/language/passages.ts";
import { recallScope } from "../../test/support/recall-scope.ts";
import { quantile } from "../speed/closed-loop.ts";
import { Corpus } from "../speed/corpus.ts";
import { milliseconds, ratio, render } from "../speed/table.ts";
import { openFilledIndex } from "./filled-index.ts";

/**
 * How long recall by Elasticsearch takes, as a ratio to its searches alone: what `RecallIndex.candidates` sends for each
 * question is written down, and sent again by the plain client, which parses the answers and does nothing else. Both ask
 * the same node in the same run, in turns. What is above 1 is this program's own share: making the searches, reading what
 * comes back, computing the ranker's figures.
 *
 *   ELASTICSEARCH_URL=http://127.0.0.1:9200 bun bench/elasticsearch/main.ts [MEMORIES] [OTHERS] [ROUNDS]
 */
const [MEMORIES = 10_000, OTHERS = 10_000, ROUNDS = 400] = process.argv.slice(2).map(Number);
const OWNER = "0198c0de-0000-7000-8000-000000000001";
const OTHER = "0198c0de-0000-7000-8000-000000000002";

const corpus = new Corpus();
const lexicon = await loadLexicon();

function* documents(): Iterable<IndexDocument> {
  const all = MEMORIES + OTHERS;
  for (let seq = 1, own = 0; seq <= all; seq++) {
    const isOwn = Math.floor((seq * MEMORIES) / all) > own;
    if (isOwn) own++;
    const { content, path, source, provenance } = corpus.memory(isOwn ? own - 1 : seq + 1_000_000);
    yield {
      id: `0198c0de-0000-7000-9000-${String(seq).padStart(12, "0")}`,
      seq,
      revision: 2,
      ownerId: isOwn ? OWNER : OTHER,
      teamId: null,
      projectId: null,
      path,
      bucket: "default",
      scope: "private",
      memoryType: "semantic",
      isItem: false,
      status: "active",
      supersededUntil: null,
      supersededStatus: null,
      sessionId: provenance.session_id,
      source,
      content,
      keywords: "",
      occurredAt: 1.7e12 + seq * 1000,
      createdAt: 1.7e12 + seq * 1000,
      expiresAt: null,
      vectors: encodeVectors(passageTexts(content).map(lexicon.embed)),
      hasCallersVector: false,
      multilingual: null,
      language: null,
      isAdopted: false,
    };
  }
}

function requestOf(number: number, lexicon: Lexicon): CandidateRequest {
  const query = analyseQuery(corpus.query(number), lexicon);
  return {
    query,
    embedding: staticEmbedding(query, lexicon),
    retrievers: ["lexical", "dense"],
    ...recallScope({ owners: [OWNER], now: Date.now() }),
  };
}

const filled = await openFilledIndex(documents(), lexicon);
const plain = new Client({ node: process.env.ELASTICSEARCH_URL as string, Connection: HttpConnection });
type Searches = Parameters<Client["msearch"]>[0];
let sent: Searches[] = [];
const recording = {
  msearch: (searches: Searches, options: object) => {
    sent.push(searches);
    return filled.client.msearch(searches, options);
  },
} as unknown as Client;
const index = filled.recall(recording);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The searches that each question leads to; asking also warms both sides up. */
async function searchesOf(request: CandidateRequest): Promise<Searches[]> {
  sent = [];
  await index.candidates(request);
  return sent;
}

const questions: { request: CandidateRequest; searches: Searches[] }[] = [];
for (let at = 0; at < ROUNDS; at++) {
  const request = requestOf(at, lexicon);
  questions.push({ request, searches: await searchesOf(request) });
}

const asked = filled.recall();
const [recall, searches]: [number[], number[]] = [[], []];
for (const [at, { request, searches: same }] of questions.entries()) {
  const ours = async () => recall.push(await timed(() => asked.candidates(request)));
  const theirs = async () =>
    searches.push(
      await timed(async () => {
        for (const one of same) await plain.msearch(one);
      }),
    );
  // In turns, since who comes second finds the engine's caches warm.
  for (const one of at % 2 === 0 ? [ours, theirs] : [theirs, ours]) await one();
}
const rounds = questions[0]?.searches.length;
await plain.close();
await filled.close();

const rows = [0.5, 0.9, 0.99].map((share) => {
  const [own, theirs] = [quantile(recall, share), quantile(searches, share)];
  return [`p${share * 100}`, milliseconds(own), milliseconds(theirs), ratio(own / theirs)];
});
console.log(
  render({
    title: `Recall by Elasticsearch among ${MEMORIES} memories, and ${OTHERS} of another owner`,
    columns: ["", "candidates()", "raw client", "ratio"],
    rows,
    remark: `${ROUNDS} questions, one at a time. The raw client sends the same ${rounds} _msearch requests for each.`,
  }),
);
