import type { EmbeddingGeneration } from "../../core/embedding/embedder.ts";
import type { MultilingualEncoder, MultilingualText } from "../../core/embedding/multilingual-encoder.ts";
import { startModelThread } from "../model-thread.ts";
import type { Encoded, Job } from "./encoder-thread.ts";
import { languageOfQuestion } from "./language.ts";
import { readLanguageProfiles } from "./language-profiles.ts";
import { findPackage, MultilingualEncoderError } from "./package-files.ts";

/** The generation of the one model file. Another file needs another name, since their vectors cannot be compared. */
const GENERATION: EmbeddingGeneration = {
  provider: "builtin",
  model: "use-multilingual-96k",
  dimension: 256,
};

/**
 * Opens the multilingual encoder: Universal Sentence Encoder multilingual v3 in this process, in a thread of its own.
 * Languages of queries are read in the calling thread, since the other may be busy for several times as long. Returns null if its package is not installed.
 *
 * @throws MultilingualEncoderError if the package is there and cannot run.
 */
export async function openMultilingualEncoder(): Promise<MultilingualEncoder | null> {
  const folder = findPackage();
  if (folder === null) return null;
  const profiles = readLanguageProfiles(folder);
  const thread = await startModelThread<Job, Encoded>({
    file: new URL("./thread.js", import.meta.url),
    data: { folder },
    mustRelease: false,
    error: (message, options) => new MultilingualEncoderError(message, options),
  });
  return {
    generation: GENERATION,
    async encode(texts) {
      const encoded: MultilingualText[] = [];
      // Sequential, so that queries need not wait for all texts.
      for (const text of texts)
        encoded.push((await thread.run({ text }, { isUrgent: false })) as MultilingualText);
      return encoded;
    },
    languageOf: (text) => languageOfQuestion(text, profiles),
    async encodeQuery(whole, sentences) {
      // A question of one sentence is its own sentence.
      const texts = [...new Set([whole, ...sentences])];
      const vectors = (await thread.run({ texts }, { isUrgent: true })) as readonly Float32Array[];
      const vectorOf = (text: string) => vectors[texts.indexOf(text)] as Float32Array;
      return { whole: vectorOf(whole), sentences: sentences.map(vectorOf) };
    },
    close: () => thread.close(),
  };
}
