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

/** Hash of all that dedupe compares. White space and Unicode form do not matter, case does. */
export function dedupeHash(hash: Hash, memory: Compared): string {
  const text = normalizedText(memory.content);
  const session = memory.memoryType === WORKING ? memory.sessionId : null;
  const { projectId, path, bucket, scope, memoryType, status, semanticKey } = memory;
  return hash(
    JSON.stringify([text, projectId, path, bucket, scope, memoryType, status, semanticKey, session]),
  );
}

/** A change of what dedupe compares, with the hash that goes with it. What was adopted is equal to nothing. */
export function rehashed(hash: Hash, memory: MemoryRecord, change: MemoryChange): MemoryChange {
  const next = { ...memory, ...change };
  if (isAdopted(next)) return { ...change, dedupeHash: null };
  // One that may be live again is compared by what it is then.
  const status = next.supersededStatus ?? next.status;
  return { ...change, dedupeHash: dedupeHash(hash, { ...next, status }) };
}

/**
 * Hash of what a create request asked for, so that the same request again can be told from another one. The owner and the
 * project are not in it: they are compared with where the memory lies now.
 */
export function createHash(
  hash: Hash,
  memory: Omit<NewMemory, "createHash" | "dedupeHash">,
  asked: Pick<StoreRequest, "provenance" | "superseded_by">,
): string {
  const { content, path, bucket, memoryType, status, semanticKey, version } = memory;
  const { importance, confidence, source, logicPath, metadata, expiresAt } = memory;
  const { project_id: _, ...provenance } = asked.provenance ?? {};
  // Hashes are stored: the order stays, and what is added later is left out of it where it is null.
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

/** Where the memory lies, which is compared as it is now, and its vector, which may be made anew at any time. */
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
 * Whether a memory was made by the very create request that `again` comes from. What an agent wrote before it was bound
 * was made by that agent's request, and by nobody else's, however equal: whoever has it now would believe that their own
 * words were stored.
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

/** The locks of the facts that these memories state: for writes that end or prolong what they hold. */
export function factLocks(memories: readonly Pick<MemoryRecord, "ownerId" | "semanticKey">[]): LockKey[] {
  return memories.flatMap(({ ownerId, semanticKey }) =>
    semanticKey === null ? [] : [factLock(ownerId, semanticKey)],
  );
}

/** The lock of a text in its own words: of two that say the same at once the second sees the first. */
export function wordsLock(
  hash: Hash,
  { ownerId, content }: Pick<MemoryRecord, "ownerId" | "content">,
): LockKey {
  return { ownerId, name: `words:${hash(wordsKey(content))}` };
}

/** What two writes must not decide at once: the same public id, the same dedupe, the same fact. */
export function lockKeys(
  memory: Pick<MemoryRecord, "ownerId" | "memoryId" | "dedupeHash" | "semanticKey">,
): LockKey[] {
  const keys = [idLock(memory.ownerId, memory.memoryId)];
  if (memory.dedupeHash) keys.push({ ownerId: memory.ownerId, name: `dedupe:${memory.dedupeHash}` });
  if (memory.semanticKey) keys.push(factLock(memory.ownerId, memory.semanticKey));
  return keys;
}

/**
 * The hash of a create request as memories got it while version, provenance and successor did not count. Those memories
 * still have it, exported ones too, and the request that made them must be known by it.
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

/** Whether a hash of former times is that of this request. Buckets were hashed as they were written, decomposed too. */
function isFormerCreateHash(hash: Hash, held: string | null, again: NewMemory): boolean {
  const buckets = new Set([again.bucket, normalForm(again.bucket, "NFD")]);
  return [...buckets].some((bucket) => formerCreateHash(hash, { ...again, bucket }) === held);
}

/** The value with its objects as lists of their members, in order. */
function pairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pairs);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, pairs(member)]);
}
