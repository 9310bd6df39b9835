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

/** A memory's row: its internal id, and whose it is. */
export type StoredRow = Pick<MemoryRecord, "id" | "ownerId">;

/** Memories that were read by their ids. */
export interface MatchingMemories {
  /** In no order. */
  readonly memories: readonly MemoryRecord[];
  /** `visibleOwners` at the instant of the reading. */
  readonly owners: readonly string[];
}

/**
 * The memories of the record. Every method takes the caller and applies the one authorisation predicate: owner first, then live
 * team role, token space, project allow-list and knowledge. Memories that the caller may not see do not exist for it.
 */
export interface MemoryStore {
  /**
   * Runs the work in one transaction that is committed durably before this resolves, or not at all.
   * Deadlocks and serialisation failures are tried again; so the work must have no effect but on the transaction.
   */
  transaction<T>(caller: Caller, work: (transaction: MemoryTransaction) => Promise<T>): Promise<T>;
  /**
   * Stores a memory in the caller's own space, as a transaction does that does nothing else, in one way to the database and
   * back. null, and nothing done, where owners are bounded, since room has to be asked for first, and where something stored may
   * bear on it, as far as that is asked. Not for whoever is quarantined.
   */
  insertAlone(
    caller: Caller,
    memory: NewMemory,
    vector: ChosenVector,
    bearing: MayBear | null,
  ): Promise<MemoryRecord | null>;
  /** The memory of that public id, in the credential's own space first, then in its live teams, whatever became of it. */
  find(caller: Caller, memoryId: string): Promise<SeenMemory | null>;
  /** The ids among the given that the caller may see and the filter matches. */
  readMatching(caller: Caller, ids: readonly string[], filter: MemoryFilter): Promise<MatchingMemories>;
  /** A page, newest first, with how many match in all. */
  list(caller: Caller, filter: MemoryFilter, page: ListPage): Promise<ListedMemories>;
  /** The place as a text that tells nobody how much others store. */
  cursorOf(place: ListPlace): Promise<string>;
  /** null where it is no cursor of ours. */
  placeOf(cursor: string): Promise<ListPlace | null>;
  /** The next parts of the paths below a path (null: of all) among what matches, by name. */
  pathsBelow(
    caller: Caller,
    filter: MemoryFilter,
    ask: { readonly below: string | null; readonly limit: number },
  ): Promise<PathPart[]>;
  /** The buckets, types and agents of the matches: at most `limit` values of each, the most frequent first. */
  labels(caller: Caller, filter: MemoryFilter, limit: number): Promise<LabelCount[]>;
  /** Internal ids of everything that matches. For filters an index does not know. */
  matchingIds(caller: Caller, filter: MemoryFilter): Promise<string[]>;
  /** The owners whose memories the caller may see now: its own and its live teams. */
  visibleOwners(caller: Caller): Promise<readonly string[]>;
  /**
   * The same as of the last time this process read them, at once if it has: they may have changed since. The user of the result
   * compares it with those of `readMatching`, and shows nothing if they differ.
   */
  presumedOwners(caller: Caller): Promise<readonly string[]>;
  /** The names of teams, and of those users who are in one of them now, by id. */
  namesIn(teamIds: readonly string[], userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A page of earlier states, newest first. */
  formerStates(caller: Caller, memory: MemoryRecord, page: StatesPage): Promise<FormerStates>;
  /** The newest memories that state the same fact or led to it, at most `limit`, oldest first. */
  chain(caller: Caller, memory: MemoryRecord, limit: number): Promise<ChainLink[]>;
  /**
   * The states that were current at that instant, for those of the records that have changed since; null for a state
   * the caller would not have seen, for one of another owner than the memory has now, and where it is not that owner's any more.
   */
  statesAt(
    caller: Caller,
    memories: readonly StoredRow[],
    at: number,
  ): Promise<Map<string, MemoryRecord | null>>;
  receipt(caller: Caller, receiptId: string): Promise<StoredReceipt | null>;
  /** The usage of the caller's own space. */
  usage(caller: Caller): Promise<Usage>;
  /**
   * Full-text search in the record itself, for owners that the index cannot hold. The number of rows that it reads is bounded.
   */
  searchText(caller: Caller, search: TextSearch): Promise<TextFinding>;
}

export interface TextSearch {
  /** Any of these words. */
  readonly words: readonly string[];
  /** All words of any of these: what has them comes first. */
  readonly names: readonly string[];
  readonly owners: readonly string[];
  readonly filter: MemoryFilter;
  readonly limit: number;
}

export interface TextFinding {
  /** Matching memories, best first. */
  readonly ids: readonly string[];
  /** How many memories are in scope, an estimate where there are very many. */
  readonly memoryCount: number;
  /** In how many of those each of the words is, an estimate where very many match. */
  readonly frequencies: readonly number[];
  /** Something of it took too long and was left out. */
  readonly isPartial: boolean;
}

export interface ListPage {
  readonly limit: number;
  readonly offset: number;
  readonly after: ListPlace | null;
}

/** The place of a memory in a list, which goes on after it. */
export type ListPlace = Pick<MemoryRecord, "createdAt" | "seq">;

export interface ListedMemories {
  /** As many as asked for, or fewer if they are too large for one answer. */
  readonly memories: readonly (ShownMemory & Pick<MemoryRecord, "seq">)[];
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
  /** null: the caller is not shown it. */
  readonly state: MemoryRecord | null;
  /** null: since the memory was created. */
  readonly validFrom: number | null;
  readonly validTo: number;
  readonly reason: string | null;
}

/** A memory of a chain, as far as a chain shows it. */
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

/** One thing of an owner that two writes must not decide at once: an id, a text, a fact. */
export interface LockKey {
  readonly ownerId: string;
  readonly name: string;
}

/** Which memory is meant where the caller's own space and its teams have the same public id. */
export interface Which {
  readonly teamId?: string | null;
  /** Only todos or decisions of this project. */
  readonly item?: { readonly kind: WorkspaceItem; readonly projectId: string } | null;
}

/** Reads and writes of memories inside a transaction. */
export interface MemoryTransaction {
  /**
   * Later statements of the transaction wait until no other one holds one of the keys; it holds them all until the end. Call it
   * before any row is locked.
   */
  lock(keys: readonly LockKey[]): void;
  /** The same for everything of these owners: for writes of many memories. */
  lockOwners(ownerIds: readonly string[]): Promise<void>;
  /** The same memory as `MemoryStore.find` names, as it is now and unlocked: to know what to lock. */
  find(memoryId: string, which?: Which): Promise<SeenMemory | null>;
  /** The memory of that public id, locked against other changes. */
  findForChange(memoryId: string, which?: Which): Promise<SeenMemory | null>;
  /** The memory as the caller may be shown it: without the id of a successor it may not see. */
  shown(memory: MemoryRecord): Promise<MemoryRecord>;
  /** Memories that conflict with a new one, or make it needless. */
  existing(memory: NewMemory | MemoryRecord, ask: AskedOfExisting): Promise<ExistingMemories>;
  /**
   * The ids of those of these new memories for which `existing` would surely find nothing. It may leave out some for which
   * it would find nothing either.
   */
  unopposed(
    asked: readonly { readonly memory: NewMemory; readonly ask: AskedOfExisting }[],
  ): Promise<Set<string>>;
  /**
   * The usage of the caller's quarantine, in memories and in bytes of text with metadata, provenance and versions; null if the
   * caller is no agent in quarantine.
   */
  quarantineUsage(): Promise<Usage | null>;
  readonly limits: StorageLimits;
  /** An owner's usage, this transaction's writes included. */
  usage(ownerId: string): Promise<Usage>;
  /**
   * Makes room for so many more bytes in the caller's quarantine: where all quarantines together hold too much, the oldest
   * that nobody has claimed are deleted, with their agents. Answers what there is no room in; null where there is room.
   */
  makeRoomForQuarantines(bytes: number): Promise<"network" | "all" | null>;
  /** The caller's role in the team, or null where it is no member (or the team is the caller itself: `self`). */
  roleIn(ownerId: string): Promise<Role | null>;
  insert(memory: NewMemory, vector: ChosenVector): Promise<MemoryRecord>;
  /** As `MemoryStore.insertAlone`, within this transaction. */
  insertAlone(memory: NewMemory, vector: ChosenVector, bearing: MayBear | null): Promise<MemoryRecord | null>;
  /** The same of many, in their order. */
  insertAll(
    memories: readonly { readonly memory: NewMemory; readonly vector: ChosenVector }[],
  ): Promise<MemoryRecord[]>;
  /**
   * Changes the row, keeps its former state as a version if `keepVersion` is set, and writes audit and outbox lines. `vector`:
   * undefined leaves the embedding, one without vectors removes it (it is made again later). Memories that it superseded by its
   * key become live again if the change says so (see `holdChanges`): lock its fact beforehand.
   */
  change(memory: MemoryRecord, change: MemoryChange, how: ChangeNote): Promise<MemoryRecord>;
  /**
   * A change that gives the memory to another owner: what it said before stays unread there, and both owners' indexes and
   * audit logs are told.
   */
  relocate(memory: MemoryRecord, change: MemoryChange & Owned, how: ChangeNote): Promise<MemoryRecord>;
  /** True where another memory of its owner names it as its successor, whatever has become of that. */
  isSuccessor(memory: MemoryRecord): Promise<boolean>;
  /** True where that very vector is what the memory is searched by, and is known for the service's where it is that. */
  hasVector(memory: MemoryRecord, vector: ChosenVector): Promise<boolean>;
  /** Lets a newer memory, which is to be inserted next, supersede the live ones of its fact: all there are. */
  supersedeByKey(former: Predecessors, newer: NewMemory, at: number): Promise<void>;
  /** Removes or redacts rows for good, with their versions, embeddings and stored answers, and writes the receipt. */
  erase(memories: readonly MemoryRecord[], how: Erasure): Promise<StoredReceipt>;
  /** Every match, at most `limit`. Locks nothing. */
  matching(filter: MemoryFilter, limit: number): Promise<SeenMemory[]>;
  /** Those of these memories that match still, locked. */
  matchingForChange(filter: MemoryFilter, found: readonly StoredRow[]): Promise<SeenMemory[]>;
  /** Live memories of the same owner and project that share the key, or lie at the same path and bucket; newest first. */
  conflictCandidates(memory: MemoryRecord): Promise<MemoryRecord[]>;
  /**
   * Claims an idempotency key for this request. Answers what the first request was answered, or null for the first.
   * `conflict` while the first is running, and where the key was used for a request of another hash than these.
   */
  claimIdempotencyKey(key: string, requestHashes: readonly string[]): Promise<unknown | null>;
  /** Keeps the answer for repeats; of a memory that is erased meanwhile it says no more than ids and states. */
  keepAnswer(key: string, requestHash: string, answer: unknown): Promise<void>;
  recordFeedback(memory: MemoryRecord, helpful: boolean): Promise<void>;
}

/** A part of paths: how many memories are at it and below it. */
export interface PathPart {
  readonly name: string;
  readonly memories: number;
  readonly hasBelow: boolean;
}

/** How many memories have a value. */
export interface LabelCount {
  readonly kind: "bucket" | "type" | "agent";
  readonly value: string;
  readonly memories: number;
}

/** Options of `existing` besides the id's holder and the same fact. */
export interface AskedOfExisting {
  /** Equal memories. */
  readonly dedupe: boolean;
  /** Memories in the same place whose letters and numbers are those of one of these texts, in the same order. */
  readonly alike?: readonly string[];
}

/** How to see that nothing stored bears on a new memory: what to look for, and under which locks. */
export interface MayBear {
  readonly ask: AskedOfExisting;
  readonly locks: readonly LockKey[];
}

export interface ExistingMemories {
  /** Holds the public id in that owner, with whether the caller may see it. */
  readonly idHolder: { readonly memory: MemoryRecord; readonly isVisible: boolean } | null;
  /** An equal live memory. */
  readonly duplicate: { readonly memory: MemoryRecord; readonly writable: boolean } | null;
  /** Live memories in the same place that look alike, oldest first and few; the texts themselves are to be compared. */
  readonly alike: readonly { readonly memory: MemoryRecord; readonly writable: boolean }[];
  /** The highest version that the fact has ever had, whatever became of the memory; null for a new fact. */
  readonly factVersion: number | null;
  /** Live memories of the same fact, with whether the caller may write each. */
  readonly sameKey: readonly { readonly memory: MemoryRecord; readonly writable: boolean }[];
  /** Memories of the same fact that are live again once others have expired. */
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
  /** Further members of its audit line; null if the line of another change covers this one. */
  readonly detail?: Readonly<Record<string, string>> | null;
}

export interface Erasure {
  readonly mode: "hard_delete" | "redact";
  /** When. */
  readonly at: number;
  readonly replacement: {
    readonly content: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  } | null;
  /** Further members of its audit lines, besides the receipt. */
  readonly detail?: Readonly<Record<string, string>>;
}

/** Dependencies of the use cases of memories. Each takes the part that it needs by `Pick`. */
export interface MemoryPorts {
  readonly store: MemoryStore;
  /** For what is written. */
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly hash: Hash;
  readonly secrets: Secrets;
  readonly junk: Junk;
}
