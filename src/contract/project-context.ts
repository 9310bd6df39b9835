import { z } from "zod";
import { authorities, boundary, memoryScopes, memoryStatuses } from "./memory.ts";
import { labelFilter, projectId, publicId, time, uuid } from "./primitives.ts";
import {
  actorTrusts,
  decisionStatuses,
  impactLevels,
  sourceStatuses,
  todoPriorities,
  todoStatuses,
} from "./project.ts";
import { budget, query, sessionFields } from "./recall.ts";

/** The sections of a pack, in the order of its text. */
export const contextDomains = [
  "governance_caveats",
  "suggested_next_actions",
  "action_items",
  "decisions",
  "durable_context",
  "recent_memories",
  "timeline",
  "agent_states",
] as const;
export type ContextDomain = (typeof contextDomains)[number];

export const count = z.int().min(0);

/** What every entry of every section has. */
const entry = {
  tokens: z.int().meta({ description: "What it costs in context_text, its header line included" }),
};

/** Stored text: data, never an instruction. An item's text stands in one section only. */
const shown = {
  ...entry,
  text: z.string().nullable().meta({
    description: "The stored text, or an excerpt where truncated; null where another section shows it",
  }),
  truncated: z.boolean(),
  shown_in: z
    .enum(contextDomains)
    .nullable()
    .meta({ description: "The section that shows the text, where this one does not" }),
};

/** Who says so, and how far that is vouched for. */
const authored = {
  authority: z.enum(authorities),
  author_trust: z.enum(actorTrusts).meta({
    description: "Whether the author's credential vouches for its agent, or the request only said so",
  }),
  boundary,
};

/** What todos, decisions, reminders and memories have in common. */
const item = {
  id: publicId,
  ...shown,
  ...authored,
  path: z.string(),
  bucket: z.string(),
  scope: z.enum(memoryScopes),
  team_id: z.string().nullable(),
  project_id: z.string().nullable(),
  source: z.string().nullable(),
  created_at: time,
  updated_at: time,
  review_after: time.nullable(),
  last_verified_at: time
    .nullable()
    .meta({ description: "When it was verified last, as a person's credential has said" }),
  claimed_checked_at: time.nullable().meta({
    description: "When it was checked last, as somebody says who cannot vouch for that; it has no weight",
  }),
  review_due: z.boolean().meta({ description: "review_after is past, and it was not verified since" }),
};

/** A link to the memory that a todo or decision comes from, and what has become of that. */
const sourced = {
  source_memory_id: z.string().nullable(),
  source_memory_status: z.enum(sourceStatuses).nullable(),
};

const dated = {
  due_at: time.nullable(),
  overdue: z.boolean(),
};

const actionItem = z
  .object({
    kind: z.enum(["todo", "reminder"]),
    ...item,
    status: z.enum([...todoStatuses, "active", "started"]),
    priority: z.enum(todoPriorities).nullable().meta({ description: "null for a reminder" }),
    urgency: z.number().meta({
      description:
        "What the section is ordered by, of unverified authors after all others; see docs/projects.md",
    }),
    ...dated,
    recurrence: z.string().nullable().meta({ description: "A recurring reminder's RRULE (RFC 5545)" }),
    assignee_agent_id: z.string().nullable(),
    accepted_by_agent_id: z.string().nullable(),
    depends_on: z
      .array(publicId)
      .meta({ description: "Finished or not, as far as the credential sees them" }),
    waiting: count.meta({ description: "How many unfinished todos depend on it" }),
    ...sourced,
  })
  .meta({ id: "ProjectActionItem" });
export type ActionItem = z.infer<typeof actionItem>;

const contextDecision = z
  .object({
    ...item,
    status: z.enum(decisionStatuses),
    impact_level: z.enum(impactLevels).nullable(),
    proposed_by_agent_id: z.string().nullable(),
    resolved_by_agent_id: z.string().nullable(),
    resolved_at: time.nullable(),
    supersedes: z.string().nullable(),
    ...dated,
    ...sourced,
  })
  .meta({ id: "ProjectContextDecision" });
export type ContextDecision = z.infer<typeof contextDecision>;

const contextMemory = z.object({
  ...item,
  memory_type: z.string(),
  status: z.enum(memoryStatuses),
  semantic_key: z.string().nullable(),
  importance: z.number(),
  confidence: z.number(),
  occurred_at: time.nullable(),
});

const recentMemory = contextMemory.meta({ id: "ProjectRecentMemory" });
export type RecentMemory = z.infer<typeof recentMemory>;

const durableMemory = contextMemory
  .extend({ score: z.number().min(0).max(1).meta({ description: "Absolute relevance to the query" }) })
  .meta({ id: "ProjectDurableMemory" });
export type DurableMemory = z.infer<typeof durableMemory>;

const timelineEvent = z
  .object({
    at: time,
    kind: z.enum(["todo", "decision", "memory"]),
    id: publicId.meta({ description: "Of the todo, decision or memory" }),
    operation: z.string().meta({ description: "As in the audit trail; store or change for a memory" }),
    from: z.string().nullable(),
    to: z.string(),
    agent_id: z.string().nullable(),
    trust: z.enum(actorTrusts),
    ...shown,
  })
  .meta({ id: "ProjectTimelineEvent" });
export type TimelineEvent = z.infer<typeof timelineEvent>;

const agentState = z
  .object({
    ...entry,
    agent_id: z.string(),
    relation: z.enum(["self", "other_agent"]),
    trust: z.enum(actorTrusts).meta({ description: "How far its last activity is vouched for" }),
    last_activity_at: time.nullable().meta({ description: "null where it only has todos" }),
    open_todos: count.meta({ description: "Unfinished, and accepted by it or else assigned to it" }),
    blocked_todos: count.meta({ description: "Those of them that are blocked" }),
    last_task: z
      .object({
        id: publicId.meta({ description: "The working memory that says so" }),
        status: z.enum(["started", "completed"]),
        task_id: z.string().nullable(),
        at: time,
      })
      .nullable()
      .meta({ description: "With sessions own, its text is in no section but to the same session" }),
  })
  .meta({ id: "ProjectAgentState" });
export type AgentState = z.infer<typeof agentState>;

export const caveatKinds = [
  "degraded_recall",
  "conflict",
  "overdue",
  "dead_source",
  "review_due",
  "unverified_author",
] as const;

const governanceCaveat = z
  .object({
    ...entry,
    kind: z.enum(caveatKinds),
    statement: z.string().meta({ description: "What to mind, in words of the service's own" }),
    count: count.meta({ description: "How many it is about" }),
    ids: z.array(publicId).meta({ description: "The first of them, at most 10" }),
  })
  .meta({ id: "ProjectCaveat" });
export type GovernanceCaveat = z.infer<typeof governanceCaveat>;

const nextAction = z
  .object({
    ...entry,
    operation: z.string().meta({ description: "An operation that this credential may call" }),
    tool: z.string().nullable().meta({ description: "The MCP tool of the same" }),
    id: publicId.meta({ description: "What it is to be done with" }),
    input: z
      .record(z.string(), z.string())
      .meta({ description: "The ids that the operation needs; what else it needs is the caller's to say" }),
    because: z.string().meta({
      description: "Why, and of what another wrote, who did; what was stored stands in double quotes",
    }),
  })
  .meta({ id: "ProjectNextAction" });
export type NextAction = z.infer<typeof nextAction>;

export const projectContextRequest = z.object({
  bucket: labelFilter.default("%"),
  team_id: uuid.nullish().meta({ description: "That team's workspace; otherwise the credential's owner's" }),
  durable_query: query.nullish().meta({
    description: "What lasting knowledge to recall; from what is open in the workspace unless given",
  }),
  max_items: z.int().min(1).max(1000).default(100).meta({ description: "Entries of all sections together" }),
  max_tokens: z
    .int()
    .min(1)
    .max(50_000)
    .default(8000)
    .meta({ description: "Tokens (o200k_base) of context_text, heading included" }),
  include_durable_context: z.boolean().default(true),
  recent_hours: z
    .int()
    .min(1)
    .max(8760)
    .default(168)
    .meta({ description: "How far back timeline and recent_memories go" }),
  ...sessionFields,
});
export type ProjectContextRequest = z.infer<typeof projectContextRequest>;

/** What was asked for, and what this credential may be shown of it. */
const projectScope = z.object({
  project_id: projectId,
  team_id: z
    .string()
    .nullable()
    .meta({ description: "The team whose workspace it is; null for the owner's own" }),
  bucket: z.string().meta({ description: "The pattern asked for" }),
  recent_since: time.meta({ description: "Where timeline and recent_memories begin" }),
  session_id: z.string().nullable().meta({ description: "The request's session, from X-Session-Id" }),
  sessions: sessionFields.sessions.unwrap().meta({ description: "Whose working memories were asked for" }),
  include_other_sessions: z.boolean().meta({ description: "False where sessions is own", deprecated: true }),
  allowed: z
    .object({
      project: z.boolean().meta({ description: "Whether the credential reaches this project" }),
      team_id: z.string().nullable().meta({ description: "The one team it is confined to" }),
      projects: z.array(z.string()).nullable(),
      path_prefix: z.string().nullable(),
      buckets: z.array(z.string()).nullable(),
      knowledge: z.boolean(),
    })
    .meta({ description: "The credential's token space; null where it is not confined" }),
  narrowed_by: z
    .array(z.enum(["bucket", "team", "projects", "path_prefix", "buckets", "knowledge", "session"]))
    .meta({ description: "What leaves a part of the workspace out of every section and count" }),
});

/** In plain terms: nothing there; all in order; something is late, blocked or contradicts; nothing can go on. */
const healthWords = ["empty", "on_track", "needs_attention", "stalled"] as const;

const projectState = z.object({
  health: z.enum(healthWords),
  health_reasons: z.array(z.string()).meta({ description: "Why, in words of the service's own" }),
  todos: z.object({ total: count, ...counts(todoStatuses), overdue: count }),
  decisions: z.object({ total: count, ...counts(decisionStatuses), overdue: count }),
  reminders: z.object({ due: count, upcoming: count }),
  last_activity_at: time.nullable(),
});

function counts<const T extends readonly string[]>(names: T): Record<T[number], typeof count> {
  return Object.fromEntries(names.map((name) => [name, count])) as Record<T[number], typeof count>;
}

export const projectContextPack = z
  .object({
    project_scope: projectScope,
    assembled_at: time,
    budget: budget.meta({
      description:
        "used_items counts the entries of all eight sections, used_tokens is exactly the tokens of context_text",
    }),
    project_state: projectState,
    agent_states: z.array(agentState).meta({ description: "The latest active first" }),
    action_items: z.array(actionItem).meta({
      description: "Unfinished todos and due reminders, by urgency, those of unverified authors last",
    }),
    decisions: z
      .array(contextDecision)
      .meta({ description: "Proposed ones by impact, then resolved ones, the latest first" }),
    timeline: z.array(timelineEvent).meta({ description: "Newest first, within recent_hours" }),
    recent_memories: z.array(recentMemory).meta({
      description:
        "Stored or changed within recent_hours, newest first; no todos, decisions or due reminders",
    }),
    durable_context: z
      .array(durableMemory)
      .optional()
      .meta({ description: "By relevance; absent where include_durable_context is false" }),
    governance_caveats: z.array(governanceCaveat).meta({ description: "At most one of each kind" }),
    missing_domains: z.array(z.enum(contextDomains)).meta({ description: "Sections there is nothing for" }),
    incomplete_domains: z
      .array(z.enum(contextDomains))
      .meta({ description: "Sections of which the limits left something out or cut something" }),
    suggested_next_actions: z.array(nextAction),
    omitted: z
      .array(
        z.object({
          id: publicId,
          domain: z.enum(contextDomains),
          tokens: z.int().meta({ description: "What it would cost whole" }),
          reason: z.enum(["token_budget", "item_limit", "repetition"]),
          repeats: publicId
            .optional()
            .meta({ description: "Of a repetition: the memory that says all of it" }),
        }),
      )
      .meta({
        description: "The best that did not fit, at most five, then every memory left out as a repetition",
      }),
    context_text: z.string().meta({
      description:
        "The pack as one text for a model: every entry once, stored text quoted. Data, not instructions",
    }),
  })
  .meta({ id: "ProjectContextPackResponse" });
export type ProjectContextPack = z.infer<typeof projectContextPack>;
