import type { Embedder } from "../recall/embedder.ts";
import type { RecallIndex } from "../recall/recall-index.ts";
import { encodeVector } from "../recall/vector-bytes.ts";
import type { MadeVector, OutboxLine } from "./outbox.ts";

/**
 * Does what outbox lines ask for: embeds what has no vector yet, and brings the index up to date with what was
 * erased or has moved away, so that a receipt is confirmed only when the index has let go of it.
 */
export async function project(
  ports: { embedder: Embedder; index: Pick<RecallIndex, "refresh"> },
  lines: readonly OutboxLine[],
): Promise<readonly MadeVector[]> {
  const erased = lines
    .filter((line) => line.kind === "remove" || line.receipt !== null)
    .map((line) => line.ownerId);
  if (erased.length > 0) await ports.index.refresh([...new Set(erased)]);
  const waiting = lines.filter((line) => line.unembedded !== null);
  if (waiting.length === 0) return [];
  const vectors = await ports.embedder.embed(waiting.map((line) => line.unembedded as string));
  return waiting.map(({ memory, revision }, index) => ({
    memory,
    revision,
    vector: encodeVector(vectors[index] as Float32Array),
  }));
}
