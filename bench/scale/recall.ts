import { createElasticsearchClient } from "../../src/adapters/elasticsearch/client.ts";
import { createElasticsearchIndex } from "../../src/adapters/elasticsearch/elasticsearch-index.ts";
import { loadLexicon, staticEmbedding } from "../../src/adapters/embedding/builtin.ts";
import { NOT_SPREAD } from "../../src/core/projection/owner-spread.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { CandidateRequest } from "../../src/recall/index/recall-index.ts";
import { recallScope } from "../../test/support/recall-scope.ts";
import type { Question } from "./asker.ts";

const TIMEOUT_MS = 10_000;

/** Where the engine is, and who may ask it. */
export interface Place {
  readonly node: string;
  readonly auth: { readonly username: string; readonly password: string };
}

export interface Recall {
  /** The candidates of a question among everything its asker has. */
  ask(question: Question): Promise<unknown>;
  close(): Promise<void>;
}

/** Recall without the service around it: the same searches and the same ranker's figures, in this process. */
export async function openRecall({ node, auth }: Place, index: string): Promise<Recall> {
  const lexicon = await loadLexicon();
  const client = createElasticsearchClient({ nodes: [node], auth, ca: null, requestTimeoutMs: TIMEOUT_MS });
  const recall = createElasticsearchIndex({
    client,
    lexicon,
    // Nothing was written since the index was built.
    tail: { read: async () => ({ documents: [], ids: [], missing: new Map() }) },
    searched: () => ({ index, embeddingGeneration: 1, dimension: lexicon.dimension, spread: NOT_SPREAD }),
  });

  function requestOf({ asker, query: text }: Question): CandidateRequest {
    const query = analyseQuery(text, lexicon);
    return {
      query,
      embedding: staticEmbedding(query, lexicon),
      retrievers: ["lexical", "dense"],
      // As of `GET /v1/memories/search` where nothing else is said.
      ...recallScope({ owners: [asker.ownerId], includeKnowledge: false, now: Date.now() }),
    };
  }

  return {
    ask: (question) => recall.candidates(requestOf(question)),
    close: () => client.close(),
  };
}
