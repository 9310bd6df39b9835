import { openTokenEncoder } from "../../src/adapters/token-encoder/token-encoder.ts";
import { encodePassages } from "../../src/core/projection/encode-later.ts";
import type { IndexDocument } from "../../src/recall/index/index-document.ts";
import type { TokenModel } from "../../src/recall/index/token-model.ts";
import type { Lexicon } from "../../src/recall/language/lexicon.ts";

/** The service's token model, with the vectors of these documents. */
export async function openTokenModel(
  documents: readonly IndexDocument[],
  lexicon: Lexicon,
): Promise<{ model: TokenModel; close(): Promise<void> }> {
  const encoder = await openTokenEncoder(lexicon);
  console.error(`encoding ${documents.length} memories`);
  const vectors = new Map(
    await Promise.all(
      documents.map(async ({ id, content }) => [id, await encodePassages(encoder, content)] as const),
    ),
  );
  return {
    model: {
      dimension: encoder.generation.dimension,
      query: (text) => encoder.encodeQuery(text),
      passages: async (passages) =>
        passages.map(({ memory, passage }) => vectors.get(memory)?.[passage] ?? null),
    },
    close: () => encoder.close(),
  };
}
