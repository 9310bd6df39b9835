import { EmbeddingsApiError } from "./embeddings-api.ts";

/** A provider that refuses a text of so few characters has nothing against its length. */
const CHARACTERS_MIN = 256;

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>;

/**
 * Vectors of all texts, by a provider that refuses a whole batch for one text that is too long for it: the batch is
 * halved until the text is alone, and the text until it fits. Its beginning then stands for it.
 */
export async function embedEach(texts: readonly string[], embed: Embed): Promise<Float32Array[]> {
  try {
    return await embed(texts);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await requireWilling(embed);
    return divided(texts, embed, error);
  }
}

async function divided(texts: readonly string[], embed: Embed, refusal: unknown): Promise<Float32Array[]> {
  const [only] = texts;
  if (only === undefined) return [];
  const parts = texts.length > 1 ? halves(texts) : [[shortened(only, refusal)]];
  const vectors: Float32Array[] = [];
  for (const part of parts) {
    const made = await embed(part).catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      return divided(part, embed, error);
    });
    vectors.push(...made);
  }
  return vectors;
}

function halves(texts: readonly string[]): string[][] {
  const middle = Math.ceil(texts.length / 2);
  return [texts.slice(0, middle), texts.slice(middle)];
}

function shortened(text: string, refusal: unknown): string {
  if (text.length <= CHARACTERS_MIN) throw refusal;
  const half = text.slice(0, Math.ceil(text.length / 2));
  // Not between the halves of a surrogate pair.
  return half.replace(/[\uD800-\uDBFF]$/, "");
}

/** A provider that refuses any text, for a wrong model say, is not there: nothing is wrong with these. */
async function requireWilling(embed: Embed): Promise<void> {
  await embed(["memory"]).catch((error: unknown) => {
    throw isRefused(error)
      ? new EmbeddingsApiError(
          "unintelligible",
          "The embedding provider refuses every text: check the model's name.",
        )
      : error;
  });
}

function isRefused(error: unknown): boolean {
  return error instanceof EmbeddingsApiError && error.failure === "text";
}
