import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BoundedCache } from "../../core/cache.ts";
import type { Embedder } from "../../core/embedding/embedder.ts";
import type { QueryAnalysis } from "../../recall/index/query.ts";
import type { QueryEmbedding } from "../../recall/index/query-embedding.ts";
import { createLexicon, type Lexicon, type Spelling } from "../../recall/language/lexicon.ts";

const asset = (name: string) => fileURLToPath(new URL(`../../../models/${name}`, import.meta.url));

/** About 20,000 words of usual length. */
const SPELLED_BYTES_MAX = 4 * 1024 * 1024;

let loading: Promise<Lexicon> | null = null;

/** The tables of word pieces that ship with the service: 100 ms and 50 MB, once a process. */
export function loadLexicon(): Promise<Lexicon> {
  loading ??= readLexicon();
  return loading;
}

async function readLexicon(): Promise<Lexicon> {
  const [table, near] = await Promise.all(
    ["static-256.bin", "near-pieces.bin"].map((name) => readFile(asset(name))),
  );
  const spelled = new BoundedCache<string, Spelling>({
    name: "spelled words",
    bytesMax: SPELLED_BYTES_MAX,
    bytesOf: ({ pieces }) => 88 + 8 * pieces.length,
  });
  return createLexicon({ table: table as Uint8Array, near: near as Uint8Array }, spelled);
}

/** So long requests wait while texts are embedded; a long text by itself takes 50 ms. */
const TURN_MS = 1;

/** The embedder that needs nothing: in this process, some 25 microseconds a text, never away. */
export function createBuiltinEmbedder(lexicon: Lexicon): Embedder {
  return {
    generation: { provider: "builtin", model: "static-256", dimension: lexicon.dimension },
    inProcess: true,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      let since = performance.now();
      for (const text of texts) {
        // A worker's portion has many: requests come first.
        if (performance.now() - since > TURN_MS) {
          await setImmediate();
          since = performance.now();
        }
        vectors.push(lexicon.embed(text));
      }
      return vectors;
    },
    query: async (text, sentences) => staticEmbedding({ text, sentences }, lexicon),
  };
}

/** A query's vectors by the built-in table: its pieces weighted by how much they say in the scope. */
export function staticEmbedding(
  { text, sentences }: Pick<QueryAnalysis, "text" | "sentences">,
  lexicon: Lexicon,
): QueryEmbedding {
  return (weightOf) => {
    const whole = lexicon.embedQuery(text, weightOf);
    const ofSentence = (sentence: string) =>
      sentence === text ? whole : lexicon.embedQuery(sentence, weightOf);
    return { whole, sentences: sentences.map(ofSentence) };
  };
}
