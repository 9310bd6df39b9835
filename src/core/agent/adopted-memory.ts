/**
 * Converts a memory that an agent wrote before it was bound into its user's. All of it is untrusted, so nothing in it
 * may outweigh the user's own memories, fall due, or assign work to others. Importance, confidence, priority and impact
 * are capped at their defaults. Authority, review dates, due times, recurrence rules, a todo's assignee, and the key of
 * a fact that is already stated there are removed. Removed values are kept in `metadata.adopted_from`, so that the
 * person can restore them.
 */
import { storeRequest } from "../../contract/memory.ts";
import { impactLevels, todoPriorities } from "../../contract/project.ts";
import type { Hash } from "../environment.ts";
import { formerCreateHash } from "../memory/identity.ts";
import type { MemoryChange, MemoryRecord } from "../memory/memory-record.ts";
import { GUIDING_MEMBERS } from "../memory/metadata.ts";
import type { Place } from "../memory/place.ts";
import { rfc3339 } from "../memory/present.ts";
import { withServiceMembers } from "../memory/service-members.ts";
import { asItStands, factKey } from "../memory/supersession.ts";
import type { Decision } from "../project/decision.ts";
import { type Recalled, recalledDecision, recalledTodo } from "../project/recalled.ts";
import type { Todo } from "../project/todo.ts";

/** A memory in a quarantine, with its state if it is a todo or a decision. */
export interface Quarantined {
  readonly memory: MemoryRecord;
  readonly todo: Todo | null;
  readonly decision: Decision | null;
  /**
   * Rows of the same quarantine that must move together with it: dependencies of a todo, predecessors of a decision.
   */
  readonly linkedTo: readonly string[];
}

/** A memory in its new place. */
export interface Moved extends Pick<Quarantined, "memory" | "todo" | "decision"> {
  /** The previous status of a todo or decision. */
  readonly formerStatus: string | null;
}

/** Facts about an adoption that each of its memories needs. */
export interface Adoption {
  readonly agentId: string;
  /** The user to whom the agent is bound. */
  readonly authorId: string;
  readonly at: number;
  /** Old and new public ids of all memories that move. */
  readonly names: ReadonlyMap<string, string>;
  /** Facts (`factKey`) that the new owner states or has stated. */
  readonly facts: ReadonlySet<string>;
  /** Facts that the agent already stated in the project to which they move. */
  readonly placed: ReadonlySet<string>;
}

const IMPORTANCE_MAX = storeRequest.shape.importance.parse(undefined);
const CONFIDENCE_MAX = storeRequest.shape.confidence.parse(undefined);

/** Members removed from earlier states of an adopted memory, since questions about the past are answered from those. */
export const EARLIER_STATES = {
  importanceMax: IMPORTANCE_MAX,
  confidenceMax: CONFIDENCE_MAX,
  withoutMetadata: [...GUIDING_MEMBERS, "adopted_from"],
} as const;

export function adoptedMemory(hash: Hash, quarantined: Quarantined, place: Place, adoption: Adoption): Moved {
  const { memory } = quarantined;
  const item = adoptedItem(quarantined, adoption);
  const moved = {
    ...memory,
    supersededBy: named(memory.supersededBy, adoption),
    ...(item ? { ...item.recalled, ...keptAside(memory) } : adoptedWeight(memory, place, adoption)),
    ...place,
    authorId: adoption.authorId,
    memoryId: adoption.names.get(memory.memoryId) ?? memory.memoryId,
    dueAt: null,
    provenance: provenanceAt(memory, place.projectId, adoption),
    createHash: createHashAt(hash, memory, place),
    dedupeHash: null,
  };
  const { todo = null, decision = null } = item ?? {};
  const formerStatus = (quarantined.todo ?? quarantined.decision)?.status ?? null;
  return { memory: moved, todo, decision, formerStatus };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the weights and dates that an adopted memory may keep. Not for todos and decisions. */
function adoptedWeight(memory: MemoryRecord, place: Place, adoption: Adoption): MemoryChange {
  const { kept, taken } = calmed(memory.metadata);
  const importance = Math.min(memory.importance, IMPORTANCE_MAX);
  const confidence = Math.min(memory.confidence, CONFIDENCE_MAX);
  const givesUpFact = isStatedThere(memory, place, adoption);
  const all = {
    ...(givesUpFact ? { semantic_key: memory.semanticKey } : {}),
    ...(importance === memory.importance ? {} : { importance: memory.importance }),
    ...(confidence === memory.confidence ? {} : { confidence: memory.confidence }),
    ...taken,
  };
  return {
    importance,
    confidence,
    metadata: withTaken(kept, all),
    ...(givesUpFact ? withoutFact(memory, adoption.at) : {}),
  };
}

/**
 * Whether the memory's fact is already stated in its new place: by the new owner, or by a memory of the agent that was
 * already in that project while this one was in none.
 */
function isStatedThere(memory: MemoryRecord, place: Place, { facts, placed }: Adoption): boolean {
  if (memory.semanticKey === null) return false;
  const fact = factKey({ ...memory, ...place });
  return facts.has(fact) || (memory.projectId !== place.projectId && placed.has(fact));
}

/** Removes the fact's key. A memory that was superseded by key stays superseded, unless its successor has ended. */
function withoutFact(memory: MemoryRecord, at: number): MemoryChange {
  const { status } = asItStands(memory, at);
  return {
    semanticKey: null,
    status,
    supersededByKey: false,
    supersededStatus: null,
    supersededUntil: null,
    factVersion: null,
    ...(status === memory.status ? {} : { supersededBy: null, supersededAt: null }),
  };
}

/**
 * Returns the adopted state of a todo or decision, with its memory's members; null for other memories and redacted
 * ones.
 */
function adoptedItem(
  { memory, todo, decision }: Quarantined,
  adoption: Adoption,
): (Pick<Moved, "todo" | "decision"> & { recalled: Recalled }) | null {
  if (memory.status === "redacted") return null;
  if (todo !== null) {
    const next = adoptedTodo(todo, adoption);
    return { todo: next, decision: null, recalled: recalledTodo(next) };
  }
  if (decision !== null) {
    const next = adoptedDecision(decision, adoption);
    return { todo: null, decision: next, recalled: recalledDecision(next) };
  }
  return null;
}

/** Reopens a todo that was assigned to anyone but the agent itself. Only the new owner may assign it. */
function adoptedTodo(todo: Todo, adoption: Adoption): Todo {
  const { kept, taken } = calmed(todo.extra);
  const priority = atMost(todoPriorities, todo.priority, "normal");
  const isOthers = todo.assignee !== null && todo.assignee !== adoption.agentId;
  const sourceMemoryId = named(todo.sourceMemoryId, adoption);
  const all = {
    ...taken,
    ...(priority === todo.priority ? {} : { priority: todo.priority }),
    ...(todo.dueAt === null ? {} : { due_at: rfc3339(todo.dueAt) }),
    ...(isOthers ? { assignee_agent_id: todo.assignee } : {}),
    ...lostLink(todo.sourceMemoryId, sourceMemoryId),
  };
  return {
    ...todo,
    priority,
    dueAt: null,
    sourceMemoryId,
    extra: withTaken(kept, all),
    ...(isOthers ? { assignee: null } : {}),
    ...(isOthers && todo.status === "assigned" ? { status: "open" } : {}),
    ...(isOthers && todo.blockedFrom === "assigned" ? { blockedFrom: "open" } : {}),
  };
}

function adoptedDecision(decision: Decision, adoption: Adoption): Decision {
  const { kept, taken } = calmed(decision.extra);
  const { impactLevel: stated } = decision;
  const impactLevel = stated === null ? null : atMost(impactLevels, stated, "medium");
  const sourceMemoryId = named(decision.sourceMemoryId, adoption);
  const all = {
    ...taken,
    ...(impactLevel === stated ? {} : { impact_level: stated }),
    ...(decision.dueAt === null ? {} : { due_at: rfc3339(decision.dueAt) }),
    ...lostLink(decision.sourceMemoryId, sourceMemoryId),
  };
  return { ...decision, impactLevel, dueAt: null, sourceMemoryId, extra: withTaken(kept, all) };
}

/**
 * Records a removed link. A link to a memory that does not move would refer to whatever has that id in the new place.
 */
function lostLink(before: string | null, after: string | null): Members {
  return before !== null && after === null ? { source_memory_id: before } : {};
}

/** Returns the new id of a memory that moves too; null for any other. */
function named(memoryId: string | null, { names }: Adoption): string | null {
  return memoryId === null ? null : (names.get(memoryId) ?? null);
}

/** Returns `given`, or `highest` if that comes earlier in the rising list. */
function atMost<T>(rising: readonly T[], given: T, highest: T): T {
  return rising.indexOf(given) > rising.indexOf(highest) ? highest : given;
}

/** Keeps deleted and archived items as they are. A deleted one has no item status. */
function keptAside({ status, itemStatus, itemAgent }: MemoryRecord): MemoryChange {
  if (status === "soft_deleted") return { status, itemStatus, itemAgent };
  return status === "archived" ? { status } : {};
}

/**
 * Splits metadata into harmless members and those that affect ranking or behaviour. A caller's own `adopted_from` is
 * dropped.
 */
function calmed(metadata: Members): { kept: Members; taken: Members } {
  const kept: Record<string, unknown> = {};
  const taken: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "adopted_from") continue;
    const guides = (GUIDING_MEMBERS as readonly string[]).includes(name) && !isPlainAuthority(name, value);
    (guides ? taken : kept)[name] = value;
  }
  return { kept, taken };
}

function isPlainAuthority(name: string, value: unknown): boolean {
  return name === "authority" && (value === "observation" || value === "inference");
}

function withTaken(kept: Members, taken: Members): Members {
  return Object.keys(taken).length === 0
    ? kept
    : withServiceMembers("metadata", kept, { adopted_from: taken });
}

/** Adds the former agent, and the former id if it changed. */
function provenanceAt(memory: MemoryRecord, projectId: string | null, { agentId, at, names }: Adoption) {
  const isRenamed = names.get(memory.memoryId) !== memory.memoryId;
  return withServiceMembers("provenance", memory.provenance, {
    ...(projectId === null ? {} : { project_id: projectId }),
    adopted_from: {
      agent_id: agentId,
      at: rfc3339(at),
      ...(isRenamed ? { memory_id: memory.memoryId } : {}),
    },
  });
}

/** Recomputes the hash of the create request, which depends on the place only in the former format. */
function createHashAt(hash: Hash, memory: MemoryRecord, place: Place): string | null {
  const isFormer = memory.createHash !== null && formerCreateHash(hash, memory) === memory.createHash;
  return isFormer ? formerCreateHash(hash, { ...memory, ...place }) : memory.createHash;
}
