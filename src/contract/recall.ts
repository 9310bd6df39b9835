import { z } from "zod";
import { sharedMember } from "./end-user-member.ts";
import { asOf, filterFields, sessions } from "./filter.ts";
import { conflictReason, memoryItem } from "./memory.ts";
import { instant, labelFilter, publicId, text, timeZone, unitInterval } from "./primitives.ts";

export const query = text(1, 65_536).meta({
  description: "What to recall: a question, a message or keywords",
  examples: ["Where is the staging database?"],
});

/** When the question was asked, for words like "last week". */
const askedFields = {
  asked_at: instant.nullish().meta({ description: "When the question is asked. Default: now" }),
  time_zone: timeZone.nullish().meta({ description: "The time zone of whoever asks. Default: UTC" }),
};

export const sessionFields = {
  sessions,
  include_other_sessions: z
    .boolean()
    .optional()
    .meta({ description: "Has no effect; use sessions instead", deprecated: true }),
};

export const searchRequest = z
  .object({
    query,
    limit: z.int().min(1).max(100).default(5),
    cursor: text(1, 3)
      .regex(/^[1-9]\d{0,2}$/, { error: "must be the next_cursor of an answer to the same request" })
      .nullish()
      .meta({
        description:
          "next_cursor of an answer to the same request: goes on with the rest of its `limit` results",
      }),
    threshold: unitInterval
      .nullish()
      .meta({ description: "The lowest score to return, on a scale that is comparable between queries" }),
    ...filterFields,
    explain: z.boolean().default(false).meta({ description: "Add signals and reasons to each result" }),
    prefer_working: z.boolean().default(false),
    ...sessionFields,
    candidate_count: z
      .int()
      .min(1)
      .max(1000)
      .nullish()
      .meta({ description: "The number of candidates from each retriever" }),
    as_of: asOf,
    ...askedFields,
    ...sharedMember,
    retrievers: z.enum(["hybrid", "lexical", "dense"]).default("hybrid").meta({
      description: "lexical or dense uses that retriever alone, without the ranker, for comparison",
    }),
  })
  .meta({ id: "SearchRequest" });
export type SearchRequest = z.infer<typeof searchRequest>;

const passage = z
  .object({ start: z.int().min(0), end: z.int().min(1) })
  .meta({ id: "Passage" })
  .nullable()
  .meta({
    description:
      "The part of content that matches best, from start up to but not including end, in UTF-16 code units. null if the memory is short enough to be a single passage, or if the answer is as of a past instant",
  });

const searchResult = memoryItem
  .extend({
    passage,
    score: unitInterval.meta({
      description: "Absolute relevance. Results are ordered by the ranker, not by this",
    }),
    explanation: z
      .object({
        rank_score: z.number().meta({ description: "The results are ordered by this" }),
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
      description: "The smallest share of the visible memories that any retriever could consider",
    }),
    degraded: z
      .array(z.string())
      .optional()
      .meta({ description: "The parts of recall that should have taken part but could not" }),
    next_cursor: z.string().optional().meta({
      description: "Where the rest of the results begins; absent unless all of them exceed about 1 MiB",
    }),
  })
  .meta({ id: "SearchAnswer" });
export type SearchAnswer = z.infer<typeof searchAnswer>;

/** The forms of a context text. */
const contextFormats = ["standard", "compact"] as const;

export const recallContextRequest = z
  .object({
    query,
    ...filterFields,
    memory_type: labelFilter
      .default("auto")
      .meta({ description: "auto: the planner chooses, and retrieval_plan says what" }),
    max_items: z.int().min(1).max(1000).default(8),
    max_tokens: z.int().min(1).max(50_000).default(1500),
    prefer_working: z.boolean().default(true),
    ...sessionFields,
    include_knowledge: z.boolean().default(false),
    threshold: unitInterval.nullish(),
    limit: z.int().min(1).max(1000).nullish().meta({ description: "The most hits to consider" }),
    as_of: asOf,
    format: z.enum(contextFormats).default("standard").meta({
      description:
        "The form of context_text. compact: one line for each memory, `YYMMDD, authority id> content`, with the short id that the item has as ref; an observation's authority is left out",
    }),
    full: z.boolean().default(false).meta({
      description: "Return each item's whole content. Default: what context_text shows of it",
    }),
    ...askedFields,
    ...sharedMember,
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

/** Members of a memory as a context text shows it. */
export const packedMembers = {
  content: z.string().meta({
    description: "The memory as context_text shows it: an excerpt if truncated",
  }),
  ref: z.string().optional().meta({
    description: "With form compact: the id that context_text uses for it, valid in this answer only",
  }),
  tokens: z.int(),
  truncated: z
    .boolean()
    .meta({ description: "context_text shows an excerpt; GET /v1/memories/{memory_id} has all of it" }),
  reduced: z.literal(true).optional().meta({
    description:
      "To keep the answer below about 1 MiB, content is what context_text shows, and metadata and provenance are left out",
  }),
  team_name: z.string().nullable().meta({
    description: "The name of the team that it belongs to, for a user's credential; null for the user's own",
  }),
  claimed_by: z.string().nullable().meta({
    description:
      "The team member who set its importance, authority and review dates; null if it was the caller. Set by others, they count for less",
  }),
};

const contextItem = memoryItem
  .extend({
    ...packedMembers,
    content: packedMembers.content.meta({
      description: "The memory as context_text shows it: an excerpt if truncated. All of it with full",
    }),
    passage: passage.meta({
      description:
        "The part of the memory that matches best, in UTF-16 code units of its whole content. null if the memory is a single passage, or if the answer is as of a past instant",
    }),
    score: unitInterval,
  })
  .meta({ id: "ContextItem" });

/** Members of both versions of the context. */
const contextCore = {
  query: z.string(),
  budget,
  items: z.array(contextItem),
  context_text: z.string(),
};

const omittedItem = z
  .object({
    id: publicId,
    tokens: z.int().meta({ description: "Tokens it would take in full" }),
    reason: z.string().meta({
      description: "token_budget, item_limit, or repetition if another memory already says all of it",
    }),
    repeats: publicId
      .optional()
      .meta({ description: "For a repetition: the memory that already says all of it" }),
  })
  .meta({ id: "OmittedItem" });

/** Memories that contradict each other in their answer. */
export const contextConflict = z
  .object({
    ids: z.array(publicId).meta({ description: "The memories on every side, newest first" }),
    reason: conflictReason,
    same_author: z
      .boolean()
      .meta({ description: "Whether one author, through one agent, wrote all of them" }),
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
        "Memories found that contradict each other on the question; those by one author first, then the newest",
    }),
    coverage: unitInterval,
    omitted: z.array(omittedItem).meta({
      description: "The best that did not fit, at most five, then every memory left out as a repetition",
    }),
  })
  .meta({ id: "OwnersContext" });

const temporaryAgentsContext = z
  .object({ version: z.literal("1.0"), ...contextCore })
  .meta({ id: "TemporaryAgentsContext", description: "The answer to an agent that has not been bound yet" });

export const contextAnswer = z.union([ownersContext, temporaryAgentsContext]).meta({ id: "ContextAnswer" });
export type ContextAnswer = z.infer<typeof contextAnswer>;

export const whyRequest = searchRequest
  .omit({ explain: true, limit: true, cursor: true, prefer_working: true })
  .extend({
    memory_id: publicId,
    limit: z.int().min(1).max(1000).nullish().meta({
      description: "For a search, its limit (default: none); for a pack, the most hits to consider",
    }),
    max_items: recallContextRequest.shape.max_items.unwrap().nullish().meta({
      description:
        "If this or max_tokens is given, explains a context pack instead of a search, with a pack's defaults",
    }),
    max_tokens: recallContextRequest.shape.max_tokens.unwrap().nullish(),
    prefer_working: z
      .boolean()
      .nullish()
      .meta({ description: "Default: false for a search, true for a pack" }),
    include_knowledge: z.boolean().nullish().meta({
      description: "Default: a search includes the knowledge that the credential may read, a pack does not",
    }),
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
    found: z.boolean().meta({ description: "Whether the answer to the search, or the pack, includes it" }),
    outcome: z.enum(whyOutcomes).meta({
      description:
        "How far it got: filtered out, proposed by no retriever, below the threshold, beyond the limit, left out of the pack, or found",
    }),
    rank: z.int().nullable().meta({ description: "Its place among the candidates, counted from 1" }),
    score: unitInterval.nullable(),
    passage,
    signals: z.record(z.string(), z.number()),
    reasons: z.array(z.string()).meta({ description: "The explanation in words" }),
    filters: z
      .array(z.object({ filter: z.string(), asked: z.string(), has: z.string().nullable() }))
      .meta({ description: "The filters that exclude it: what each requires, and what the memory has" }),
    proposed_by: z
      .object({
        words: place
          .nullable()
          .meta({ description: "Its place among the memories that share words with the query" }),
        vector: place.nullable().meta({ description: "Its place among those close in meaning" }),
        exact: place
          .nullable()
          .meta({ description: "Its place among those that contain what the query quotes or identifies" }),
        newest: z.boolean(),
        neighbour: z
          .boolean()
          .meta({ description: "Whether it is next to a proposed memory of the same session" }),
        full_text: z.boolean().meta({
          description:
            "Whether the database's own search proposed it, because the index does not have the owner",
        }),
      })
      .nullable(),
    superseded_by: publicId.nullable(),
    repetition_of: publicId.nullable().meta({ description: "The item of the pack that already says it" }),
    pack: z
      .object({ place: place.nullable(), tokens: z.int().nullable(), truncated: z.boolean() })
      .nullable()
      .meta({ description: "If a pack was requested: its place in the pack and the tokens it takes" }),
    degraded: z
      .array(z.string())
      .optional()
      .meta({ description: "The parts of recall that could not take part" }),
  })
  .meta({ id: "RecallWhyAnswer" });
export type WhyAnswer = z.infer<typeof whyAnswer>;

export const feedbackRequest = z
  .object({ memory_id: publicId, helpful: z.boolean(), query: query.nullish() })
  .meta({ id: "RecallFeedbackRequest" });

export const feedbackAnswer = z
  .object({ id: publicId, status: z.literal("recorded"), confidence: unitInterval.optional() })
  .meta({ id: "RecallFeedbackAnswer" });
