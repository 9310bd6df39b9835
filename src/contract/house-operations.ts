/** What a session may see of how the service keeps house, its figures, its health and index, and who did what; and may mend. */
import { z } from "zod";
import { figuresAnswer, figuresRequest } from "./figures.ts";
import { publicId, time, uuid } from "./primitives.ts";

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
