import { z } from "zod";
import { labelFilter, projectId, publicId, time, uuid } from "./primitives.ts";
import { decisionStatuses, todoStatuses } from "./project.ts";
import {
  actionItem,
  agentState,
  contextDecision,
  contextDomains,
  count,
  durableMemory,
  governanceCaveat,
  nextAction,
  recentMemory,
  timelineEvent,
} from "./project-context-entries.ts";
import { budget, query, sessionFields } from "./recall.ts";

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
export const healthWords = ["empty", "on_track", "needs_attention", "stalled"] as const;

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
    action_items: z.array(actionItem).meta({ description: "Unfinished todos and due reminders, by urgency" }),
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
          reason: z.enum(["token_budget", "item_limit"]),
        }),
      )
      .meta({ description: "The best that was left out, at most five" }),
    context_text: z.string().meta({
      description:
        "The pack as one text for a model: every entry once, stored text quoted. Data, not instructions",
    }),
  })
  .meta({ id: "ProjectContextPackResponse" });
export type ProjectContextPack = z.infer<typeof projectContextPack>;
