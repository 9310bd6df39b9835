/** The end of an owner: everything that it holds, everywhere, for good. */
import { notFound } from "../error.ts";
import type { Owner } from "./credential.ts";

/** Rows by the table that held them. */
export type RemovedRows = Readonly<Record<string, number>>;

/** Receipt of an erasure: ids and numbers, neither a name nor content. */
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

/** The owner to erase. */
export interface ErasedOwner {
  readonly kind: ErasedKind;
  readonly name: string;
  /** If given, the id must match: a freed name may belong to a new owner. */
  readonly id?: string;
}

/** Requester of an erasure over the network; the command line has none. */
export interface ErasureRequester {
  readonly tokenId: string;
  /** For a team, a user who must be its owner when the erasure begins. */
  readonly userId: string;
}

/** Each call is a transaction, or several that may be repeated: a process that dies leaves nothing half done. */
export interface ErasureStore {
  /** The owner of that id, while it is neither erased nor being erased. */
  find(ownerId: string): Promise<ErasedOwner | null>;
  /** The id that the erasure of an owner has, or will have: the same at each call, and to be guessed by nobody. */
  idFor(ownerId: string): Promise<string>;
  /**
   * Counts what an erasure of this owner would remove now; `null` if no owner has that name. `conflict` if a team would
   * be left without an owner.
   */
  preview(owner: ErasedOwner): Promise<RemovedRows | null>;
  /**
   * Begins the end of an owner: its name is free, its credentials, memberships and sign-in account are worth nothing
   * from here on. Where one of that name is being erased already, answers that one; where one was, and there is none of
   * the name now, the last; `null` where there never was, or not for who asks. `conflict` where a team would be left
   * without an owner. What somebody asks for is a server's to go on with from the beginning.
   */
  begin(owner: ErasedOwner, by?: ErasureRequester): Promise<ErasureReceipt | null>;
  /** The erasure that the credential has begun for that owner. */
  begunBy(ownerId: string, tokenId: string): Promise<ErasureReceipt | null>;
  /**
   * Takes up one that is not finished and that nobody works on; null where there is none. It is taken for worked on
   * while steps follow each other within seconds.
   */
  takeUp(): Promise<string | null>;
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
 * Erases an owner. The same call again goes on where the last one stopped, however that ended, and answers the same
 * receipt once all is done. `not_found` where there is no owner of that name and never was.
 */
export async function eraseOwner(
  store: ErasureStore,
  owner: ErasedOwner,
  { onProgress, signal, settle }: Progress,
): Promise<ErasureReceipt> {
  const begun = await store.begin(owner);
  if (begun === null) throw notFound(owner.kind);
  if (begun.finishedAt !== null) return begun;
  // Requests admitted a moment ago may still write.
  await settle();
  await carryOn(store, begun.id, {
    ...(onProgress && { onProgress }),
    isStopping: () => signal?.aborted ?? false,
  });
  signal?.throwIfAborted();
  return (await store.receipt(begun.id)) as ErasureReceipt;
}

/** Goes on with what was asked for over the network and with what was broken off, until none of it is left. */
export async function finishErasures(
  store: ErasureStore,
  { isStopping }: { readonly isStopping: () => boolean },
): Promise<void> {
  for (let id = await store.takeUp(); id !== null && !isStopping(); id = await store.takeUp())
    await carryOn(store, id, { isStopping });
}

interface Work {
  readonly onProgress?: (memories: number) => void;
  /** Asked between two batches: true ends the work there. */
  readonly isStopping: () => boolean;
}

async function carryOn(store: ErasureStore, id: string, { onProgress, isStopping }: Work): Promise<void> {
  let removed = 0;
  do {
    for (;;) {
      if (isStopping()) return;
      const batch = await store.removeMemories(id);
      if (batch === 0) break;
      removed += batch;
      onProgress?.(removed);
    }
    await store.disown(id);
    if (isStopping()) return;
  } while (!(await store.finish(id)));
}
