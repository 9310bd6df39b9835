import type { Client } from "@elastic/elasticsearch";
import { createElasticsearchClient } from "../../src/adapters/elasticsearch/client.ts";
import { toElasticDocument } from "../../src/adapters/elasticsearch/document.ts";
import { createElasticsearchIndex } from "../../src/adapters/elasticsearch/elasticsearch-index.ts";
import { MAPPING_VERSION } from "../../src/adapters/elasticsearch/mapping.ts";
import { createIndex } from "../../src/adapters/elasticsearch/search-engine.ts";
import { NOT_SPREAD } from "../../src/core/projection/owner-spread.ts";
import type { IndexDocument } from "../../src/recall/index/index-document.ts";
import type { RecallIndex } from "../../src/recall/index/recall-index.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";

const DOCUMENTS_PER_REQUEST = 500;

/** An index of the node at ELASTICSEARCH_URL, until it is closed. */
export interface FilledIndex {
  readonly client: Client;
  /** The recall index over it, asked through this client or through another one. */
  recall(through?: Client): RecallIndex;
  close(): Promise<void>;
}

/** Makes an index with these documents, none of which is pending. */
export async function openFilledIndex(
  documents: Iterable<IndexDocument>,
  lexicon: Lexicon,
): Promise<FilledIndex> {
  const url = process.env.ELASTICSEARCH_URL;
  if (!url) throw new Error("ELASTICSEARCH_URL must name a node.");
  const client = createElasticsearchClient({ nodes: [url], auth: null, ca: null, requestTimeoutMs: 60_000 });
  const name = `recollect-bench-${Date.now().toString(36)}`;
  const { dimension } = lexicon;
  const of = { incarnation: "none", log: 0n };
  await createIndex(client, name, { dimension, shards: 1, database: "none", of });
  for (const part of portions(documents)) {
    const operations = part.flatMap((document) => {
      const { id, routing, body } = toElasticDocument(document, {
        ...{ lexicon, dimension },
        mappingVersion: MAPPING_VERSION,
        spread: NOT_SPREAD,
      });
      return [{ index: { _id: id, routing } }, body];
    });
    const { errors } = await client.bulk({ index: name, operations });
    if (errors) throw new Error("Some documents were refused.");
  }
  await client.indices.refresh({ index: name });
  return {
    client,
    recall: (through = client) =>
      createElasticsearchIndex({
        client: through,
        lexicon,
        tail: { read: async () => ({ documents: [], ids: [], missing: new Map() }) },
        searched: () => ({ index: name, embeddingGeneration: 1, dimension, spread: NOT_SPREAD }),
      }),
    async close() {
      await client.indices.delete({ index: name });
      await client.close();
    },
  };
}

function* portions<T>(values: Iterable<T>): Iterable<T[]> {
  let portion: T[] = [];
  for (const value of values) {
    portion.push(value);
    if (portion.length === DOCUMENTS_PER_REQUEST) {
      yield portion;
      portion = [];
    }
  }
  if (portion.length > 0) yield portion;
}
