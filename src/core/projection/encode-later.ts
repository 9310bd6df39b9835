import type { OwnedMemory } from "./outbox.ts";
import type { Unembedded } from "./reembed.ts";

/** The vectors that a model made of a memory after it was written. */
export interface EncodedMemory extends OwnedMemory {
  /** The revision whose text was encoded. */
  readonly revision: number;
}

/**
 * The memories of all owners that wait for a model's vectors. It takes no `Caller` for the reason given at
 * `ExportSource`: what it reads does not leave the service.
 */
export interface ModelBacklog<Encoded extends EncodedMemory> {
  /** The next memories by internal id, newest first: below `before`, or from the greatest id if null. */
  read(before: string | null, limit: number): Promise<Unembedded[]>;
  /** Those of these memories that wait for the model's vectors. */
  readOf(memories: readonly OwnedMemory[]): Promise<Unembedded[]>;
  /** Stores the vectors. Skips memories that have changed since they were read. */
  store(encoded: readonly Encoded[]): Promise<void>;
  /** Removes the vectors of earlier models, if they are kept beside those of this one. */
  dropOthers(): Promise<void>;
}

/** A model, and the memories that wait for its vectors. */
export interface EncodePorts<Encoded extends EncodedMemory> {
  readonly backlog: ModelBacklog<Encoded>;
  readonly encode: (memory: Unembedded) => Promise<Encoded>;
}

/** Encodes memories and stores the vectors. Calls `rest` after each memory with the milliseconds it took. */
export async function encodeMemories<Encoded extends EncodedMemory>(
  { backlog, encode }: EncodePorts<Encoded>,
  memories: readonly Unembedded[],
  { signal, rest }: { readonly signal: AbortSignal; readonly rest: (tookMs: number) => Promise<void> },
): Promise<void> {
  const encoded: Encoded[] = [];
  for (const memory of memories) {
    if (signal.aborted) break;
    const from = performance.now();
    encoded.push(await encode(memory));
    await rest(performance.now() - from);
  }
  if (encoded.length > 0) await backlog.store(encoded);
}
