import type { Embedder } from "../embedding/embedder.ts";
import { DomainError } from "../error.ts";
import { embedTexts } from "./embed-texts.ts";
import type { MadeVectors, OwnedMemory } from "./outbox.ts";

/** A memory that lacks a vector of the current generation for one of its passages. */
export interface Unembedded extends OwnedMemory {
  readonly revision: number;
  readonly content: string;
}

/**
 * The memories of every owner that wait for a vector. It takes no `Caller` for the reason given at `ExportSource`: it
 * serves the operator, and nothing of what it reads leaves the service but to the embedder.
 */
export interface EmbeddingBacklog {
  count(): Promise<number>;
  /** The next of them, by internal id after `after`. */
  read(after: string | null, limit: number): Promise<Unembedded[]>;
  /** Stores the vectors, but not of a memory that has changed since it was read, and tells indexes of them. */
  store(vectors: readonly MadeVectors[]): Promise<void>;
}

const BATCH = 100;

/**
 * Embeds every memory that lacks vectors of the current generation, one batch at a time, but not those whose text the
 * embedder refuses. It may be stopped and run again, and runs beside a server. What is written meanwhile is the worker's.
 * `dependency_unavailable` where the embedder is away.
 */
export async function reembed(
  ports: { readonly backlog: EmbeddingBacklog; readonly embedder: Embedder },
  options: { signal?: AbortSignal; onProgress?: (done: number, of: number) => void } = {},
): Promise<{ embedded: number; remaining: number }> {
  const { backlog } = ports;
  const total = await backlog.count();
  let seen = 0;
  let embedded = 0;
  let after: string | null = null;
  while (!options.signal?.aborted) {
    const batch = await backlog.read(after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) break;
    const vectors = await vectorsOf(ports.embedder, batch);
    if (vectors.length > 0) await backlog.store(vectors);
    seen += batch.length;
    embedded += vectors.length;
    after = last.memory;
    options.onProgress?.(seen, Math.max(total, seen));
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
      throw new DomainError("dependency_unavailable", "The embedding provider does not answer.");
    return result?.kind === "vectors" ? [{ ownerId, memory, revision, vectors: result.vectors }] : [];
  });
}
