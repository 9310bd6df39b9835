import { authorities } from "../../../contract/memory.ts";
import { type OwnWords, own, quotedField } from "../../../contract/own-words.ts";
import type * as contract from "../../../contract/project-context.ts";
import type { Caller } from "../../caller.ts";
import type { ContextBlock } from "../../context/pack-blocks.ts";
import {
  ADOPTED_WORDS,
  authorityWords,
  claimantWords,
  claimWords,
  RELATION_WORDS,
  reviewWords,
} from "../../context/render.ts";
import { isAdopted } from "../../memory/adopted.ts";
import { boundaryOf } from "../../memory/boundary.ts";
import type { MemoryRecord } from "../../memory/memory-record.ts";
import type { whoseOf } from "../../memory/others-word.ts";
import { teamOf } from "../../memory/place.ts";
import { rfc3339, sharedMark, timeOrNull } from "../../memory/present.ts";
import { reviewOf } from "../../memory/review.ts";
import type { ItemMemory, StoredDecision, StoredTodo } from "../workspace-store.ts";
import type { Trust } from "./facts.ts";

/** The answer's type for an entry of each section. */
export interface Answers {
  governance_caveats: contract.GovernanceCaveat;
  suggested_next_actions: contract.NextAction;
  action_items: contract.ActionItem;
  decisions: contract.ContextDecision;
  durable_context: contract.DurableMemory;
  recent_memories: contract.RecentMemory;
  timeline: contract.TimelineEvent;
  agent_states: contract.AgentState;
}

/** How much of an entry the pack shows, and where. */
export interface Shown {
  readonly tokens: number;
  readonly text: string | null;
  readonly truncated: boolean;
  readonly shown_in: contract.ContextDomain | null;
}

/** A block of a pack: an entry of one of its sections. */
export interface EntryOf<D extends contract.ContextDomain> extends ContextBlock {
  readonly domain: D;
  /** The public id of the item; null if the entry is not an item of its own. */
  readonly item: string | null;
  /** The block that shows its text, if this one does not; otherwise null. */
  readonly home: string | null;
  /** True if the entry is useless without its home. */
  readonly isReference: boolean;
  answer(shown: Shown): Answers[D];
}

export type Entry = { [D in contract.ContextDomain]: EntryOf<D> }[contract.ContextDomain];

/** Common members of entries that have only a header line: they are not items and show no stored text. */
export const HEADER_ONLY = {
  item: null,
  home: null,
  isReference: false,
  content: null,
  score: () => 0,
} as const;

/** The id of the block that shows a row in that section. */
export function blockOf(domain: contract.ContextDomain, row: string): string {
  return `${domain}:${row}`;
}

/**
 * The place in a section at which the value is halved, so that many entries of one kind do not displace the first of
 * another.
 */
const HALVED_AT = 10;

/** The value of an entry by its place in its section, from 0. */
export function worth(best: number, place: number): number {
  return best / (1 + place / HALVED_AT);
}

/** A memory, todo or decision, with the members that a pack shows of it. */
export interface Subject extends ItemMemory {
  /** The caller's own metadata, without members of the service. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly dueAt: number | null;
}

export function subjectOf(memory: MemoryRecord): Subject {
  const { agent_name } = memory.provenance;
  const agentName = typeof agent_name === "string" ? agent_name : null;
  return { ...memory, agentName, isAdopted: isAdopted(memory) };
}

export function subjectOfItem({ memory, state }: StoredTodo | StoredDecision): Subject {
  return { ...memory, metadata: state.extra, dueAt: state.dueAt };
}

/** The context in which items are described. */
export interface Describing {
  readonly caller: Caller;
  readonly now: number;
  /** For each row, how far a credential vouches for its author. */
  readonly trusts: ReadonlyMap<string, Trust>;
  /** Names the team and the responsible member of a memory. */
  readonly whose: Awaited<ReturnType<typeof whoseOf>>;
}

const NAME_LENGTH_MAX = 40;
const PATH_LENGTH_MAX = 80;

/** Members of every item of a pack besides its text. */
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
    team_id: teamOf(memory),
    project_id: memory.projectId,
    source: memory.source,
    ...sharedMark(caller, memory),
    created_at: rfc3339(memory.createdAt),
    updated_at: rfc3339(memory.updatedAt),
    review_after: timeOrNull(review.after),
    last_verified_at: timeOrNull(review.lastVerifiedAt),
    claimed_checked_at: timeOrNull(review.claimedAt),
    review_due: review.isDue,
  };
}

export function trustOf(
  { trusts }: Pick<Describing, "trusts">,
  { id, agentId }: Pick<Subject, "id" | "agentId">,
): Trust {
  return trusts.get(id) ?? (agentId === null ? "unattributed" : "client_asserted");
}

/**
 * True if no credential vouches for the author: the request named an agent, but its token was not bound to that agent.
 * Does not apply to the reader's own writes. In a team, an agent's name is not enough to make a write the reader's own,
 * since any member may claim any name.
 */
export function isOfUnverified(describing: Describing, memory: Subject): boolean {
  return isUnverified(describing.caller, { ...memory, trust: trustOf(describing, memory) });
}

/** The same, from the members of a row that are known before it is read in full. */
export function isUnverified(
  { attribution, owner }: Caller,
  author: Pick<Subject, "agentId" | "instanceHash" | "authorId"> & { readonly trust: Trust },
): boolean {
  if (author.trust !== "client_asserted") return false;
  return boundaryOf(attribution, author).relation === "other_agent" || author.authorId !== owner.id;
}

/** Author, path and provenance, in words for a header line. */
export function authorWords(describing: Describing, memory: Subject): (OwnWords | null)[] {
  const { relation } = boundaryOf(describing.caller.attribution, memory);
  const name = authorName(memory);
  const whose = describing.whose(memory);
  const claimant = claimantWords(whose);
  return [
    quotedField(memory.path, PATH_LENGTH_MAX),
    name === null ? null : own`by ${name}`,
    RELATION_WORDS[relation],
    trustOf(describing, memory) === "client_asserted" ? own`unverified author` : null,
    claimant === null ? null : own`word of ${claimant}`,
    claimWords(authorityWords(memory.metadata.authority), claimant),
    ...reviewWords(reviewOf(memory, describing.now), claimant),
  ];
}

/** The note on an adopted item. Every header line has it, however short. */
export function adoptedWords({ isAdopted }: Pick<Subject, "isAdopted">): OwnWords | false {
  return isAdopted && ADOPTED_WORDS;
}

export function authorName({ agentName, agentId, source }: Subject): OwnWords | null {
  return named(agentName ?? agentId ?? source ?? "");
}

/** A stored name, quoted for a header line. */
export function named(name: string): OwnWords | null {
  return quotedField(name, NAME_LENGTH_MAX);
}
