import type { StoreRequest } from "../../contract/memory.ts";
import { WORKING } from "../../recall/index/scope.ts";
import { normalizedText } from "../../recall/language/characters.ts";
import { normalForm } from "../../recall/language/normal-form.ts";
import { wordsKey } from "../../recall/statements/same-words.ts";
import type { Hash } from "../environment.ts";
import { canonicalJson } from "../input/json.ts";
import { isAdopted } from "./adopted.ts";
import type { MemoryChange, MemoryRecord, NewMemory } from "./memory-record.ts";
import type { LockKey } from "./memory-store.ts";
import { unverified } from "./metadata.ts";

type Compared = Pick<
  MemoryRecord,
  | "content"
  | "projectId"
  | "path"
  | "bucket"
  | "scope"
  | "memoryType"
  | "status"
  | "semanticKey"
  | "sessionId"
>;

/** Hash of everything that deduplication compares. White space and Unicode normalisation do not matter; case does. */
export function dedupeHash(hash: Hash, memory: Compared): string {
  const text = normalizedText(memory.content);
  const session = memory.memoryType === WORKING ? memory.sessionId : null;
  const { projectId, path, bucket, scope, memoryType, status, semanticKey } = memory;
  return hash(
    JSON.stringify([text, projectId, path, bucket, scope, memoryType, status, semanticKey, session]),
  );
}

/**
 * The change, with the deduplication hash of the changed memory. Adopted memories get none, since they are never
 * duplicates.
 */
export function rehashed(hash: Hash, memory: MemoryRecord, change: MemoryChange): MemoryChange {
  const next = { ...memory, ...change };
  if (isAdopted(next)) return { ...change, dedupeHash: null };
  // A memory that may become live again is compared by the status it will have then.
  const status = next.supersededStatus ?? next.status;
  return { ...change, dedupeHash: dedupeHash(hash, { ...next, status }) };
}

/**
 * Hash of a create request, to distinguish a retry from another request. Owner and project are not included: they are
 * compared with the memory's current ones.
 */
export function createHash(
  hash: Hash,
  memory: Omit<NewMemory, "createHash" | "dedupeHash">,
  asked: Pick<StoreRequest, "provenance" | "superseded_by">,
): string {
  const { content, path, bucket, memoryType, status, semanticKey, version } = memory;
  const { importance, confidence, source, logicPath, metadata, expiresAt } = memory;
  const { project_id: _, ...provenance } = asked.provenance ?? {};
  // Hashes are stored, so the order must not change, and a member that is added later must be omitted if it is null.
  const request = {
    content,
    path,
    bucket,
    memory_type: memoryType,
    status,
    semantic_key: semanticKey,
    version,
    superseded_by: asked.superseded_by ?? null,
    importance,
    confidence,
    source,
    logic_path: logicPath,
    metadata: canonicalJson(unverified(metadata)),
    provenance: canonicalJson(provenance),
    expires_at: expiresAt,
  } satisfies Record<Exclude<keyof StoreRequest, NotInCreateHash>, unknown>;
  return hash(JSON.stringify(Object.values(request)));
}

/** The memory's place, which is compared with the current one, and its vector, which may be recomputed at any time. */
type NotInCreateHash =
  | "memory_id"
  | "project_id"
  | "scope"
  | "team_id"
  | "embedding"
  | "embedding_provider"
  | "embedding_model"
  | "embedding_dimension";

/**
 * True if the memory was created by the same request as `again`. For an adopted memory, only a request of the same
 * agent counts: otherwise its new owner would be told that their own text was stored.
 */
export function isMadeBySame(hash: Hash, held: MemoryRecord, again: NewMemory): boolean {
  if (isAdopted(held) && held.agentId !== again.agentId) return false;
  if (held.createHash === again.createHash) return held.projectId === again.projectId;
  return isFormerCreateHash(hash, held.createHash, again);
}

export function idLock(ownerId: string, memoryId: string): LockKey {
  return { ownerId, name: `id:${memoryId}` };
}

function factLock(ownerId: string, semanticKey: string): LockKey {
  return { ownerId, name: `fact:${semanticKey}` };
}

/** The locks of the facts that these memories state, for writes that change how long a fact is held. */
export function factLocks(memories: readonly Pick<MemoryRecord, "ownerId" | "semanticKey">[]): LockKey[] {
  return memories.flatMap(({ ownerId, semanticKey }) =>
    semanticKey === null ? [] : [factLock(ownerId, semanticKey)],
  );
}

/** The lock on a text's words: of two concurrent writes that say the same, the second sees the first. */
export function wordsLock(
  hash: Hash,
  { ownerId, content }: Pick<MemoryRecord, "ownerId" | "content">,
): LockKey {
  return { ownerId, name: `words:${hash(wordsKey(content))}` };
}

/** The locks that keep two writes from deciding concurrently about the same public id, duplicate or fact. */
export function lockKeys(
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "dedupeHash" | "semanticKey">,
): LockKey[] {
  const keys = [idLock(memory.ownerId, memory.memoryId)];
  if (memory.dedupeHash) keys.push({ ownerId: memory.ownerId, name: `dedupe:${memory.dedupeHash}` });
  if (memory.semanticKey) keys.push(factLock(memory.ownerId, memory.semanticKey));
  return keys;
}

/**
 * The create hash in its former format, without version, provenance and successor. Older memories and exports still
 * have it, and a retry of their request must be recognised by it.
 */
export function formerCreateHash(hash: Hash, memory: Omit<NewMemory, "createHash" | "dedupeHash">): string {
  const { content, scope, projectId, path, bucket, memoryType, semanticKey, source, logicPath, metadata } =
    memory;
  return hash(
    JSON.stringify([
      content,
      scope,
      projectId,
      path,
      bucket,
      memoryType,
      memory.status,
      semanticKey,
      source,
      logicPath,
      pairs(unverified(metadata)),
      memory.importance,
      memory.confidence,
      memory.expiresAt,
    ]),
  );
}

/**
 * True if the hash is this request's in the former format. Buckets were then hashed as written, including in decomposed
 * form.
 */
function isFormerCreateHash(hash: Hash, held: string | null, again: NewMemory): boolean {
  const buckets = new Set([again.bucket, normalForm(again.bucket, "NFD")]);
  return [...buckets].some((bucket) => formerCreateHash(hash, { ...again, bucket }) === held);
}

/** The value with each object as a sorted list of its members. */
function pairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pairs);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, pairs(member)]);
}
