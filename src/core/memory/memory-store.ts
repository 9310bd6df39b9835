import type { Facet } from "../../contract/facet.ts";
import type { ListSort } from "../../contract/filter.ts";
import type { Caller } from "../caller.ts";
import type { Embedder } from "../embedding/embedder.ts";
import type { Clock, Hash, IdSource } from "../environment.ts";
import type { StorageLimits, Usage } from "../limits/storage-limits.ts";
import type { Secrets } from "../secrets/secret-scanner.ts";
import type { Junk } from "./junk-policy.ts";
import type { MemoryFilter } from "./memory-filter.ts";
import type {
  MemoryChange,
  MemoryRecord,
  NewMemory,
  Role,
  SeenMemory,
  ShownMemory,
  WorkspaceItem,
} from "./memory-record.ts";
import type { Owned } from "./place.ts";
import type { ChosenVector } from "./vector.ts";

/** A memory's row: its internal id and its owner. */
export type StoredRow = Pick<MemoryRecord, "id" | "ownerId">;

/** Memories read by their ids. */
export interface MatchingMemories {
  /** Unordered. */
  readonly memories: readonly MemoryRecord[];
  /** `visibleOwners` at the time of the read. */
  readonly owners: readonly string[];
}

/**
 * The stored memories. Every method takes the caller and applies the same authorisation predicate: owner first, then
 * live team role, token space, project allow-list and knowledge. To a caller, memories it may not see do not exist.
 */
export interface MemoryStore {
  /**
   * Runs the work in one transaction, which is either durably committed before this resolves or not committed at all.
   * Deadlocks and serialisation failures are retried, so the work must have no side effects outside the transaction.
   */
  transaction<T>(caller: Caller, work: (transaction: MemoryTransaction) => Promise<T>): Promise<T>;
  /**
   * Stores a memory in the caller's own space in one round trip, with the same effect as a transaction that does
   * nothing else. Returns null and does nothing if owners have storage limits, since those must be checked first, or if
   * an existing memory may affect the write as described by `bearing`. Must not be called for a quarantined caller.
   */
  insertAlone(
    caller: Caller,
    memory: NewMemory,
    vector: ChosenVector,
    bearing: MayBear | null,
  ): Promise<MemoryRecord | null>;
  /**
   * The memory with that public id, whatever its status. Searches the credential's own space first, then its live
   * teams.
   */
  find(caller: Caller, memoryId: string): Promise<SeenMemory | null>;
  /** The memories with these ids that the caller may see and the filter matches. */
  readMatching(caller: Caller, ids: readonly string[], filter: MemoryFilter): Promise<MatchingMemories>;
  /** A page, newest first unless it has another order, with the total number of matches. */
  list(caller: Caller, filter: MemoryFilter, page: ListPage): Promise<ListedMemories>;
  /** The position as an opaque cursor, which does not reveal how much others store. */
  cursorOf(place: ListPlace): Promise<string>;
  /** The position of a cursor; null if this service did not issue it. */
  placeOf(cursor: string): Promise<ListPlace | null>;
  /** The next path segments below a path (null: the root) among the matches, sorted by name. */
  pathsBelow(
    caller: Caller,
    filter: MemoryFilter,
    ask: { readonly below: string | null; readonly limit: number },
  ): Promise<PathPart[]>;
  /**
   * The number of memories by each value of each facet and by status: at most `limit` values of each, the most frequent
   * first. A facet's counts ignore its own values in `filter.oneOf`, and those by status ignore `filter.status`. Each
   * facet is counted in the newest `memories` that are left.
   */
  facets(
    caller: Caller,
    filter: MemoryFilter,
    ask: { readonly limit: number; readonly memories: number },
  ): Promise<FacetCount[]>;
  /** Internal ids of all matches, for filters that an index cannot evaluate. */
  matchingIds(caller: Caller, filter: MemoryFilter): Promise<string[]>;
  /** The owners whose memories the caller may see now: itself and its live teams. */
  visibleOwners(caller: Caller): Promise<readonly string[]>;
  /**
   * The same from this process's cache, without a query on a cache hit; the owners may have changed since. The code
   * that uses the result must compare it with the owners from `readMatching`, and return nothing if they differ.
   */
  presumedOwners(caller: Caller): Promise<readonly string[]>;
  /** Names by id: of these teams, and of those of these users who are currently a member of one of them. */
  namesIn(teamIds: readonly string[], userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A page of earlier states, newest first. */
  formerStates(caller: Caller, memory: MemoryRecord, page: StatesPage): Promise<FormerStates>;
  /** The newest memories that state the same fact or are predecessors of it: at most `limit`, oldest first. */
  chain(caller: Caller, memory: MemoryRecord, limit: number): Promise<ChainLink[]>;
  /**
   * The memories that this one superseded or was superseded by, that state its fact, and that came in recalls with it:
   * at most `limit` of each, the last changed or most often recalled first.
   */
  related(caller: Caller, memory: MemoryRecord, limit: number): Promise<RelatedMemory[]>;
  /**
   * For those memories that changed after that instant, the state that was current then. A state is null if the caller
   * could not have seen it, if it belonged to another owner than the memory does now, or if the memory no longer
   * belongs to the given owner.
   */
  statesAt(
    caller: Caller,
    memories: readonly StoredRow[],
    at: number,
  ): Promise<Map<string, MemoryRecord | null>>;
  /**
   * The candidates of an owner's profile, each once, in no order: a few dozen each of the most important guiding
   * memories, the most important current facts, the open todos and the due reminders that are due first, the newest and the
   * last changed memories.
   */
  profile(caller: Caller, ask: ProfileAsk): Promise<readonly MemoryRecord[]>;
  receipt(caller: Caller, receiptId: string): Promise<StoredReceipt | null>;
  /** The usage of the caller's own space. */
  usage(caller: Caller): Promise<Usage>;
  /**
   * Full-text search in the database itself, for owners that are too large for the index. The number of rows read is
   * bounded.
   */
  searchText(caller: Caller, search: TextSearch): Promise<TextFinding>;
}

/** A request for the candidates of a profile. */
export interface ProfileAsk {
  readonly ownerId: string;
  /** Must admit live memories alone. */
  readonly filter: MemoryFilter;
}

export interface TextSearch {
  /** Matches any of these words. */
  readonly words: readonly string[];
  /** Memories that contain all words of any of these names rank first. */
  readonly names: readonly string[];
  readonly owners: readonly string[];
  readonly filter: MemoryFilter;
  readonly limit: number;
}

export interface TextFinding {
  /** Matching memories, best first. */
  readonly ids: readonly string[];
  /** How many memories are in scope; an estimate if there are very many. */
  readonly memoryCount: number;
  /** Document frequency of each word within the scope; an estimate if very many match. */
  readonly frequencies: readonly number[];
  /** A part of the search took too long and was skipped. */
  readonly isPartial: boolean;
}

export interface ListPage {
  readonly limit: number;
  readonly offset: number;
  readonly after: ListPlace | null;
  /** Default: newest first, which is the only order that goes on after a position. */
  readonly order?: ListOrder | null;
}

export interface ListOrder {
  readonly by: ListSort;
  readonly isAscending: boolean;
}

/** A memory's position in a list; the next page continues after it. */
export type ListPlace = Pick<MemoryRecord, "createdAt" | "seq">;

export interface ListedMemories {
  /** As many as asked for, or fewer if they are too large for one answer. */
  readonly memories: readonly (ShownMemory & Pick<MemoryRecord, "seq" | "id">)[];
  readonly total: number;
  /** True if the list goes on after them. */
  readonly hasMore: boolean;
}

export interface StatesPage {
  readonly limit: number;
  /** Only states with a lower revision; null: from the newest on. */
  readonly before: number | null;
}

export interface FormerStates {
  /** As many as asked for, or fewer if they are too large for one answer. */
  readonly states: readonly FormerState[];
  /** When the newest state of all ended; null if there is none. */
  readonly latestValidTo: number | null;
  readonly hasMore: boolean;
}

export interface FormerState {
  readonly revision: number;
  /** null: the caller may not see it. */
  readonly state: MemoryRecord | null;
  /** null: since the memory was created. */
  readonly validFrom: number | null;
  readonly validTo: number;
  readonly reason: string | null;
}

/** The members of a memory that a chain shows. */
export type ChainLink = Pick<
  MemoryRecord,
  "memoryId" | "version" | "createdAt" | "status" | "expiresAt" | "supersededStatus" | "supersededUntil"
>;

export interface StoredReceipt {
  readonly id: string;
  readonly state: "pending" | "confirmed";
  readonly removed: Readonly<Record<string, number>>;
  readonly digest: string;
  readonly remaining: readonly string[];
}

/** Something that belongs to an owner and that two writes must not decide concurrently: an id, a text or a fact. */
export interface LockKey {
  readonly ownerId: string;
  readonly name: string;
}

/** Selects the memory if the same public id exists both in the caller's own space and in its teams. */
export interface Which {
  readonly teamId?: string | null;
  /** Only todos or decisions of this project. */
  readonly item?: { readonly kind: WorkspaceItem; readonly projectId: string } | null;
}

/** Reads and writes of memories inside a transaction. */
export interface MemoryTransaction {
  /**
   * Makes later statements of this transaction wait until no other transaction holds any of the keys. Holds all keys
   * until the transaction ends. Call it before any row is locked.
   */
  lock(keys: readonly LockKey[]): void;
  /** The same for everything that belongs to these owners: for writes of many memories. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;
  /**
   * The current state of the memory that `MemoryStore.find` would return, without locking it: used to find out which
   * locks to take.
   */
  find(memoryId: string, which?: Which): Promise<SeenMemory | null>;
  /** The memory with that public id, locked against concurrent changes. */
  findForChange(memoryId: string, which?: Which): Promise<SeenMemory | null>;
  /** The memory as the caller may see it: without the id of a successor that is invisible to the caller. */
  shown(memory: MemoryRecord): Promise<MemoryRecord>;
  /** Existing memories that conflict with a new one or make it redundant. */
  existing(memory: NewMemory | MemoryRecord, ask: AskedOfExisting): Promise<ExistingMemories>;
  /** The ids of new memories for which `existing` is certain to find nothing. May omit some of them. */
  unopposed(
    asked: readonly { readonly memory: NewMemory; readonly ask: AskedOfExisting }[],
  ): Promise<Set<string>>;
  /**
   * The usage of the caller's quarantine: memories, and bytes of text, metadata, provenance and versions. null if the
   * caller is not a quarantined agent.
   */
  quarantineUsage(): Promise<Usage | null>;
  readonly limits: StorageLimits;
  /** An owner's usage, this transaction's writes included. */
  usage(ownerId: string): Promise<Usage>;
  /**
   * Makes room for this many more bytes in the caller's quarantine. If all quarantines together exceed their limit, the
   * oldest unclaimed ones are deleted together with their agents. Returns which limit is exhausted, or null if there is
   * room.
   */
  makeRoomForQuarantines(bytes: number): Promise<"network" | "all" | null>;
  /** The caller's role in the team: `self` if the caller is the owner itself, null if it is not a member. */
  roleIn(ownerId: string): Promise<Role | null>;
  insert(memory: NewMemory, vector: ChosenVector): Promise<MemoryRecord>;
  /** Like `MemoryStore.insertAlone`, within this transaction. */
  insertAlone(memory: NewMemory, vector: ChosenVector, bearing: MayBear | null): Promise<MemoryRecord | null>;
  /** Inserts many memories and returns them in the same order. */
  insertAll(
    memories: readonly { readonly memory: NewMemory; readonly vector: ChosenVector }[],
  ): Promise<MemoryRecord[]>;
  /**
   * Updates the row, keeps its former state as a version if `keepVersion` is set, and writes audit and outbox lines.
   * `vector`: undefined keeps the embedding; a value without vectors removes it, and the worker creates it again later.
   * The change may make memories live again that this one superseded by its key (see `holdChanges`), so lock its fact
   * beforehand.
   */
  change(memory: MemoryRecord, change: MemoryChange, how: ChangeNote): Promise<MemoryRecord>;
  /**
   * A change that gives the memory to another owner. The new owner cannot read its former states. Both owners get audit
   * and outbox lines.
   */
  relocate(memory: MemoryRecord, change: MemoryChange & Owned, how: ChangeNote): Promise<MemoryRecord>;
  /** True if another memory of the same owner, of any status, names this one as its successor. */
  isSuccessor(memory: MemoryRecord): Promise<boolean>;
  /**
   * True if the memory is already searched by exactly this vector. For a vector of the service's own, false if the
   * stored one is marked as a caller's.
   */
  hasVector(memory: MemoryRecord, vector: ChosenVector): Promise<boolean>;
  /** Supersedes all live memories of a fact by a newer one, which the caller inserts next. */
  supersedeByKey(former: Predecessors, newer: NewMemory, at: number): Promise<void>;
  /** Permanently removes or redacts rows with their versions, embeddings and stored answers, and writes the receipt. */
  erase(memories: readonly MemoryRecord[], how: Erasure): Promise<StoredReceipt>;
  /** All matches, at most `limit`, without locking them. */
  matching(filter: MemoryFilter, limit: number): Promise<SeenMemory[]>;
  /** Those of these memories that still match, locked. */
  matchingForChange(filter: MemoryFilter, found: readonly StoredRow[]): Promise<SeenMemory[]>;
  /** Live memories of the same owner and project with the same key, or with the same path and bucket; newest first. */
  conflictCandidates(memory: MemoryRecord): Promise<MemoryRecord[]>;
  /**
   * Claims an idempotency key for this request. Returns the answer of the first request with that key, or null if this
   * is the first. `conflict` while the first is still running, or if it had none of these hashes.
   */
  claimIdempotencyKey(key: string, requestHashes: readonly string[]): Promise<unknown | null>;
  /**
   * Stores the answer for retries. If a memory in it is erased later, the stored answer keeps only ids and states of
   * that memory.
   */
  keepAnswer(key: string, requestHash: string, answer: unknown): Promise<void>;
  recordFeedback(memory: MemoryRecord, helpful: boolean): Promise<void>;
}

/** A path segment, with the number of memories at and below it. */
export interface PathPart {
  readonly name: string;
  readonly memories: number;
  readonly hasBelow: boolean;
}

/** A memory with its relation to another one. */
export interface RelatedMemory {
  readonly kind: "superseded_by" | "supersedes" | "same_fact" | "recalled_with";
  readonly memory: MemoryRecord;
  /** Number of recalls in which both came; null for other kinds. */
  readonly recalls: number | null;
}

export interface FacetCount {
  readonly facet: Facet | "status";
  readonly value: string;
  /** The name under which an agent registered; null for everything else. */
  readonly name: string | null;
  readonly memories: number;
  /** True if older memories were not counted by this facet. */
  readonly isIncomplete: boolean;
}

/** Further searches of `existing`, besides the holder of the id and memories of the same fact. */
export interface AskedOfExisting {
  /** Look for equal memories. */
  readonly dedupe: boolean;
  /**
   * Look for memories in the same place that have the same letters and digits in the same order as one of these texts.
   */
  readonly alike?: readonly string[];
}

/** How to check that no existing memory affects a new one: the searches to make, and the locks to take. */
export interface MayBear {
  readonly ask: AskedOfExisting;
  readonly locks: readonly LockKey[];
}

export interface ExistingMemories {
  /** The memory of that owner with the same public id, and whether the caller may see it. */
  readonly idHolder: { readonly memory: MemoryRecord; readonly isVisible: boolean } | null;
  /** An equal live memory. */
  readonly duplicate: { readonly memory: MemoryRecord; readonly writable: boolean } | null;
  /** A few similar live memories in the same place, oldest first. These are candidates: compare the texts. */
  readonly alike: readonly { readonly memory: MemoryRecord; readonly writable: boolean }[];
  /** The highest version that the fact ever had, whatever the status of that memory; null for a new fact. */
  readonly factVersion: number | null;
  /** Live memories of the same fact, and whether the caller may write each. */
  readonly sameKey: readonly { readonly memory: MemoryRecord; readonly writable: boolean }[];
  /** Memories of the same fact that become live again when others expire. */
  readonly waiting: readonly MemoryRecord[];
}

/** The memories that a newer fact supersedes. */
export interface Predecessors {
  readonly live: readonly MemoryRecord[];
  /** See `ExistingMemories`. */
  readonly waiting: readonly MemoryRecord[];
}

export interface ChangeNote {
  readonly operation: string;
  readonly keepVersion: boolean;
  readonly reason?: string | null;
  readonly vector?: ChosenVector | undefined;
  /** Additional members of the audit line; null if another change's audit line covers this one. */
  readonly detail?: Readonly<Record<string, string>> | null;
}

export interface Erasure {
  readonly mode: "hard_delete" | "redact";
  /** The time of the erasure, in milliseconds since the epoch. */
  readonly at: number;
  readonly replacement: {
    readonly content: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  } | null;
  /** Additional members of the audit lines, besides the receipt. */
  readonly detail?: Readonly<Record<string, string>>;
}

/** Dependencies of the memory use cases. Each use case picks the ones it needs with `Pick`. */
export interface MemoryPorts {
  readonly store: MemoryStore;
  /** Embeds what is written. Queries use the embedder of `Ports.serving`. */
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
  readonly secrets: Secrets;
  readonly junk: Junk;
}
