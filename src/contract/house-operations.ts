/** What a session may see of how the service keeps house, its figures, its health and index, and who did what; and may mend. */
import { z } from "zod";
import { figuresAnswer, figuresRequest } from "./figures.ts";
import { projectId, publicId, time, uuid } from "./primitives.ts";
import { rateCategories } from "./rate-limit.ts";

const read = { effect: "read", rate: "read" } as const;
const write = { effect: "write", rate: "write" } as const;

const dependency = z.object({
  name: z.string(),
  is_needed: z.boolean().describe("Without it nothing is written or recalled; the others are gone without"),
  why: z.string().nullable().describe("Why it is not as it should be, in a few words; null where it is"),
});

const share = z.number().min(0).max(1);

export const auditLine = z.object({
  id: z.string().describe("Rises with time"),
  at: time,
  operation: z.string(),
  memory_id: publicId.nullable().describe("null where it was about none, or that one is gone for good"),
  token: z.object({ id: uuid, kind: z.string().nullable(), name: z.string().nullable() }).nullable(),
  agent_id: z.string().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).describe("Ids, names of members and counts; never content"),
});
export type AuditLine = z.output<typeof auditLine>;

const count = z.int().min(0);

/** At most so many of what is overdue are named, and so many memories that conflict. */
export const OVERDUE_NAMED_MAX = 5;
export const CONFLICTS_NAMED_MAX = 100;

const overdueItem = z.object({
  id: publicId,
  kind: z.enum(["reminder", "todo"]),
  project_id: projectId.nullable(),
  content: z.string().describe("How it begins"),
  due_at: time,
});

/** At most so many lines at a time. */
const AUDIT_LINES_MAX = 200;

/** At most so many memories are sent to be embedded by one request. */
export const EMBEDDED_AT_ONCE_MAX = 10_000;

export const houseOperations = {
  figures: {
    ...read,
    summary: "The figures of the user's own memories, or of a team's, over a range of time",
    input: figuresRequest,
    output: figuresAnswer,
    errors: ["not_found"],
  },
  serviceState: {
    ...read,
    summary: "What the service stands on, and how far its index is",
    input: z.object({
      team_id: uuid.nullish().describe("Whose memories' vectors are counted: a team's, or one's own"),
    }),
    output: z.object({
      version: z.string(),
      dependencies: z.array(dependency),
      is_stopping: z.boolean(),
      changes_wait_seconds: z
        .number()
        .nullable()
        .describe("Since when the oldest change waits for the index"),
      is_embedding_late: z.boolean(),
      set_aside: z.array(z.string()).describe("Why changes are no longer tried, by class of error"),
      indexes: z
        .array(z.object({ name: z.string(), state: z.enum(["building", "active", "retired"]), built: share }))
        .describe("The search engine's; none where recall is by the index in memory"),
      embeddings: z.array(
        z.object({
          provider: z.string(),
          model: z.string(),
          dimension: z.int(),
          is_current: z.boolean(),
          created_at: time,
          memories: z.int().describe("Of this space, with a vector of it"),
          of: z.int().describe("Memories of this space that are to have one"),
        }),
      ),
    }),
    errors: ["not_found"],
  },
  attention: {
    ...read,
    summary:
      "What waits for a person in the user's own memories, or a team's: what conflicts, and what is overdue",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      conflicts: count.describe(
        "Memories that can be recalled and state a fact that another one of them states",
      ),
      conflicting: z
        .array(publicId)
        .describe(`Of these so many, fact by fact, as are named: ${CONFLICTS_NAMED_MAX} at most`),
      overdue_reminders: count,
      overdue_todos: count,
      overdue: z.array(overdueItem).describe(`The ${OVERDUE_NAMED_MAX} that are due the longest`),
    }),
    errors: ["not_found"],
  },
  rateUsage: {
    ...read,
    summary:
      "How much of the rate limits each valid credential of the user has used in this window, or of a team's own",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      is_limited: z.boolean().describe("False where the service has no rate limits; then nothing is counted"),
      window_seconds: count,
      resets_at: time.nullable().describe("When the window ends and all begin at 0"),
      limits: z.array(z.object({ category: z.enum(rateCategories), limit: count })),
      credentials: z.array(
        z.object({
          credential_id: uuid,
          counted_as: z.string().describe("An agent's tokens count as one: the agent. Else the credential"),
          used: z
            .array(count)
            .describe("Requests of this window, refused ones too, in the order of `limits`"),
        }),
      ),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  catchUpIndex: {
    ...write,
    summary: "Make the vectors that a workspace lacks, and try again what its index has not taken",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      embedding: z
        .int()
        .max(EMBEDDED_AT_ONCE_MAX)
        .describe(
          "Memories without a vector that wait for one from now on; none of those that waited already",
        ),
      retried: z.int().describe("Changes that had been set aside, and are tried again"),
      truncated: z.boolean().describe("More memories have no vector: ask again once these have theirs"),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  listAudit: {
    ...read,
    summary:
      "What was done with the user's own memories and credentials, or a team's; of a team for its admins",
    input: z.object({
      team_id: uuid.nullish(),
      operation: z.string().min(1).max(64).nullish(),
      agent_id: z.string().min(1).max(128).nullish(),
      memory_id: publicId.nullish(),
      after: time.nullish().describe("Only what was done at this instant or later"),
      before: time.nullish().describe("Only what was done before this instant"),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .nullish()
        .describe("`next_cursor` of the page before"),
      limit: z.int().min(1).max(AUDIT_LINES_MAX).default(AUDIT_LINES_MAX),
    }),
    output: z.object({
      lines: z.array(auditLine).describe("Newest first"),
      next_cursor: z.string().nullable(),
    }),
    errors: ["not_found", "role_forbidden"],
  },
} as const;
