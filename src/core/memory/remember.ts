import {
  type JunkKind,
  type MaskedSecrets,
  type RememberAnswer,
  type StoreAnswer,
  type StoreRequest,
  storeRequest,
} from "../../contract/memory.ts";
import { joined, type OwnWords, own, quotedField } from "../../contract/own-words.ts";
import { inNfc, plainText } from "../../recall/language/characters.ts";
import { likenessOf, withoutLeadIn } from "../../recall/statements/same-words.ts";
import { type Caller, holds } from "../caller.ts";
import type { Hash } from "../environment.ts";
import { DomainError } from "../error.ts";
import { checkExpense } from "../ledger/expense.ts";
import { checkRecurrence } from "../reminder/recurrence.ts";
import type { UseCase } from "../use-case.ts";
import { requireMember } from "./access.ts";
import { attribute } from "./attribution.ts";
import { createHash, dedupeHash, isMadeBySame, lockKeys, wordsLock } from "./identity.ts";
import { isAnsweredByLike, type Judgement, judge, remarkOn, type Taken } from "./junk.ts";
import type { MemoryRecord, NewMemory } from "./memory-record.ts";
import type {
  AskedOfExisting,
  ExistingMemories,
  LockKey,
  MemoryPorts,
  MemoryTransaction,
} from "./memory-store.ts";
import { checkMetadata } from "./metadata.ts";
import { placeInSpace } from "./place.ts";
import { repeated } from "./repeat.ts";
import { remarksOn, type Screened, screen } from "./screen.ts";
import {
  NOT_SUPERSEDED,
  predecessorsOf,
  requireLiveTarget,
  succeededBy,
  successorLock,
} from "./supersession.ts";
import { type ChosenVector, chooseVector } from "./vector.ts";
import {
  isQuarantined,
  isQuarantineFull,
  lockForWrite,
  ownQuarantineIsFull,
  requireRoom,
} from "./write-rules.ts";

/**
 * Stores a memory, unless an equal live one exists or it brings nothing new (see `judge`). Supersedes the older fact
 * with the same semantic key. `memory_id_conflict` if another memory has the given id; `conflict` if the caller may not
 * change the older fact; `not_found` for a team that the caller is not a member of.
 */
export const remember: UseCase<WritePorts, "remember"> = async (ports, caller, input) => {
  if (isNewForSure(input, input.dedupe) && (await isQuarantineFull(ports.store, caller)))
    throw ownQuarantineIsFull();
  const write = await prepareWrite(ports, caller, input, input.dedupe);
  return rememberAnswer(write, await carriedOut(ports, caller, write));
};

/**
 * Stores a memory as given, without looking for an equal one. Supersession, ids and errors are the same as in
 * `remember`.
 */
export const storeMemory: UseCase<WritePorts, "storeMemory"> = async (ports, caller, input) => {
  if (isNewForSure(input, false) && (await isQuarantineFull(ports.store, caller)))
    throw ownQuarantineIsFull();
  const write = await prepareWrite(ports, caller, input, false);
  return storeAnswer(write, await carriedOut(ports, caller, write));
};

export type WritePorts = Pick<
  MemoryPorts,
  "store" | "embedder" | "clock" | "newId" | "hash" | "secrets" | "junk"
>;

export interface PreparedWrite extends Composed {
  readonly input: StoreRequest;
  readonly masked: Screened<StoreRequest>["masked"];
  readonly dedupe: boolean;
  /** The verdict on the content before comparing it with similar memories. */
  readonly judgement: Judgement;
  /**
   * Whether a similar live memory is returned instead of storing this one, or this one is stored too. null: not
   * checked.
   */
  readonly ifAlike: "answered" | "stored" | null;
  readonly vector: ChosenVector;
  readonly locks: readonly LockKey[];
  /** Independent of existing memories: its id is new, it states no fact and is not deduplicated. */
  readonly isIndependent: boolean;
}

export interface WriteOutcome {
  readonly memory: MemoryRecord;
  /** False if the memory existed before: a retry of the same request, or a duplicate. */
  readonly isNew: boolean;
  readonly deduplicated: boolean;
  readonly superseded: readonly string[];
  /** Names of the request's members that were not merged into the existing memory. */
  readonly notTaken: readonly string[];
  /** The verdict and the action taken; null if the content is not junk. */
  readonly taken: Taken | null;
}

/** A memory ready to be written, and the notices for the answer. */
export interface Composed {
  readonly memory: NewMemory;
  readonly notices: readonly string[];
}

async function carriedOut(ports: WritePorts, caller: Caller, write: PreparedWrite): Promise<WriteOutcome> {
  return (await storedAlone(ports, caller, write)) ?? inTransaction(ports, caller, write);
}

/**
 * Stores a new memory in the caller's own space in one round trip, if no existing memory affects it and nothing else
 * has to be written. Returns null otherwise.
 */
async function storedAlone(
  { store }: WritePorts,
  caller: Caller,
  write: PreparedWrite,
): Promise<WriteOutcome | null> {
  const { isIndependent, memory, vector, locks, judgement } = write;
  const isOwn = memory.ownerId === caller.owner.id && caller.space.teamId === null;
  if (!isPlain(write) || !isOwn || isQuarantined(caller)) return null;
  const bearing = isIndependent ? null : { ask: askOf(write), locks };
  const stored = await store.insertAlone(caller, memory, vector, bearing);
  return stored && { ...UNWRITTEN, memory: stored, isNew: true, taken: judgement.taken };
}

/** True if the write only inserts a memory, provided that no existing memory affects it. */
export function isPlain({ input, judgement: { taken, echoOf } }: PreparedWrite): boolean {
  return !input.superseded_by && !(taken?.and === "answered" && echoOf !== null);
}

function inTransaction(ports: WritePorts, caller: Caller, write: PreparedWrite): Promise<WriteOutcome> {
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, write.memory.ownerId);
    await lockForWrite(caller, transaction, write.locks, [write.memory.ownerId]);
    return commitWrite(ports, caller, transaction, write);
  });
}

/** True if no existing memory can be equal to the requested one or be superseded by it. */
export function isNewForSure(
  input: Pick<StoreRequest, "memory_id" | "semantic_key" | "superseded_by">,
  dedupe: boolean,
): boolean {
  return !(dedupe || input.memory_id || input.semantic_key || input.superseded_by);
}

/** Does everything for a write that needs no transaction: secrets, checks, hashes, the embedding. */
export async function prepareWrite(
  ports: WritePorts,
  caller: Caller,
  asked: StoreRequest,
  dedupe: boolean,
): Promise<PreparedWrite> {
  const { input: screenedInput, masked, isContentMasked, ...screened } = screen(ports.secrets, asked);
  const judgement = await judge(ports, caller, screenedInput, dedupe);
  const isSetAside = judgement.taken?.and === "set aside";
  const input = isSetAside ? { ...screenedInput, status: "archived" as const } : screenedInput;
  const composed = compose(ports, caller, input);
  const notices = [...screened.notices, ...composed.notices];
  const vector = await chooseVector(ports.embedder, input, { content: input.content, isContentMasked });
  const ifAlike = likesOf(ports, input, { dedupe, isSetAside });
  const locks = [
    ...lockKeys(composed.memory),
    ...(ifAlike === null ? [] : [wordsLock(ports.hash, composed.memory)]),
    ...successorLock(composed.memory.ownerId, input.superseded_by),
  ];
  const isIndependent = isNewForSure(input, dedupe);
  return {
    ...composed,
    notices,
    masked,
    input,
    dedupe,
    judgement,
    ifAlike,
    vector,
    isIndependent,
    locks: isIndependent ? [] : locks,
  };
}

/** An explicit id, or a store request, always asks for a separate memory. */
function likesOf(
  { junk }: Pick<WritePorts, "junk">,
  { memory_id }: StoreRequest,
  { dedupe, isSetAside }: { dedupe: boolean; isSetAside: boolean },
): PreparedWrite["ifAlike"] {
  if (!dedupe || isSetAside || memory_id || junk.policy === "allow") return null;
  return isAnsweredByLike(junk.policy) ? "answered" : "stored";
}

/** Builds the memory that a request describes: placed, attributed and checked against the credential's token space. */
export function compose(
  ports: Pick<MemoryPorts, "clock" | "newId" | "hash">,
  caller: Caller,
  input: StoreRequest,
): Composed {
  const place = placeInSpace(caller, input);
  const { metadata, occurredAt, dueAt, notices } = checkMetadata(caller, { metadata: input.metadata ?? {} });
  checkRecurrence(input.memory_type, metadata);
  checkExpense({ bucket: input.bucket, memoryType: input.memory_type }, metadata);
  const attributed = attribute(caller.attribution, input.provenance ?? {}, place.projectId);
  const id = ports.newId();
  const now = ports.clock();
  const draft = {
    id,
    ...place,
    ...attributed,
    memoryId: input.memory_id ?? id,
    authorId: caller.owner.id,
    path: input.path,
    bucket: input.bucket,
    memoryType: input.memory_type,
    workspaceItem: null,
    itemStatus: null,
    itemAgent: null,
    status: input.status ?? "active",
    restoreStatus: null,
    content: input.content,
    semanticKey: inNfc(input.semantic_key) ?? null,
    version: input.version ?? 1,
    ...NOT_SUPERSEDED,
    factVersion: null,
    importance: input.importance,
    confidence: input.confidence,
    source: input.source ?? null,
    logicPath: input.logic_path ?? null,
    metadata,
    occurredAt,
    dueAt,
    createdAt: now,
    updatedAt: now,
    expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
  } as const;
  return {
    memory: {
      ...draft,
      createHash: createHash(ports.hash, draft, input),
      dedupeHash: dedupeHash(ports.hash, draft),
    },
    notices,
  };
}

const NONE: ExistingMemories = {
  idHolder: null,
  duplicate: null,
  alike: [],
  factVersion: null,
  sameKey: [],
  waiting: [],
};

/**
 * Writes a prepared memory inside a transaction that holds its locks. For a retry or a duplicate it returns the
 * existing memory instead. Supersedes the older fact with the same semantic key. Throws only before it writes anything,
 * so that the transaction can continue after an error.
 */
export async function commitWrite(
  ports: Pick<MemoryPorts, "clock" | "hash">,
  caller: Caller,
  transaction: MemoryTransaction,
  write: PreparedWrite,
): Promise<WriteOutcome> {
  const { memory, judgement } = write;
  const existing = write.isIndependent ? NONE : await transaction.existing(memory, askOf(write));
  const again = sameCreate(ports.hash, memory, existing);
  if (again) return { ...UNWRITTEN, memory: again };
  if (existing.duplicate) {
    if (!existing.duplicate.writable) {
      throw new DomainError(
        "conflict",
        "The same memory already exists, and this credential may not change it.",
      );
    }
    return repeat(ports, caller, transaction, existing.duplicate.memory, write);
  }
  const { taken, echoOf } = judgement;
  if (taken?.and === "answered" && echoOf !== null)
    return { ...UNWRITTEN, memory: echoOf, deduplicated: true, taken };
  const like = likeIn(ports.hash, caller, write, existing);
  if (like?.taken.and === "answered")
    return { ...(await repeat(ports, caller, transaction, like.memory, write)), taken: like.taken };
  return {
    ...(await insert(ports, caller, transaction, write, existing)),
    taken: taken ?? like?.taken ?? null,
  };
}

/** Outcome without a write. */
const UNWRITTEN = { isNew: false, deduplicated: false, superseded: [], notTaken: [], taken: null } as const;

export function askOf({ memory: { content }, dedupe, ifAlike }: PreparedWrite): AskedOfExisting {
  const told = withoutLeadIn(content);
  return { dedupe, alike: ifAlike === null ? [] : [...new Set([content, told, plainText(told)])] };
}

/**
 * The memory in the same place that says the same, and the verdict. If the texts differ in case, both are kept, and the
 * answer mentions it. That is reported only to callers that may read.
 */
function likeIn(
  hash: Hash,
  caller: Caller,
  { memory, ifAlike }: PreparedWrite,
  { alike }: ExistingMemories,
): { memory: MemoryRecord; taken: Taken } | null {
  if (ifAlike === null) return null;
  const likes = alike
    .filter(({ writable, memory: there }) => writable && isInPlaceOf(hash, there, memory))
    .map(({ memory: there }) => ({ there, likeness: likenessOf(there.content, memory.content) }));
  const same = likes.find(({ likeness }) => likeness === "same");
  if (same && ifAlike === "answered")
    return { memory: same.there, taken: { as: "repetition", and: "answered" } };
  if (!holds(caller, "memory:read")) return null;
  const other = likes.find(({ likeness }) => likeness !== null);
  return other ? { memory: other.there, taken: { as: "repetition", and: "stored" } } : null;
}

/** True if the two are equal in everything that deduplication compares, except the content. */
function isInPlaceOf(hash: Hash, there: MemoryRecord, memory: NewMemory): boolean {
  return dedupeHash(hash, { ...there, content: memory.content }) === memory.dedupeHash;
}

/**
 * The memory that an earlier attempt of this request created, or null. `memory_id_conflict` if the id belongs to any
 * other memory.
 */
function sameCreate(hash: Hash, memory: NewMemory, existing: ExistingMemories): MemoryRecord | null {
  const holder = existing.idHolder;
  if (holder === null) return null;
  const { memory: held, isVisible } = holder;
  if (isVisible && held.status !== "soft_deleted" && isMadeBySame(hash, held, memory)) return held;
  throw new DomainError(
    "memory_id_conflict",
    "Another memory of this owner has that memory_id. Choose another, or leave it out.",
  );
}

async function insert(
  ports: Pick<MemoryPorts, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  write: PreparedWrite,
  existing: ExistingMemories,
): Promise<WriteOutcome> {
  const successor = write.input.superseded_by
    ? await requireLiveTarget({ ports, caller, transaction }, write.memory, write.input.superseded_by)
    : null;
  const now = ports.clock();
  // A memory that is inserted with a successor supersedes nothing itself.
  const placed = successor ? { ...write.memory, ...succeededBy(successor.memoryId, now) } : write.memory;
  const { older, version } = predecessorsOf(placed, existing, now);
  const draft: NewMemory = { ...placed, version };
  await requireRoom(caller, transaction, {
    ownerId: draft.ownerId,
    memories: 1,
    // The superseded memories are also kept as versions.
    growth: [draft, ...older],
  });
  if (older.length > 0)
    await transaction.supersedeByKey({ live: older, waiting: existing.waiting }, draft, now);
  const memory = await transaction.insert(draft, write.vector);
  return {
    memory,
    isNew: true,
    deduplicated: false,
    superseded: older.map(({ memoryId }) => memoryId),
    notTaken: [],
    taken: null,
  };
}

/**
 * Merges a repeated statement into the existing memory. The outcome lists the request's members that were not merged.
 */
async function repeat(
  ports: Pick<MemoryPorts, "clock">,
  caller: Caller,
  transaction: MemoryTransaction,
  known: MemoryRecord,
  write: PreparedWrite,
): Promise<WriteOutcome> {
  const { change, saysMore, left } = repeated(known, write.memory, write.input, ports.clock());
  // If the former state is kept as a version, its bytes are not freed.
  await requireRoom(caller, transaction, {
    ownerId: known.ownerId,
    memories: 0,
    growth: [{ ...known, ...change }],
    instead: saysMore ? [] : [known],
  });
  const memory = await transaction.change(known, change, { operation: "deduplicate", keepVersion: saysMore });
  // The names of differing members reveal something about the memory, so only callers that may read it get them.
  const notTaken = holds(caller, "memory:read") ? left : [];
  return { ...UNWRITTEN, memory, deduplicated: true, notTaken };
}

export function rememberAnswer(write: PreparedWrite, outcome: WriteOutcome): RememberAnswer {
  return {
    id: outcome.memory.memoryId,
    status: "remembered",
    deduplicated: outcome.deduplicated,
    superseded: [...outcome.superseded],
    ...remarks(write, outcome),
  };
}

export function storeAnswer(write: PreparedWrite, outcome: WriteOutcome): StoreAnswer {
  return {
    id: outcome.memory.memoryId,
    status: "stored",
    version: outcome.memory.version,
    superseded: [...outcome.superseded],
    ...remarks(write, outcome),
  };
}

interface Remarks {
  embedding?: "caller" | "service";
  reason?: string;
  masked?: MaskedSecrets[];
  junk?: JunkKind;
}

function remarks(write: PreparedWrite, { deduplicated, notTaken, taken }: WriteOutcome): Remarks {
  const judged = taken === null ? {} : { junk: taken.as };
  const notices = [...write.notices, ...(taken === null ? [] : [remarkOn(taken)])];
  if (deduplicated) return { ...judged, ...remarksOn(write, [...notices, ...notTakenOver(notTaken)]) };
  const reasons = [...notices, ...(write.vector.reason ? [write.vector.reason] : [])];
  return {
    ...(write.vector.used ? { embedding: write.vector.used } : {}),
    ...judged,
    ...remarksOn(write, reasons),
  };
}

const NAMES_TOLD = 10;
const TELLABLE = /^[\p{L}\p{N}_.:-]{1,64}$/u;
const NAME_LENGTH_MAX = 64;

/** True for a member of the request itself. Names inside metadata and provenance are chosen by callers. */
function isMember(name: string): name is keyof StoreRequest & OwnWords {
  return name in storeRequest.shape;
}

/** Lists only names, and at most `NAMES_TOLD` of them, since callers choose the names in metadata and provenance. */
function notTakenOver(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.filter((name) => TELLABLE.test(name)).slice(0, NAMES_TOLD);
  const more = names.length - told.length;
  const shown = joined(told.map((name) => (isMember(name) ? name : quotedField(name, NAME_LENGTH_MAX))));
  const parts = [...(told.length > 0 ? [shown] : []), ...(more > 0 ? [own`${more} more`] : [])];
  return [own`an equal memory was there; not taken over from this request: ${joined(parts, own` and `)}`];
}
