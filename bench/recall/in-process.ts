import { createEmbeddedIndex } from "../../src/adapters/embedded-index/embedded-index.ts";
import { loadLexicon, staticEmbedding } from "../../src/adapters/embedding/builtin.ts";
import { openMultilingualEncoder } from "../../src/adapters/multilingual-encoder/multilingual-encoder.ts";
import { type EncodedMultilingual, encodeMultilingual } from "../../src/core/projection/encode-later.ts";
import type { Unembedded } from "../../src/core/projection/reembed.ts";
import { RETRIEVERS } from "../../src/core/recall/search.ts";
import type { IndexDocument } from "../../src/recall/index/index-document.ts";
import { analyseQuery } from "../../src/recall/index/query.ts";
import type { RecallIndex } from "../../src/recall/index/recall-index.ts";
import type { RecallScope } from "../../src/recall/index/scope.ts";
import { encodeVectors } from "../../src/recall/index/vector-bytes.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";
import { passageTexts } from "../../src/recall/language/passages.ts";
import { contextTrust } from "../../src/recall/ranking/features.ts";
import { rankLate } from "../../src/recall/ranking/late-interaction.ts";
import { rank } from "../../src/recall/ranking/rank.ts";
import { UNPACED } from "../../src/recall/work.ts";
import { recallScope } from "../../test/support/recall-scope.ts";
import { openFilledIndex } from "../elasticsearch/filled-index.ts";
import { Corpus } from "../speed/corpus.ts";
import { askedAfter, type Memory, type Space } from "./data-set.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { openTokenModel } from "./token-vectors.ts";

const INDEXES = ["embedded", "elasticsearch"] as const;
export type IndexName = (typeof INDEXES)[number];

export function isIndexName(name: string): name is IndexName {
  return (INDEXES as readonly string[]).includes(name);
}

const HITS = 20;
const OWNER = "bench";

/**
 * An index filled with all spaces at once. A query's scope ends with the last memory that was stored when it is asked:
 * a memory's time of storing is its place in the order.
 */
export async function openIndex(
  name: IndexName,
  spaces: readonly Space[],
  { isTogether, among, hasTokens, isMultilingual }: IndexOptions,
) {
  const lexicon = await loadLexicon();
  const documents = [...noise(among, lexicon)];
  const startOf = new Map<Space, number>();
  for (const space of spaces) {
    startOf.set(space, documents.length);
    for (const memory of space.memories) documents.push(documentOf(memory, space, documents.length, lexicon));
  }
  const encoder = isMultilingual ? await openMultilingualEncoder() : null;
  if (encoder !== null) {
    console.error(`encoding ${documents.length} memories`);
    for (const [at, document] of documents.entries())
      documents[at] = {
        ...document,
        ...multilingualOf(await encodeMultilingual(encoder, unembedded(document))),
      };
  }
  const opened = name === "embedded" ? null : await openFilledIndex(documents, lexicon);
  const index = opened?.recall() ?? embeddedIndex(documents, lexicon);
  const tokens = hasTokens ? await openTokenModel(documents, lexicon) : null;

  async function search(space: Space, text: string, stored: number, mode: string): Promise<string[]> {
    const query = analyseQuery(text, lexicon);
    const set = await index.candidates({
      query,
      embedding: staticEmbedding(query, lexicon),
      multilingual: encoder && {
        language: encoder.languageOf(query.text),
        vectors: () => encoder.encodeQuery(query.text, query.sentences),
      },
      retrievers: RETRIEVERS[mode as keyof typeof RETRIEVERS],
      ...scopeOf(isTogether ? "%" : `bench/${space.space}`, (startOf.get(space) ?? 0) + stored),
    });
    const ranked = rank(query, set);
    const isCompared = tokens !== null && mode === "hybrid";
    const inOrder = isCompared
      ? await rankLate({ model: tokens.model, query: await tokens.model.query(text) }, ranked, {
          pace: UNPACED,
          share: contextTrust(query, set.candidates),
        })
      : ranked;
    return inOrder.slice(0, HITS).map(({ id }) => id.slice(id.indexOf(" ") + 1));
  }

  return {
    async replay(space: Space, modes: readonly string[]): Promise<Map<string, Figures[]>> {
      const figures = new Map<string, Figures[]>(modes.map((mode) => [mode, []]));
      for (const query of space.queries.filter(({ relevant }) => relevant.length > 0)) {
        for (const mode of modes) {
          const refs = await search(space, query.query, askedAfter(query, space), mode);
          figures.get(mode)?.push(figuresOf(refs, query.relevant));
        }
      }
      return figures;
    },
    async close() {
      await encoder?.close();
      await tokens?.close();
      await opened?.close();
    },
  };
}

interface IndexOptions {
  readonly isTogether: boolean;
  readonly among: number;
  readonly hasTokens: boolean;
  readonly isMultilingual: boolean;
}

function unembedded({ ownerId, id, revision, content }: IndexDocument): Unembedded {
  return { ownerId, memory: id, revision, content };
}

function multilingualOf({ vectors, language }: EncodedMultilingual) {
  return { multilingual: vectors, language };
}

function embeddedIndex(documents: readonly IndexDocument[], lexicon: Lexicon): RecallIndex {
  return createEmbeddedIndex({
    feed: {
      outline: async () => ({ memories: documents.length, words: 0, vectorBytes: 0 }),
      async read(_, cursor, onBatch) {
        if (cursor === null) await onBatch(documents.map((document) => ({ kind: "put", document })));
        return "read";
      },
    },
    lexicon,
    memoryBudgetBytes: 4e9,
  });
}

function documentOf(memory: Memory, { space }: Space, place: number, lexicon: Lexicon): IndexDocument {
  const { content, created_at, session, speaker } = memory;
  return {
    ...PLAIN,
    id: `${place} ${memory.ref}`,
    seq: place + 1,
    path: `bench/${space}`,
    sessionId: session,
    source: speaker,
    content,
    occurredAt: Date.parse(created_at),
    createdAt: place + 1,
    vectors: encodeVectors(passageTexts(content).map(lexicon.embed)),
  };
}

/** Memories that no query asks for. */
function* noise(count: number, lexicon: Lexicon): Iterable<IndexDocument> {
  const corpus = new Corpus();
  for (let number = 0; number < count; number++) {
    const { content, path, source, provenance } = corpus.memory(number);
    yield {
      ...PLAIN,
      id: `${number} noise`,
      seq: number + 1,
      path,
      sessionId: provenance.session_id,
      source,
      content,
      createdAt: number + 1,
      vectors: encodeVectors(passageTexts(content).map(lexicon.embed)),
    };
  }
}

const PLAIN = {
  revision: 1,
  ownerId: OWNER,
  teamId: null,
  projectId: null,
  bucket: "default",
  scope: "private",
  memoryType: "semantic",
  isItem: false,
  status: "active",
  supersededUntil: null,
  supersededStatus: null,
  keywords: "",
  occurredAt: 0,
  expiresAt: null,
  hasCallersVector: false,
  multilingual: null,
  language: null,
  isAdopted: false,
};

function scopeOf(path: string, last: number): RecallScope {
  return recallScope({ owners: [OWNER], path, createdBefore: last + 1, now: Date.now() });
}
