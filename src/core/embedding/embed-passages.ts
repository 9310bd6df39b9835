import { passageTexts } from "../../recall/language/passages.ts";
import type { Embedder } from "./embedder.ts";

/**
 * Returns the vectors of each text's passages, in order: one for a text of usual length. Rejects like `Embedder.embed`.
 */
export async function embedPassages(
  embedder: Pick<Embedder, "embed">,
  texts: readonly string[],
): Promise<Float32Array[][]> {
  const passages = texts.map(passageTexts);
  const vectors = await embedder.embed(passages.flat());
  let end = 0;
  return passages.map(({ length }) => {
    end += length;
    return vectors.slice(end - length, end);
  });
}
