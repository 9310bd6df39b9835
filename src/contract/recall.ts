import { z } from "zod";
import { asOf, filterFields, sessions } from "./filter.ts";
import { conflictReason, memoryItem, memoryScopes } from "./memory.ts";
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

const passage = z
  .object({ start: z.int().min(0), end: z.int().min(1) })
  .meta({ id: "Passage" })
  .nullable()
  .meta({
    description:
      "Where in content is what matches best, from start to before end in UTF-16 code units. null: the memory is short, so that it is all of it, or it is answered as of a past instant",
  });

const searchResult = memoryItem
  .extend({
    passage,
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
    degraded: z.array(z.string()).optional().meta({ description: "What did not take part that should have" }),
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
  .extend({ passage, score: unitInterval, tokens: z.int(), truncated: z.boolean() })
  .meta({ id: "ContextItem" });

/** What both versions of the context have. */
const contextCore = {
  query: z.string(),
  budget,
  items: z.array(contextItem),
  context_text: z.string(),
};

const omittedItem = z
  .object({
    id: publicId,
    tokens: z.int().meta({ description: "What it would cost whole" }),
    reason: z
      .string()
      .meta({ description: "token_budget or item_limit; repetition where another one says all of it" }),
    repeats: publicId.optional().meta({ description: "Of a repetition: the memory that says all of it" }),
  })
  .meta({ id: "OmittedItem" });

/** Memories that contradict each other in what they answer. */
const contextConflict = z
  .object({
    ids: z.array(publicId).meta({ description: "Of both or all sides, the newest first" }),
    reason: conflictReason,
    same_author: z.boolean().meta({ description: "One author, by one agent, wrote all of them" }),
  })
  .meta({ id: "ContextConflict" });
export type ContextConflict = z.infer<typeof contextConflict>;

const ownersContext = z
  .object({
    version: z.literal("value-density-v2"),
    ...contextCore,
    retrieval_plan: retrievalPlan,
    answer_status: z.enum(answerStatuses),
    conflicts: z.array(contextConflict).meta({
      description:
        "What was found and contradicts itself on the question; first what one author wrote, then the newest",
    }),
    coverage: unitInterval,
    omitted: z.array(omittedItem).meta({
      description: "The best that did not fit, at most five, then every memory left out as a repetition",
    }),
  })
  .meta({ id: "OwnersContext" });

const temporaryAgentsContext = z
  .object({ version: z.literal("1.0"), ...contextCore })
  .meta({ id: "TemporaryAgentsContext", description: "What an agent that nobody has bound yet is answered" });

export const contextAnswer = z.union([ownersContext, temporaryAgentsContext]).meta({ id: "ContextAnswer" });
export type ContextAnswer = z.infer<typeof contextAnswer>;

export const whyRequest = searchRequest
  .omit({ explain: true, limit: true, prefer_working: true })
  .extend({
    memory_id: publicId,
    limit: z.int().min(1).max(1000).nullish().meta({
      description: "As of a search; of a pack the hits considered. Without it a search's answer has no end",
    }),
    max_items: recallContextRequest.shape.max_items.unwrap().nullish().meta({
      description:
        "With it or max_tokens: why of a context pack, with what a pack does unless told otherwise",
    }),
    max_tokens: recallContextRequest.shape.max_tokens.unwrap().nullish(),
    prefer_working: z
      .boolean()
      .nullish()
      .meta({ description: "Unless given: false for a search, true for a pack" }),
    include_knowledge: z
      .boolean()
      .nullish()
      .meta({ description: "Unless given: a search includes what the credential may read, a pack does not" }),
  })
  .meta({ id: "RecallWhyRequest" });
export type WhyRequest = z.infer<typeof whyRequest>;

export const whyOutcomes = [
  "found",
  "filtered",
  "not_proposed",
  "below_threshold",
  "beyond_limit",
  "omitted",
] as const;

const place = z.int().min(1);

export const whyAnswer = z
  .object({
    id: publicId,
    found: z.boolean().meta({ description: "Whether the search's answer has it, or the pack" }),
    outcome: z.enum(whyOutcomes).meta({
      description:
        "How far it comes: left out by filters, proposed by no retriever, below the threshold, beyond the limit, or left out of the pack",
    }),
    rank: z.int().nullable().meta({ description: "Its place among the candidates, from 1" }),
    score: unitInterval.nullable(),
    passage,
    signals: z.record(z.string(), z.number()),
    reasons: z.array(z.string()).meta({ description: "All of it in words" }),
    filters: z
      .array(z.object({ filter: z.string(), asked: z.string(), has: z.string().nullable() }))
      .meta({ description: "The filters that leave it out: what each asks for, and what the memory has" }),
    proposed_by: z
      .object({
        words: place.nullable().meta({ description: "Its place among the memories with the query's words" }),
        vector: place.nullable().meta({ description: "Its place among those near in meaning" }),
        exact: place
          .nullable()
          .meta({ description: "Its place among those that have what the query quotes or identifies" }),
        newest: z.boolean(),
        neighbour: z.boolean().meta({ description: "It is next to one in its session that was proposed" }),
        full_text: z
          .boolean()
          .meta({ description: "The database's search, where the index lacks the owner" }),
      })
      .nullable(),
    superseded_by: publicId.nullable(),
    repetition_of: publicId.nullable().meta({ description: "The item of the pack that says it already" }),
    pack: z
      .object({ place: place.nullable(), tokens: z.int().nullable(), truncated: z.boolean() })
      .nullable()
      .meta({ description: "Its place in the pack, where it is asked for, and what it costs there" }),
    degraded: z.array(z.string()).optional().meta({ description: "What did not take part" }),
  })
  .meta({ id: "RecallWhyAnswer" });
export type WhyAnswer = z.infer<typeof whyAnswer>;

export const feedbackRequest = z
  .object({ memory_id: publicId, helpful: z.boolean(), query: query.nullish() })
  .meta({ id: "RecallFeedbackRequest" });

export const feedbackAnswer = z
  .object({ id: publicId, status: z.literal("recorded"), confidence: unitInterval.optional() })
  .meta({ id: "RecallFeedbackAnswer" });
