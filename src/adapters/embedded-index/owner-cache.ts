import { setImmediate } from "node:timers/promises";
import { listCache } from "../../core/cache.ts";
import { portions } from "../../core/projection/portions.ts";
import { packIndex, unpackIndex } from "../../recall/index/in-memory/index-snapshot.ts";
import { leastBytes, OwnerIndex } from "../../recall/index/in-memory/owner-index.ts";
import { type IndexChange, type IndexFeed, REMOVALS_KEPT_MS } from "../../recall/index/index-document.ts";
import type { IndexSnapshots } from "../../recall/index/index-snapshots.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import { inTurns, type Pace } from "../../recall/work.ts";

/**
 * Changes applied between two pauses, in about two milliseconds. A longer text is applied by itself, in tens of
 * milliseconds at most.
 */
const PAUSE_CHANGES = 32;
const PAUSE_LENGTH = 8_192;
/** An index that has not read the feed for so long is rebuilt, well before removals that it missed are forgotten. */
const REBUILD_AFTER_MS = REMOVALS_KEPT_MS / 2;
/** An owner whose index was too large is retried after this time, since it may have shrunk. */
const RETRY_AFTER_MS = 10 * 60_000;

/** An index is stored again after so many changes, and such a share of its memories. */
const STORED_CHANGES_MIN = 1_000;
const STORED_CHANGES_SHARE = 0.02;
/** Pause before an owner's index is stored again, also as a multiple of the time that storing it took. */
const STORED_PAUSE_MS = 10 * 60_000;
const STORED_PAUSES = 50;

/** How many times in a row to start over because the record was replaced during the reading. */
const READ_ANEW_MAX = 3;

interface Owner {
  index: OwnerIndex;
  /** When building began: at the first request, or when it started over. */
  since: number;
  cursor: string | null;
  /** True if the last reading brought no change. */
  isQuiet: boolean;
  /** When the feed was last read to its end. */
  readAt: number;
  running: Promise<void> | null;
  queued: Promise<void> | null;
  users: number;
  /** Number of requests that are using the index now. It is not changed until they are done. */
  lookers: number;
  /** Called when no request uses the index any more. */
  readonly unseen: (() => void)[];
  /** The stored index that it began as, or was last stored as, and the index's version then; null if there is none. */
  stored: { readonly id: string; readonly version: number } | null;
  /** When storing it may be considered next, on the clock of `performance.now()`. */
  storedAgainAt: number;
  /** Number of memories that the first reading has read, and the callbacks to notify of it. */
  read: number;
  readonly watchers: Set<() => void>;
}

/** How a request waits for an index that is being built. */
interface Waiting {
  /** Maximum wait in milliseconds; null: no limit. Default: the option of the cache. */
  readonly buildWithinMs?: number | null;
  /** Called with the number of memories read so far, over all owners. */
  readonly onRead?: ((memories: number) => void) | undefined;
}

/** Splits changes into portions to apply at a time, by the length of their texts. */
function readable(changes: readonly IndexChange[]): IndexChange[][] {
  const sized = changes.map((change) => ({
    change,
    bytes: change.kind === "put" ? change.document.content.length : 0,
  }));
  return portions(sized, { items: PAUSE_CHANGES, bytes: PAUSE_LENGTH }).map((portion) =>
    portion.map(({ change }) => change),
  );
}

/** Keeps the owners' indexes unchanged until the work is done. */
async function looking<T>(owners: readonly Owner[], work: () => T | Promise<T>): Promise<T> {
  for (const owner of owners) owner.lookers++;
  try {
    return await work();
  } finally {
    for (const owner of owners) {
      owner.lookers--;
      if (owner.lookers === 0) for (const go of owner.unseen.splice(0)) go();
    }
  }
}

interface Pinned {
  readonly ownerId: string;
  readonly owner: Owner;
}

/**
 * Runs `use` on the indexes as they are, while the database is asked for changes. Mostly there are none, and the answer
 * is valid: see `stillHolds`. Returns null without trying if an index is not built yet, or if its last reading brought
 * changes.
 */
async function whileRead<T>(
  pinned: readonly Pinned[],
  use: (indexes: ReadonlyMap<string, OwnerIndex>, unbuilt: ReadonlySet<string>) => T | Promise<T>,
): Promise<{ answer: T; stillHolds: () => boolean } | null> {
  const isQuiet = ({ owner }: Pinned) => owner.cursor !== null && owner.isQuiet;
  if (pinned.length === 0 || !pinned.every(isQuiet)) return null;
  // The driver sends queued statements in a later turn of the event loop. Let it do so first.
  await setImmediate();
  await setImmediate();
  if (!pinned.every(isQuiet)) return null;
  const seen = pinned.map(({ owner }) => ({ owner, index: owner.index, version: owner.index.version }));
  const indexes = new Map(pinned.map(({ ownerId, owner }) => [ownerId, owner.index]));
  const answer = await looking(
    pinned.map(({ owner }) => owner),
    () => use(indexes, new Set()),
  );
  return {
    answer,
    stillHolds: () =>
      seen.every(({ owner, index, version }) => owner.index === index && index.version === version),
  };
}

function isAllRead(results: readonly PromiseSettledResult<boolean>[]): boolean {
  return results.every((result) => result.status === "fulfilled" && result.value);
}

/** The index of a single owner is over the memory budget. */
class OwnerTooLarge extends Error {
  override readonly name = "OwnerTooLarge";
}

export interface OwnerCacheOptions {
  readonly feed: IndexFeed;
  /** null: every index is built from the feed. */
  readonly snapshots: IndexSnapshots | null;
  /** Number of passages from which an index is stored. */
  readonly storedFrom: number;
  readonly lexicon: Lexicon;
  readonly memoryBudgetBytes: number;
  /** How long a request waits for an index that is being built, in milliseconds; null: no limit. */
  readonly buildWithinMs: number | null;
  /** How reading an owner's index yields the CPU to other work. */
  readonly paceOf: (ownerId: string) => Pace;
  /** Called when an owner's index is dropped, with the reason. */
  readonly onDrop: (ownerId: string, reason: "evicted" | "too large" | "broken off") => void;
}

/**
 * Cache of the owners' indexes. They are built on first use and brought up to date on every use. The least recently
 * used are dropped.
 */
export class OwnerCache {
  #options: OwnerCacheOptions;
  #owners = new Map<string, Owner>();
  #tooLargeUntil = new Map<string, number>();
  #isClosed = false;

  constructor(options: OwnerCacheOptions) {
    this.#options = options;
    listCache("owners' indexes", this);
  }

  measure() {
    return {
      entries: this.#owners.size,
      bytes: this.#bytes(),
      bytesMax: this.#options.memoryBudgetBytes,
    };
  }

  /**
   * Calls `use` with the indexes of these owners, each with everything that was committed before this call, and with
   * the owners whose index is still being built. Owners that are too large are in neither. The indexes stay unchanged
   * until `use` is done. `use` may pause to let others work, but must not wait for anything else.
   */
  async withIndexes<T>(
    ownerIds: readonly string[],
    use: (indexes: ReadonlyMap<string, OwnerIndex>, unbuilt: ReadonlySet<string>) => T | Promise<T>,
    { buildWithinMs = this.#options.buildWithinMs, onRead }: Waiting = {},
  ): Promise<T> {
    const wanted = [...new Set(ownerIds)].filter((ownerId) => !this.#isTooLarge(ownerId));
    const pinned = wanted.map((ownerId) => ({ ownerId, owner: this.#pin(ownerId) }));
    const unbuilt = new Set<string>();
    const unbegun = pinned.map(({ owner }) => owner).filter(({ cursor }) => cursor === null);
    const tell = () => onRead?.(unbegun.reduce((sum, { read }) => sum + read, 0));
    for (const owner of unbegun) owner.watchers.add(tell);
    try {
      const reading = Promise.allSettled(
        pinned.map(({ ownerId, owner }) => this.#caughtUp(ownerId, owner, buildWithinMs)),
      );
      const presumed = await whileRead(pinned, use).finally(() => reading);
      const results = await reading;
      if (presumed !== null && isAllRead(results) && presumed.stillHolds()) return presumed.answer;
      for (const owner of unbegun) owner.watchers.delete(tell);
      for (const [at, { ownerId }] of pinned.entries()) {
        const result = results[at] as PromiseSettledResult<boolean>;
        if (result.status === "fulfilled" && !result.value) unbuilt.add(ownerId);
      }
      const indexes = new Map<string, OwnerIndex>();
      for (const [at, { ownerId, owner }] of pinned.entries()) {
        const result = results[at] as PromiseSettledResult<boolean>;
        if (result.status === "fulfilled" && result.value) indexes.set(ownerId, owner.index);
        else if (result.status === "rejected" && !(result.reason instanceof OwnerTooLarge))
          throw result.reason;
      }
      const seen = pinned.filter(({ ownerId }) => indexes.has(ownerId)).map(({ owner }) => owner);
      return await looking(seen, () => use(indexes, unbuilt));
    } finally {
      for (const { ownerId, owner } of pinned) if (!unbuilt.has(ownerId)) owner.users--;
      this.#evict();
    }
  }

  /**
   * Resolves to false if the index is still being built when the wait is over. The index then stays in use until it is
   * built.
   */
  async #caughtUp(ownerId: string, owner: Owner, buildWithinMs: number | null): Promise<boolean> {
    const reading = this.#catchUp(ownerId, owner).then(() => true);
    if (buildWithinMs === null || owner.cursor !== null) return reading;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, owner.since + buildWithinMs - performance.now()), false);
    });
    const isBuilt = await Promise.race([reading, late]).finally(() => clearTimeout(timer));
    if (!isBuilt) {
      const letGo = () => {
        owner.users--;
        this.#evict();
      };
      reading.then(letGo, letGo);
    }
    return isBuilt;
  }

  /** Brings the cached indexes of these owners up to date. Owners without a cached index are skipped. */
  async refresh(ownerIds: readonly string[]): Promise<void> {
    const held = ownerIds.filter((ownerId) => this.#owners.has(ownerId));
    await this.withIndexes(held, () => undefined, { buildWithinMs: null });
  }

  /** See `EmbeddedIndex.readAhead`. Skips an owner that is too large. */
  async readAhead(ownerId: string): Promise<boolean> {
    if (this.#isClosed || this.#bytes() > this.#options.memoryBudgetBytes / 2) return false;
    await this.withIndexes([ownerId], () => undefined, { buildWithinMs: null });
    return true;
  }

  /** Aborts the indexes that are being read for the first time. */
  close(): void {
    this.#isClosed = true;
  }

  #isTooLarge(ownerId: string): boolean {
    const until = this.#tooLargeUntil.get(ownerId);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#tooLargeUntil.delete(ownerId);
    return false;
  }

  /** Marks an owner as in use, and as the most recently used. */
  #pin(ownerId: string): Owner {
    this.#dropIfTooOld(ownerId);
    const owner = this.#owners.get(ownerId) ?? {
      index: new OwnerIndex(this.#options.lexicon),
      since: performance.now(),
      cursor: null,
      isQuiet: false,
      readAt: performance.now(),
      running: null,
      queued: null,
      users: 0,
      lookers: 0,
      unseen: [],
      stored: null,
      storedAgainAt: 0,
      read: 0,
      watchers: new Set(),
    };
    owner.users++;
    this.#owners.delete(ownerId);
    this.#owners.set(ownerId, owner);
    return owner;
  }

  #dropIfTooOld(ownerId: string): void {
    const owner = this.#owners.get(ownerId);
    if (!owner || owner.users > 0 || performance.now() - owner.readAt <= REBUILD_AFTER_MS) return;
    this.#owners.delete(ownerId);
    this.#options.onDrop(ownerId, "evicted");
  }

  /**
   * Brings an owner's index up to date. A reading that began before a request may miss what was committed before that
   * request, so the request waits for a reading that begins later. All requests that arrive during one reading share
   * the next.
   */
  #catchUp(ownerId: string, owner: Owner): Promise<void> {
    if (owner.running === null) return this.#start(ownerId, owner);
    owner.queued ??= owner.running
      .catch(() => undefined)
      .then(() => {
        owner.queued = null;
        return this.#start(ownerId, owner);
      });
    return owner.queued;
  }

  #start(ownerId: string, owner: Owner): Promise<void> {
    const reading = this.#read(ownerId, owner)
      .catch((error) => {
        // A first reading gets no removals, so a half-built index could keep what is erased before the next reading.
        if (owner.cursor === null) {
          owner.index = new OwnerIndex(this.#options.lexicon);
          owner.stored = null;
          this.#options.onDrop(ownerId, "broken off");
        }
        throw error;
      })
      .finally(() => {
        if (owner.running === reading) owner.running = null;
      });
    owner.running = reading;
    return reading;
  }

  async #read(ownerId: string, owner: Owner): Promise<void> {
    const pace = this.#options.paceOf(ownerId);
    let isQuiet = true;
    const onBatch = async (changes: IndexChange[]) => {
      isQuiet = false;
      for (const portion of readable(changes)) {
        await pace.pause();
        if (this.#isClosed && owner.cursor === null) throw new Error("The indexes in memory are closed.");
        while (owner.lookers > 0) await new Promise<void>((resolve) => owner.unseen.push(resolve));
        owner.index.apply(portion);
        this.#requireFits(ownerId, owner, owner.index.bytes);
        this.#evict();
      }
      owner.read += changes.length;
      for (const tell of owner.watchers) tell();
    };
    let from = owner.cursor;
    if (from === null) {
      owner.read = 0;
      if (this.#options.snapshots !== null)
        from = await this.#restore(ownerId, owner, this.#options.snapshots, pace);
      if (from === null)
        this.#requireFits(ownerId, owner, leastBytes(await this.#options.feed.outline(ownerId)));
    }
    owner.cursor = await this.#options.feed.read(ownerId, from, onBatch);
    for (let tries = 1; owner.cursor === null; tries += 1) {
      if (tries > READ_ANEW_MAX)
        throw new Error("The record was replaced repeatedly while it was being read.");
      // Requests that are using the old index keep it.
      owner.index = new OwnerIndex(this.#options.lexicon);
      owner.stored = null;
      owner.since = performance.now();
      owner.cursor = await this.#options.feed.read(ownerId, null, onBatch);
    }
    owner.isQuiet = isQuiet;
    owner.readAt = performance.now();
    this.#requireFits(ownerId, owner, owner.index.bytes);
  }

  /** Begins with the stored index, if there is one. Returns the position in the feed from which to read on. */
  async #restore(
    ownerId: string,
    owner: Owner,
    snapshots: IndexSnapshots,
    pace: Pace,
  ): Promise<string | null> {
    const stored = await snapshots.load(ownerId);
    if (stored === null) return null;
    const { id, cursor, description, bytes } = stored;
    owner.index = await inTurns(unpackIndex(description, bytes, this.#options.lexicon), pace);
    owner.stored = { id, version: owner.index.version };
    this.#requireFits(ownerId, owner, owner.index.bytes);
    owner.read = owner.index.size;
    return cursor;
  }

  /**
   * Stores the indexes that are not stored yet, or have changed much since. No more are stored once `signal` aborts.
   * After `close`, those that were stored a moment ago are stored as well.
   */
  async store(signal: AbortSignal): Promise<void> {
    // Using an owner moves it to the end of the map.
    for (const [ownerId, owner] of [...this.#owners])
      if (!signal.aborted && (await this.#isToBeStored(ownerId, owner))) await this.#store(ownerId, owner);
  }

  async #isToBeStored(ownerId: string, { index, cursor, stored, storedAgainAt }: Owner): Promise<boolean> {
    const { snapshots, storedFrom } = this.#options;
    if (snapshots === null || cursor === null || index.passageCount < storedFrom) return false;
    if (!this.#isClosed && performance.now() < storedAgainAt) return false;
    const changes = stored === null ? Infinity : index.version - stored.version;
    if (changes === 0) return false;
    if (changes >= Math.max(STORED_CHANGES_MIN, STORED_CHANGES_SHARE * index.size)) return true;
    // An erasure removes it.
    return (await snapshots.idOf(ownerId)) !== stored?.id;
  }

  async #store(ownerId: string, owner: Owner): Promise<void> {
    const startedAt = performance.now();
    const pending = await this.#options.snapshots?.begin(ownerId);
    if (!pending) return;
    const read = await this.withIndexes([ownerId], async (indexes) => {
      const index = indexes.get(ownerId);
      // It may have been replaced meanwhile.
      if (index === undefined || owner.index !== index || owner.cursor === null) return null;
      const { version } = index;
      const { cursor } = owner;
      return { version, cursor, packed: await inTurns(packIndex(index), this.#options.paceOf(ownerId)) };
    });
    if (read !== null && (await pending.store(read.packed, read.cursor)))
      owner.stored = { id: pending.id, version: read.version };
    const now = performance.now();
    owner.storedAgainAt = now + Math.max(STORED_PAUSE_MS, STORED_PAUSES * (now - startedAt));
  }

  /** Drops an owner and throws `OwnerTooLarge` if its index takes, or will take, more than the memory budget. */
  #requireFits(ownerId: string, owner: Owner, bytes: number): void {
    if (bytes <= this.#options.memoryBudgetBytes) return;
    const now = performance.now();
    for (const [known, until] of this.#tooLargeUntil) if (until <= now) this.#tooLargeUntil.delete(known);
    this.#tooLargeUntil.set(ownerId, now + RETRY_AFTER_MS);
    if (this.#owners.get(ownerId) === owner) this.#owners.delete(ownerId);
    this.#options.onDrop(ownerId, "too large");
    throw new OwnerTooLarge(`The index of owner ${ownerId} is over the memory budget.`);
  }

  #bytes(): number {
    let bytes = 0;
    for (const { index } of this.#owners.values()) bytes += index.bytes;
    return bytes;
  }

  #evict(): void {
    let bytes = this.#bytes();
    for (const [ownerId, { index, users }] of this.#owners) {
      if (bytes <= this.#options.memoryBudgetBytes) return;
      if (users > 0) continue;
      bytes -= index.bytes;
      this.#owners.delete(ownerId);
      this.#options.onDrop(ownerId, "evicted");
    }
  }
}
