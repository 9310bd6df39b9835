/** What a recall index keeps of one memory. It is derived from the record and can be rebuilt from it. */
export interface IndexDocument {
  /** Internal UUID of the memory. */
  readonly id: string;
  /** Order of storing: unique and rising within the database, with gaps. */
  readonly seq: number;
  /** Rises with each change of the row; a change with a lower revision than the one held is ignored. */
  readonly revision: number;
  readonly ownerId: string;
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly path: string;
  readonly bucket: string;
  readonly scope: string;
  readonly memoryType: string;
  /** It is a todo or decision of a project: another memory may be of the same type. */
  readonly isItem: boolean;
  readonly status: string;
  /** When it is live again, since what superseded it has expired by then, and its status from then on; null: never. */
  readonly supersededUntil: number | null;
  readonly supersededStatus: string | null;
  readonly sessionId: string | null;
  /** Who said or produced it, as given in `source`. */
  readonly source: string | null;
  readonly content: string;
  /** Semantic key and logic path: words that name the memory without being part of its text. */
  readonly keywords: string;
  /** When the thing happened, or was stored where that is not known. Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** The embedding as stored (see `vector-bytes.ts`), or null while it has none of the index's generation. */
  readonly vector: Uint8Array | null;
}

/** A change in an owner's memories, as the feed reports it. */
export type IndexChange =
  | { readonly kind: "put"; readonly document: IndexDocument }
  | { readonly kind: "remove"; readonly id: string; readonly revision: number };
