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

/** Loads the word-piece tables that ship with the service: 100 ms and 50 MB, once per process. */
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

/** How long requests wait while texts are embedded. A single long text takes 50 ms. */
const TURN_MS = 1;

/** Provider of the embedder and of the multilingual encoder that come with the service. */
export const BUILTIN = "builtin";

/** The built-in embedder: in this process, about 25 microseconds per text, always available. */
export function createBuiltinEmbedder(lexicon: Lexicon): Embedder {
  return {
    generation: { provider: BUILTIN, model: "static-256", dimension: lexicon.dimension },
    inProcess: true,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      let since = performance.now();
      for (const text of texts) {
        // A worker's batch has many texts, so it yields to requests.
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

/** Returns a query's vectors from the built-in table, with its pieces weighted by their significance in the scope. */
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
