/** The end of an owner: everything that it holds, everywhere, for good. */
import { notFound } from "../error.ts";
import type { Owner } from "./credential.ts";

/** Rows by the table that held them. */
export type RemovedRows = Readonly<Record<string, number>>;

/** What can be shown afterwards: ids and numbers, neither a name nor content. */
export interface ErasureReceipt {
  readonly id: string;
  readonly kind: ErasedKind;
  readonly ownerId: string;
  /** `running`: not everything is removed yet; `pending`: all but what an index still has to confirm. */
  readonly state: "running" | "pending" | "confirmed";
  readonly removed: RemovedRows;
  /** Lines of the audit log that stay, with neither content nor a name. */
  readonly auditLines: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

export type ErasedKind = Exclude<Owner["kind"], "agent">;

/** Who is to be erased. */
export interface ErasedOwner {
  readonly kind: ErasedKind;
  readonly name: string;
}

/** Each call is a transaction, or several that may be repeated: a process that dies leaves nothing half done. */
export interface ErasureStore {
  /** What an erasure of this owner would remove now; `null` where there is none of that name. */
  preview(owner: ErasedOwner): Promise<RemovedRows | null>;
  /**
   * Begins the end of an owner: its name is free, its credentials, memberships and sign-in account are worth nothing from
   * here on. Where one of that name is being erased already, answers that one; where one was, and there is none of the
   * name now, the last; `null` where there never was. `conflict` where a team would be left without an owner.
   */
  begin(owner: ErasedOwner): Promise<ErasureReceipt | null>;
  /** Removes up to a batch of memories with all that hangs on them; 0 where none is left. */
  removeMemories(id: string): Promise<number>;
  /** Takes the owner's name and that of its agents out of what stays with others, and what it wrote there before. */
  disown(id: string): Promise<void>;
  /** Removes all else in one transaction, the owner last. False where memories have come since: remove them first. */
  finish(id: string): Promise<boolean>;
  receipt(id: string): Promise<ErasureReceipt | null>;
  /** All there are, newest first. */
  list(): Promise<ErasureReceipt[]>;
}

interface Progress {
  /** Told how many memories are gone, after each batch. */
  readonly onProgress?: (memories: number) => void;
  /** Stops between two batches; the same call goes on from there. */
  readonly signal?: AbortSignal;
  /** How long servers may still take an ended credential for a valid one. */
  readonly settle: () => Promise<void>;
}

/**
 * Erases an owner. The same call again goes on where the last one stopped, however that ended, and answers the same receipt
 * once all is done. `not_found` where there is no owner of that name and never was.
 */
export async function eraseOwner(
  store: ErasureStore,
  owner: ErasedOwner,
  { onProgress, signal, settle }: Progress,
): Promise<ErasureReceipt> {
  const begun = await store.begin(owner);
  if (begun === null) throw notFound(owner.kind);
  if (begun.finishedAt !== null) return begun;
  // What was let in a moment ago may still write.
  await settle();
  let removed = 0;
  do {
    for (;;) {
      signal?.throwIfAborted();
      const batch = await store.removeMemories(begun.id);
      if (batch === 0) break;
      removed += batch;
      onProgress?.(removed);
    }
    signal?.throwIfAborted();
    await store.disown(begun.id);
  } while (!(await store.finish(begun.id)));
  return (await store.receipt(begun.id)) as ErasureReceipt;
}
