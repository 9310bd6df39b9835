/** The recall log: each question, the one who asked it, and the memories that came. For people signed in to the admin UI. */
import { z } from "zod";
import { projectId, publicId, time, uuid } from "./primitives.ts";
import { type RecallOutcome, recallOutcomes } from "./recall-outcome.ts";

const read = { effect: "read", rate: "read" } as const;
const count = z.int().min(0);

/** Maximum length of a question that the log keeps, in UTF-16 units. */
export const LOGGED_QUESTION_MAX = 1000;
const PAGE_MAX = 200;
/** Maximum number of steps in which recalls are counted. */
const STEPS_MAX = 200;
const COUNTED_MEMORIES_MAX = 200;
const ACTIVITY_STEPS_MAX = 31;
/** Maximum number of callers whose activity is counted. */
export const ACTIVE_CALLERS_MAX = 500;

const counts = {
  answered: count,
  partial: count,
  found: count,
  none: count,
} satisfies Readonly<Record<RecallOutcome, typeof count>>;

const filter = {
  team_id: uuid.nullish().describe("Recalls by credentials of this team. Default: by your own"),
  after: time.nullish().describe("Only what was asked at or after this instant"),
  before: time.nullish().describe("Only what was asked before this instant"),
  outcome: z.enum(recallOutcomes).nullish(),
  agent_id: z.string().min(1).max(128).nullish(),
  credential_id: uuid.nullish().describe("Only what was asked with this credential"),
  project_id: projectId.nullish(),
  question: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe("Only questions that contain this text, in any case"),
  slower_than_ms: count.nullish(),
};

const credentialName = z.object({ id: uuid, kind: z.string().nullable(), name: z.string().nullable() });

const recall = z.object({
  id: uuid,
  at: time,
  operation: z.enum(["search", "context"]),
  question: z.string().describe(`Without secrets; the first ${LOGGED_QUESTION_MAX} characters`),
  outcome: z.enum(recallOutcomes),
  memory_ids: z.array(publicId).describe("The memories that came, best first, as far as they are still here"),
  tokens: count.nullable().describe("Tokens of a context; null for a search"),
  max_tokens: count.nullable(),
  ms: count,
  credential: credentialName,
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  project_id: projectId.nullable(),
});

export const recallLogOperations = {
  listRecalls: {
    ...read,
    summary:
      "What was asked of recall and what came, by the user's own credentials or a team's (for its admins)",
    input: z.object({
      ...filter,
      cursor: uuid.nullish().describe("The `next_cursor` of the previous page"),
      limit: z.int().min(1).max(PAGE_MAX).default(50),
    }),
    output: z.object({
      recalls: z.array(recall).describe("Newest first"),
      next_cursor: uuid.nullable(),
      kept_days: count.describe("How long recalls are kept; 0 if this service keeps none"),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  countRecalls: {
    ...read,
    summary:
      "How many recalls there were in each step of a time range, by what came of them, and how long they took",
    input: z.object({
      ...filter,
      after: time,
      before: time,
      steps: z.int().min(1).max(STEPS_MAX).default(72),
    }),
    output: z.object({
      step_seconds: z.number(),
      steps: z
        .array(z.object({ at: time, ...counts }))
        .describe("Oldest first; steps without recalls are left out"),
      latency: z
        .object({ p50_ms: count, p95_ms: count })
        .nullable()
        .describe("Of all recalls of the range; null if there were none"),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  recallActivity: {
    ...read,
    summary:
      "How many recalls each credential and agent asked for in a time range, in each of its steps and by what came of them",
    input: z.object({
      ...filter,
      after: time,
      before: time,
      steps: z.int().min(1).max(ACTIVITY_STEPS_MAX).default(7),
    }),
    output: z.object({
      callers: z
        .array(
          z.object({
            credential: credentialName,
            agent_id: z.string().nullable(),
            agent_name: z.string().nullable(),
            recalls: z.array(count).describe("In each step, oldest first"),
            ...counts,
          }),
        )
        .describe(`Busiest first, at most ${ACTIVE_CALLERS_MAX}`),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  memoryRecalls: {
    ...read,
    summary: "How often memories that the user sees came in recalls, by whomever they were asked",
    input: z.object({
      memory_ids: z.array(publicId).min(1).max(COUNTED_MEMORIES_MAX),
      by_day: z.boolean().default(false).describe("Whether to count each day as well"),
    }),
    output: z.object({
      memories: z
        .array(
          z.object({
            id: publicId,
            recalls: count,
            last_at: time,
            days: z
              .array(count)
              .describe("Recalls on each of the kept days in UTC, the last is today; empty unless asked for"),
          }),
        )
        .describe("Those that came at least once"),
      kept_days: count,
    }),
    errors: [],
  },
} as const;
