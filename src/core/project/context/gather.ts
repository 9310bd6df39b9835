import type { ProjectContextRequest } from "../../../contract/project-context.ts";
import type { Caller } from "../../caller.ts";
import { duplicateFilter } from "../../context/near-duplicates.ts";
import { memoryFilter } from "../../memory/memory-filter.ts";
import { type Hit, type Retrieval, retrieve } from "../../recall/retrieve.ts";
import type { RetrievePorts } from "../../recall/retrieve-request.ts";
import { RETRIEVERS } from "../../recall/search.ts";
import type { Workspace } from "../workspace-store.ts";
import type { ContextFacts } from "./facts.ts";

/** Lasting knowledge that a pack considers; more would seldom fit and costs reading. Less where nobody asked for it. */
const HITS_MAX = { asked: 50, unasked: 30 };
/** Without a question nobody asked, what only just matches is not worth showing. */
const NOISE_MAX = 0.03;
/** A question made of so many beginnings says what a workspace is about. */
const TOPICS_MAX = 8;
const TOPIC_LENGTH_MAX = 120;

/** What was recalled for a pack. */
export interface Durable {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** How many were found before near-duplicates were dropped. */
  readonly found: number;
  readonly degraded: readonly string[];
}

export const NOTHING_RECALLED: Durable = { query: "", hits: [], found: 0, degraded: [] };

/**
 * The lasting knowledge of a workspace: on the question, or, where there is none, on what is open in the workspace; then
 * without todos and decisions and what is recent, which have sections of their own.
 */
export async function recallDurable(
  ports: RetrievePorts,
  caller: Caller,
  ask: {
    readonly input: ProjectContextRequest & { readonly project_id: string };
    readonly workspace: Workspace;
    readonly topics: readonly string[];
    readonly now: number;
    readonly since: number;
  },
): Promise<Durable> {
  const { input, workspace, now, since } = ask;
  const isAsked = input.durable_query != null;
  const query = input.durable_query ?? topicOf(ask.topics, input.project_id);
  const found = await retrieve(ports, caller, {
    query,
    filter: {
      ...memoryFilter(
        caller,
        { bucket: input.bucket, project_id: input.project_id, sessions: input.sessions },
        now,
      ),
      ...ofOwner(caller, workspace),
      withoutItems: !isAsked,
    },
    hitsMax: isAsked ? HITS_MAX.asked : HITS_MAX.unasked,
    scoreMin: 0,
    candidateCount: null,
    retrievers: RETRIEVERS.hybrid,
    prefersWorking: false,
    askedAt: now,
    timeZone: "UTC",
  });
  const hits = found.hits.filter(
    ({ score, memory }) =>
      score >= NOISE_MAX && memory.supersededBy === null && (isAsked || memory.updatedAt < since),
  );
  return { query, hits: distinct(hits), found: hits.length, degraded: degradedIn(found) };
}

/** The workspace's owner alone: a filter without a team would find the caller's teams too. */
function ofOwner(caller: Caller, { ownerId }: Workspace): { teamId: string } | { scope: "private" } {
  return ownerId === caller.owner.id && caller.owner.kind !== "team"
    ? { scope: "private" }
    : { teamId: ownerId };
}

function topicOf(topics: readonly string[], projectId: string): string {
  const beginnings = topics.slice(0, TOPICS_MAX).map((topic) => topic.slice(0, TOPIC_LENGTH_MAX));
  const text = beginnings.join("\n").toWellFormed().trim();
  return text === "" ? projectId : text;
}

function distinct(hits: readonly Hit[]): Hit[] {
  const isDuplicate = duplicateFilter();
  return hits.filter(({ memory, vector }) => {
    return !isDuplicate({ content: memory.content, vector: vector ? Float32Array.from(vector) : null });
  });
}

function degradedIn({ degraded, coverage }: Retrieval): readonly string[] {
  if (degraded.length > 0) return degraded;
  return coverage < 1 ? ["a part of the memories could not be considered"] : [];
}

/** What a workspace is about: what is to be done and decided, else what was stored last. */
export function topicsOf({ todos, decisions, recent }: ContextFacts): readonly string[] {
  const open = [
    ...todos.slice(0, TOPICS_MAX / 2).map(({ state }) => state.content),
    ...decisions.slice(0, TOPICS_MAX / 2).map(({ state }) => state.context),
  ];
  return open.length > 0 ? open : recent.map(({ content }) => content);
}
