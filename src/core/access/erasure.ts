/** Permanent erasure of an owner and everything that it owns. */
import { notFound } from "../error.ts";
import type { Owner } from "./credential.ts";

/** Number of removed rows by table. */
export type RemovedRows = Readonly<Record<string, number>>;

/** Receipt of an erasure: ids and numbers, neither a name nor content. */
export interface ErasureReceipt {
  readonly id: string;
  readonly kind: ErasedKind;
  readonly ownerId: string;
  /** `running`: removal is under way. `pending`: only an index still has to confirm its removals. */
  readonly state: "running" | "pending" | "confirmed";
  readonly removed: RemovedRows;
  /** Audit lines that remain, with neither content nor a name. */
  readonly auditLines: number;
  readonly startedAt: number;
  readonly finishedAt: number | null;
}

export type ErasedKind = Exclude<Owner["kind"], "agent">;

export interface ErasedOwner {
  readonly kind: ErasedKind;
  readonly name: string;
  /** If given, the id must match, because a freed name may belong to a new owner. */
  readonly id?: string;
  /** Of an end user: see `Owner.applicationId`. */
  readonly applicationId?: string;
}

/** The requester of an erasure over the network. The command line has none. */
export interface ErasureRequester {
  readonly tokenId: string;
  /** For a team, a user who must be its owner when the erasure begins; for an end user, its application. */
  readonly ownerId: string;
}

/**
 * Storage of erasures. Each call is one transaction, or several repeatable ones, so that a crash leaves nothing half
 * done.
 */
export interface ErasureStore {
  /** Returns the owner with that id, unless it is erased or being erased. */
  find(ownerId: string): Promise<ErasedOwner | null>;
  /** Returns the id of an owner's current or future erasure: the same on each call, and unguessable. */
  idFor(ownerId: string): Promise<string>;
  /**
   * Counts what an erasure of this owner would remove now; null if no owner has that name. Rejects with `conflict` if a
   * team would be left without an owner.
   */
  preview(owner: ErasedOwner): Promise<RemovedRows | null>;
  /**
   * Begins the erasure of an owner: frees its name, and ends its credentials, memberships and sign-in account at once.
   * If an owner with that name is already being erased, returns that erasure; if one was erased and no owner has the
   * name now, the last one; null if there never was one, or the requester may not see it. Rejects with `conflict` if a
   * team would be left without an owner. Erasures requested over the network are carried out by a server.
   */
  begin(owner: ErasedOwner, by?: ErasureRequester): Promise<ErasureReceipt | null>;
  /** Returns the erasure of that owner that the credential began. */
  begunBy(ownerId: string, tokenId: string): Promise<ErasureReceipt | null>;
  /** Returns the latest erasure of an owner with that kind and name. */
  latestOf(owner: ErasedOwner): Promise<ErasureReceipt | null>;
  /**
   * Claims an unfinished erasure that no process is working on; null if there is none. An erasure counts as being
   * worked on while its steps are only seconds apart.
   */
  takeUp(): Promise<string | null>;
  /** Notes a failed attempt. The next is made after as much time as has passed since the erasure began, at most an hour. */
  fail(id: string): Promise<void>;
  /** Removes up to a batch of memories with their dependent rows. Returns how many; 0 if none are left. */
  removeMemories(id: string): Promise<number>;
  /** Removes the owner's name, its agents' names and its earlier texts from data of other owners. */
  disown(id: string): Promise<void>;
  /**
   * Removes everything else in one transaction, the owner last. Returns false if new memories exist, which must be
   * removed first.
   */
  finish(id: string): Promise<boolean>;
  receipt(id: string): Promise<ErasureReceipt | null>;
  /** All erasures, newest first. */
  list(): Promise<ErasureReceipt[]>;
}

interface Progress {
  /** Called after each batch with the number of memories removed. */
  readonly onProgress?: (memories: number) => void;
  /** Aborts between batches. A repeated call resumes. */
  readonly signal?: AbortSignal;
  /** Resolves when no server still accepts an ended credential from its cache. */
  readonly settle: () => Promise<void>;
}

/**
 * Erases an owner. A repeated call resumes after any interruption, and returns the same receipt once everything is
 * removed. Rejects with `not_found` if there never was an owner with that name.
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

/** Carries out erasures requested over the network, and interrupted ones, until none are left or one fails. */
export async function finishErasures(
  store: ErasureStore,
  { isStopping }: { readonly isStopping: () => boolean },
): Promise<void> {
  while (!isStopping()) {
    const id = await store.takeUp();
    if (id === null) return;
    await carryOn(store, id, { isStopping }).catch(async (error) => {
      await store.fail(id);
      throw error;
    });
  }
}

interface Work {
  readonly onProgress?: (memories: number) => void;
  /** Called between batches. True ends the work. */
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
