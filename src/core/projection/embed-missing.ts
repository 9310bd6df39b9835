import type { Embedder } from "../embedding/embedder.ts";
import { embedTexts } from "./embed-texts.ts";
import type { IndexSource } from "./index-source.ts";
import type { MadeVector, OutboxLine } from "./outbox.ts";
import { portions } from "./portions.ts";

/** Why a memory has no vector: the embedder refuses its text for this reason, or null where it is away. */
export interface EmbedFailure {
  readonly refused: string | null;
}

/** So much is asked of an embedder at once. */
const PORTION = { items: 100, bytes: 1024 * 1024 };

/**
 * Makes and stores the vectors that the lines' memories lack, each once, and answers those it could not make. While the
 * embedder is away it is asked once, not for every portion.
 */
export async function embedMissing(
  { source, embedder }: { source: IndexSource; embedder: Embedder },
  lines: readonly OutboxLine[],
): Promise<Map<string, EmbedFailure>> {
  const failures = new Map<string, EmbedFailure>();
  const waiting = new Map(lines.filter((line) => line.needsVector).map((line) => [line.memory, line]));
  let isAway = false;
  for (const portion of portions([...waiting.values()], PORTION)) {
    const memories = portion.map((line) => line.memory);
    if (isAway) {
      for (const memory of memories) failures.set(memory, { refused: null });
      continue;
    }
    const texts = await source.unembedded(memories);
    const embedded = await embedTexts(
      embedder,
      texts.map((text) => text.content),
    );
    const made: MadeVector[] = [];
    for (const [at, { memory, revision }] of texts.entries()) {
      const result = embedded[at];
      if (result?.kind === "vector") made.push({ memory, revision, vector: result.vector });
      else failures.set(memory, { refused: result?.kind === "refused" ? result.reason : null });
    }
    isAway = embedded.some((result) => result.kind === "away");
    if (made.length > 0) await source.storeVectors(made);
  }
  return failures;
}
