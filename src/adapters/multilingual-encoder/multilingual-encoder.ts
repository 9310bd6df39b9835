import type { EmbeddingGeneration } from "../../core/embedding/embedder.ts";
import type { MultilingualEncoder, MultilingualText } from "../../core/embedding/multilingual-encoder.ts";
import { startEncoderWorker } from "./encoder-worker.ts";
import { findPackage } from "./package-files.ts";

/** The generation of the one model file. Another file needs another name, since their vectors cannot be compared. */
const GENERATION: EmbeddingGeneration = {
  provider: "builtin",
  model: "use-multilingual-96k",
  dimension: 256,
};

/**
 * Opens the multilingual encoder: Universal Sentence Encoder multilingual v3 in this process, in a thread of its own.
 * Returns null if its package is not installed.
 *
 * @throws MultilingualEncoderError if the package is there and cannot run.
 */
export async function openMultilingualEncoder(): Promise<MultilingualEncoder | null> {
  const folder = findPackage();
  if (folder === null) return null;
  const worker = await startEncoderWorker(folder);
  return {
    generation: GENERATION,
    async encode(texts) {
      const encoded: MultilingualText[] = [];
      // Sequential, so that queries need not wait for all texts.
      for (const text of texts) encoded.push(await worker.run({ kind: "text", text }, { isUrgent: false }));
      return encoded;
    },
    languageOf: (text) => worker.run({ kind: "language", text }, { isUrgent: true }),
    async encodeQuery(whole, sentences) {
      const [first, ...others] = await worker.run(
        { kind: "vectors", texts: [whole, ...sentences] },
        { isUrgent: true },
      );
      return { whole: first as Float32Array, sentences: others };
    },
    close: () => worker.close(),
  };
}
