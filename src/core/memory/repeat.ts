import { type StoreRequest, storeRequest } from "../../contract/memory.ts";
import { storedMetadata, verifiedBy } from "../../contract/service-members.ts";
import { isSameJson } from "../input/json.ts";
import { BY_SERVICE } from "./attribution.ts";
import { type MemoryChange, type MemoryRecord, type NewMemory, nextVersion } from "./memory-record.ts";
import { GUIDING_MEMBERS, instantIn } from "./metadata.ts";
import { mostThatFit, withServiceMembers } from "./service-members.ts";

/** The effect of a repeated statement on the existing memory. */
export interface Repeat {
  readonly change: MemoryChange;
  /** True if the memory gains information, so that its former state is kept as a version. */
  readonly saysMore: boolean;
  /** The members of the request that are not merged. */
  readonly left: readonly string[];
}

/**
 * Computes how a repeated statement changes the existing memory: it raises the weights a little and adds missing
 * members. The author stays the same.
 */
export function repeated(known: MemoryRecord, again: NewMemory, asked: StoreRequest, now: number): Repeat {
  const metadata = withMissing(known.metadata, again.metadata);
  const logicPath = known.logicPath ?? again.logicPath;
  const saysMore = metadata.added.length > 0 || logicPath !== known.logicPath;
  // In a team, another member's importance and confidence do not change the weights of the author's memory.
  const weights = again.authorId === known.authorId ? again : known;
  const change = {
    importance: raised(known.importance, weights.importance),
    confidence: raised(known.confidence, weights.confidence),
    expiresAt: later(known.expiresAt, again.expiresAt),
    updatedAt: now,
    provenance: noted(known.provenance, again, now),
    ...(saysMore ? { metadata: metadata.merged, logicPath, version: nextVersion(known.version) } : {}),
    ...(metadata.added.includes("occurred_at")
      ? { occurredAt: instantIn(metadata.merged, "occurred_at") }
      : {}),
  };
  const left = [
    ...membersLeft(known, change, again, asked),
    ...metadata.left.map((name) => `metadata.${name}`),
    ...provenanceLeft(known.provenance, asked.provenance ?? {}),
  ];
  return { change, saysMore, left };
}

const REINFORCEMENT = 0.05;

function raised(before: number, now: number): number {
  return Math.min(1, Math.max(before, now) + REINFORCEMENT);
}

/** The later of two expiries; null (never) if either is null. */
function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

type Members = Readonly<Record<string, unknown>>;

/** Members that a repeat never sets: vouching, due date and review date. */
const NEVER_ADDED: readonly string[] = [...GUIDING_MEMBERS, "completed_at", "completion_note", verifiedBy];

/** Merges missing members into the metadata, in order, as many as fit within its bounds. */
function withMissing(known: Members, again: Members) {
  const missing = Object.entries(again).filter(
    ([name]) => !Object.hasOwn(known, name) && !NEVER_ADDED.includes(name),
  );
  const withFirst = (count: number): Members => ({
    ...known,
    ...Object.fromEntries(missing.slice(0, count)),
  });
  const count = mostThatFit(missing.length, (some) => storedMetadata.safeParse(withFirst(some)).success);
  const merged = count === 0 ? known : withFirst(count);
  return {
    merged,
    added: missing.slice(0, count).map(([name]) => name),
    // The service's own record about verification is not reported separately.
    left: Object.keys(again).filter((name) => name !== verifiedBy && !has(merged, name, again[name])),
  };
}

const REPEATS_KEPT = 20;

/** Adds the repeat to the provenance, which keeps the latest `REPEATS_KEPT` repeats. */
function noted(known: Members, again: NewMemory, now: number): Members {
  const before = Array.isArray(known.repeated_by) ? known.repeated_by : [];
  const repeat = {
    at: new Date(now).toISOString(),
    source: again.source,
    agent_id: again.agentId,
    session_id: again.sessionId,
  };
  return withServiceMembers("provenance", known, {
    repeated_by: [...before, repeat].slice(-REPEATS_KEPT),
  });
}

/** The importance of a request that does not set it. */
const DEFAULT_IMPORTANCE = storeRequest.shape.importance.parse(undefined);

/** Members that are equal in every repeat, are compared separately, or only matter for the embedding. */
type OfARepeat =
  | "content"
  | "path"
  | "bucket"
  | "memory_type"
  | "semantic_key"
  | "status"
  | "scope"
  | "team_id"
  | "project_id"
  | "metadata"
  | "provenance"
  | "embedding_provider"
  | "embedding_model"
  | "embedding_dimension";

/** The members that differ, other than metadata and provenance. */
function membersLeft(
  known: MemoryRecord,
  { logicPath, expiresAt }: MemoryChange,
  again: NewMemory,
  asked: StoreRequest,
): string[] {
  const isLeft = {
    memory_id: asked.memory_id && asked.memory_id !== known.memoryId,
    version: asked.version && asked.version !== known.version,
    source: again.source !== null && again.source !== known.source,
    logic_path: again.logicPath !== null && again.logicPath !== (logicPath ?? known.logicPath),
    importance: again.importance < known.importance && again.importance !== DEFAULT_IMPORTANCE,
    confidence: again.confidence < known.confidence,
    expires_at: again.expiresAt !== null && again.expiresAt !== expiresAt,
    superseded_by: asked.superseded_by,
    embedding: asked.embedding,
  } satisfies Record<Exclude<keyof StoreRequest, OfARepeat>, unknown>;
  return Object.entries(isLeft).flatMap(([name, is]) => (is ? [name] : []));
}

/** Members that the entry for the repeat contains. */
const NOTED = ["agent_id", "session_id"];

/** Members of the request's provenance that the memory's provenance does not have. */
function provenanceLeft(known: Members, asked: Members): string[] {
  return Object.entries(asked)
    .filter(([name, value]) => value !== null && !has(known, name, value))
    .filter(([name]) => !NOTED.includes(name) && name !== "project_id" && !BY_SERVICE.includes(name))
    .map(([name]) => `provenance.${name}`);
}

function has(members: Members, name: string, value: unknown): boolean {
  return Object.hasOwn(members, name) && isSameJson(members[name], value);
}
