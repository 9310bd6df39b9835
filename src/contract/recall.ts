import { z } from "zod";
import { asOf, filterFields, sessions } from "./filter.ts";
import { memoryItem, memoryScopes } from "./memory.ts";
import {
  instant,
  labelFilter,
  pathFilter,
  publicId,
  text,
  timeZone,
  unitInterval,
  uuid,
} from "./primitives.ts";

export const query = text(1, 65_536).meta({
  description: "What to recall: a question, a message or words",
  examples: ["Where is the staging database?"],
});

/** When the question was asked, for words like "last week". */
const askedFields = {
  asked_at: instant.nullish().meta({ description: "When it is asked; now unless given" }),
  time_zone: timeZone.nullish().meta({ description: "Where it is asked; UTC unless given" }),
};

export const sessionFields = {
  sessions,
  include_other_sessions: z
    .boolean()
    .optional()
    .meta({ description: "Of no effect: other sessions hide nothing. See sessions", deprecated: true }),
};

export const searchRequest = z
  .object({
    query,
    limit: z.int().min(1).max(100).default(5),
    threshold: unitInterval
      .nullish()
      .meta({ description: "The least score, on a scale that means the same for every query" }),
    ...filterFields,
    explain: z.boolean().default(false).meta({ description: "Adds signals and reasons to each result" }),
    prefer_working: z.boolean().default(false),
    ...sessionFields,
    candidate_count: z.int().min(1).max(1000).nullish().meta({ description: "Candidates of each retriever" }),
    as_of: asOf,
    ...askedFields,
    retrievers: z
      .enum(["hybrid", "lexical", "dense"])
      .default("hybrid")
      .meta({ description: "lexical or dense alone, without the ranker: to compare with" }),
  })
  .meta({ id: "SearchRequest" });
export type SearchRequest = z.infer<typeof searchRequest>;

const searchResult = memoryItem
  .extend({
    score: unitInterval.meta({
      description: "Absolute relevance; results are ordered by the ranker, not by it",
    }),
    explanation: z
      .object({
        rank_score: z.number().meta({ description: "What the results are ordered by" }),
        signals: z.record(z.string(), z.number()),
        reasons: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: "SearchResult" });

export const searchAnswer = z
  .object({
    results: z.array(searchResult),
    coverage: unitInterval.meta({
      description: "The least share of the visible memories that every retriever could consider",
    }),
    degraded: z
      .array(z.string())
      .optional()
      .meta({ description: "What did not take part, where coverage is below 1" }),
  })
  .meta({ id: "SearchAnswer" });
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const recallContextRequest = z
  .object({
    query,
    path: pathFilter.default("%"),
    bucket: labelFilter.default("%"),
    memory_type: labelFilter
      .default("auto")
      .meta({ description: "auto: the planner chooses and retrieval_plan says what" }),
    status: filterFields.status,
    max_items: z.int().min(1).max(1000).default(8),
    max_tokens: z.int().min(1).max(50_000).default(1500),
    prefer_working: z.boolean().default(true),
    ...sessionFields,
    include_knowledge: z.boolean().default(false),
    scope: z.enum(memoryScopes).nullish(),
    team_id: uuid.nullish(),
    threshold: unitInterval.nullish(),
    limit: z.int().min(1).max(1000).nullish().meta({ description: "Hits considered" }),
    project_id: filterFields.project_id,
    as_of: asOf,
    ...askedFields,
  })
  .meta({ id: "RecallContextRequest" });
export type RecallContextRequest = z.infer<typeof recallContextRequest>;

const retrievalPlan = z
  .object({
    engine: z.string(),
    retrievers: z.array(z.string()),
    memory_types: z.array(z.string()),
    time_range: z
      .object({ from: z.string().nullable(), to: z.string().nullable(), because: z.string() })
      .nullable(),
    weights: z.record(z.string(), z.number()),
    candidate_count: z.int(),
    degraded: z.array(z.string()),
    because: z.string(),
  })
  .meta({ id: "RetrievalPlan" });
export type RetrievalPlan = z.infer<typeof retrievalPlan>;

export const budget = z
  .object({
    max_items: z.int(),
    max_tokens: z.int(),
    used_items: z.int(),
    used_tokens: z.int(),
    skipped_items: z.int(),
    filtered_items: z.int(),
    structured_skipped_items: z.int(),
    budget_skipped_items: z.int(),
    truncated_items: z.int(),
    candidate_items: z.int(),
    selection_strategy: z.string(),
    budget_tradeoff: z.boolean(),
    token_scope: z.literal("context_text"),
  })
  .meta({ id: "ContextBudget" });
export type Budget = z.infer<typeof budget>;

export const answerStatuses = [
  "confirmed_answer",
  "conflicting_answers",
  "partial_answer",
  "no_confirmed_answer",
  "no_memories",
] as const;

const contextItem = memoryItem
  .extend({ score: unitInterval, tokens: z.int(), truncated: z.boolean() })
  .meta({ id: "ContextItem" });

/** What both versions of the context have. */
const contextCore = {
  query: z.string(),
  budget,
  items: z.array(contextItem),
  context_text: z.string(),
};

const ownersContext = z
  .object({
    version: z.literal("value-density-v2"),
    ...contextCore,
    retrieval_plan: retrievalPlan,
    answer_status: z.enum(answerStatuses),
    coverage: unitInterval,
    omitted: z.array(z.object({ id: publicId, tokens: z.int(), reason: z.string() })),
  })
  .meta({ id: "OwnersContext" });

const temporaryAgentsContext = z
  .object({ version: z.literal("1.0"), ...contextCore })
  .meta({ id: "TemporaryAgentsContext", description: "What an agent that nobody has bound yet is answered" });

export const contextAnswer = z.union([ownersContext, temporaryAgentsContext]).meta({ id: "ContextAnswer" });
export type ContextAnswer = z.infer<typeof contextAnswer>;

export const whyRequest = searchRequest
  .omit({ explain: true, limit: true })
  .extend({ memory_id: publicId })
  .meta({ id: "RecallWhyRequest" });

export const whyAnswer = z
  .object({
    id: publicId,
    found: z.boolean().meta({ description: "Whether this search considers it at all" }),
    rank: z.int().nullable().meta({ description: "Its place among the candidates, from 1" }),
    score: unitInterval.nullable(),
    signals: z.record(z.string(), z.number()),
    reasons: z.array(z.string()),
  })
  .meta({ id: "RecallWhyAnswer" });

export const feedbackRequest = z
  .object({ memory_id: publicId, helpful: z.boolean(), query: query.nullish() })
  .meta({ id: "RecallFeedbackRequest" });

export const feedbackAnswer = z
  .object({ id: publicId, status: z.literal("recorded"), confidence: unitInterval.optional() })
  .meta({ id: "RecallFeedbackAnswer" });
