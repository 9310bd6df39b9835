import type { Embedder } from "../embedding/embedder.ts";
import { DomainError } from "../error.ts";
import { awaitedLater } from "../resilience/awaited-later.ts";
import { embedTexts } from "./embed-texts.ts";
import type { MadeVectors, OwnedMemory } from "./outbox.ts";

/** A memory whose passages lack vectors, with its text. */
export interface Unembedded extends OwnedMemory {
  readonly revision: number;
  readonly content: string;
}

/**
 * The memories of all owners that wait for a vector. It takes no `Caller` for the reason given at `ExportSource`: it
 * serves the operator, and what it reads only goes to the embedder.
 */
export interface EmbeddingBacklog {
  count(): Promise<number>;
  /** The next memories by internal id, starting after `after`. */
  read(after: string | null, limit: number): Promise<Unembedded[]>;
  /** Stores the vectors and queues the index updates. Skips memories that have changed since they were read. */
  store(vectors: readonly MadeVectors[]): Promise<void>;
}

/** Batch sizes for an embedder in this process, which takes a few milliseconds, and for others. */
const QUICK_BATCH = 500;
const BATCH = 100;
/** The number of batches being stored while the next is embedded. */
const STORING = 2;

/**
 * Embeds all memories that lack vectors of the current generation, except those whose text the embedder refuses. While
 * a batch is embedded, the next one is read and earlier ones are stored. Can be stopped and repeated, and run while a
 * server is running; the worker embeds concurrent writes. `dependency_unavailable` if the embedder is unreachable.
 */
export async function reembed(
  ports: { readonly backlog: EmbeddingBacklog; readonly embedder: Embedder },
  options: { signal?: AbortSignal; onProgress?: (done: number, of: number) => void } = {},
): Promise<{ embedded: number; remaining: number }> {
  const { backlog, embedder } = ports;
  const limit = embedder.inProcess ? QUICK_BATCH : BATCH;
  const total = await backlog.count();
  let seen = 0;
  let embedded = 0;
  const storing: Promise<void>[] = [];
  const store = async (vectors: readonly MadeVectors[], read: number) => {
    if (vectors.length > 0) await backlog.store(vectors);
    seen += read;
    embedded += vectors.length;
    options.onProgress?.(seen, Math.max(total, seen));
  };
  try {
    for (let reading = awaitedLater(backlog.read(null, limit)); !options.signal?.aborted; ) {
      const batch = await reading;
      const last = batch.at(-1);
      if (last === undefined) break;
      reading = awaitedLater(backlog.read(last.memory, limit));
      storing.push(awaitedLater(store(await vectorsOf(embedder, batch), batch.length)));
      if (storing.length >= STORING) await storing.shift();
    }
    await Promise.all(storing);
  } finally {
    await Promise.allSettled(storing);
  }
  return { embedded, remaining: await backlog.count() };
}

async function vectorsOf(embedder: Embedder, batch: readonly Unembedded[]): Promise<MadeVectors[]> {
  const results = await embedTexts(
    embedder,
    batch.map((memory) => memory.content),
  );
  return batch.flatMap(({ ownerId, memory, revision }, at) => {
    const result = results[at];
    if (result?.kind === "away")
      throw new DomainError(
        "dependency_unavailable",
        "The embedding provider does not answer. recollect doctor says why.",
      );
    return result?.kind === "vectors" ? [{ ownerId, memory, revision, vectors: result.vectors }] : [];
  });
}
