import { authorities } from "../../../contract/memory.ts";
import type { ActionItem } from "../../../contract/project-context-entries.ts";
import type { Caller } from "../../caller.ts";
import { quotedField, RELATION_WORDS, reviewWords } from "../../context/render.ts";
import { boundaryOf } from "../../memory/boundary.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import { rfc3339 } from "../../memory/present.ts";
import { reviewOf } from "../../memory/review.ts";
import type { ItemMemory, StoredDecision, StoredTodo } from "../workspace-store.ts";
import type { Trust } from "./facts.ts";

/** A memory, todo or decision as far as a pack describes it. */
export interface Subject extends ItemMemory {
  /** The caller's own. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly dueAt: number | null;
}

export function subjectOf(memory: MemoryRecord): Subject {
  const { agent_name } = memory.provenance;
  return { ...memory, agentName: typeof agent_name === "string" ? agent_name : null };
}

export function subjectOfItem({ memory, state }: StoredTodo | StoredDecision): Subject {
  return { ...memory, metadata: state.extra, dueAt: state.dueAt };
}

/** What is needed to describe an item to this caller. */
export interface Describing {
  readonly caller: Caller;
  readonly now: number;
  /** How far authors are vouched for, by the rows of what they wrote. */
  readonly trusts: ReadonlyMap<string, Trust>;
}

const NAME_LENGTH_MAX = 40;
const PATH_LENGTH_MAX = 80;

/** What every item of a pack has besides its text. */
export function describedOf({ caller, now, trusts }: Describing, memory: Subject) {
  const { metadata } = memory;
  const review = reviewOf(memory, now);
  return {
    id: memory.memoryId,
    authority: authorities.find((known) => known === metadata.authority) ?? ("observation" as const),
    author_trust: trustOf({ trusts }, memory),
    boundary: boundaryOf(caller.attribution, memory),
    path: memory.path,
    bucket: memory.bucket,
    scope: memory.scope,
    team_id: memory.scope === "team" ? memory.ownerId : null,
    project_id: memory.projectId,
    source: memory.source,
    created_at: rfc3339(memory.createdAt),
    updated_at: rfc3339(memory.updatedAt),
    review_after: timeOrNull(review.after),
    last_verified_at: timeOrNull(review.lastVerifiedAt),
    review_due: review.isDue,
  };
}

/** What has become of the memory that a todo or decision comes from. */
export function sourceOf({ state, sourceStatus }: StoredTodo | StoredDecision) {
  const { sourceMemoryId } = state;
  return {
    source_memory_id: sourceMemoryId,
    source_memory_status:
      sourceMemoryId === null ? null : ((sourceStatus ?? "missing") as ActionItem["source_memory_status"]),
  };
}

export function trustOf(
  { trusts }: Pick<Describing, "trusts">,
  { id, agentId }: Pick<Subject, "id" | "agentId">,
): Trust {
  return trusts.get(id) ?? (agentId === null ? "unattributed" : "client_asserted");
}

/** Who wrote it and where it lies, as words for a header line. */
export function authorWords({ caller, now, trusts }: Describing, memory: Subject): (string | null)[] {
  const { metadata, agentName, agentId, source } = memory;
  const name = agentName ?? agentId ?? source;
  const { relation } = boundaryOf(caller.attribution, memory);
  const isAuthority = authorities.some((known) => known === metadata.authority && known !== "observation");
  return [
    quotedField(memory.path, PATH_LENGTH_MAX),
    name === null ? null : byName(name),
    RELATION_WORDS[relation],
    trustOf({ trusts }, memory) === "client_asserted" ? "unverified author" : null,
    isAuthority ? (metadata.authority as string) : null,
    ...reviewWords(reviewOf(memory, now)),
  ];
}

/** A stored name inside a header line. */
export function named(name: string): string | null {
  return quotedField(name, NAME_LENGTH_MAX);
}

function byName(name: string): string | null {
  const quoted = named(name);
  return quoted === null ? null : `by ${quoted}`;
}

/** The parts of a header line that there are. */
export function joined(parts: readonly (string | null | false)[]): string {
  return parts.filter((part) => part !== null && part !== false).join(", ");
}

export function timeOrNull(instant: number | null): string | null {
  return instant === null ? null : rfc3339(instant);
}
