/** Figures, health, index and audit log of the service that a signed-in person may read or repair. */
import { z } from "zod";
import { userId } from "./end-user-member.ts";
import { figuresAnswer, figuresRequest } from "./figures.ts";
import { projectId, publicId, time, uuid } from "./primitives.ts";
import { rateCategories } from "./rate-limit.ts";

const read = { effect: "read", rate: "read" } as const;
const write = { effect: "write", rate: "write" } as const;

const dependency = z.object({
  name: z.string(),
  is_needed: z.boolean().describe("Whether the service can neither write nor recall without it"),
  why: z.string().nullable().describe("What is wrong with it, in a few words; null when all is well"),
});

const share = z.number().min(0).max(1);

export const auditLine = z.object({
  id: z.string().describe("Names the line; it says nothing of how many there are"),
  at: time,
  operation: z.string(),
  memory_id: publicId
    .nullable()
    .describe("null if it was about no memory, or about one that has been permanently deleted"),
  token: z.object({ id: uuid, kind: z.string().nullable(), name: z.string().nullable() }).nullable(),
  person: z
    .string()
    .nullable()
    .describe(
      "Name of the user whose credential it was; null for a team's key, and for credentials that are gone",
    ),
  agent_id: z.string().nullable(),
  agent_name: z
    .string()
    .nullable()
    .describe("Name of the agent whose credential it was; null if only the request named an agent"),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).describe("Ids, member names and counts; never content"),
  user_id: z.string().optional().describe("The end user in whose space it was done, if any"),
});
export type AuditLine = z.output<typeof auditLine>;

const count = z.int().min(0);

/** Maximum number of overdue items, and of conflicting memories, that an answer names. */
export const OVERDUE_NAMED_MAX = 5;
export const CONFLICTS_NAMED_MAX = 100;

const overdueItem = z.object({
  id: publicId,
  kind: z.enum(["reminder", "todo"]),
  project_id: projectId.nullable(),
  content: z.string().describe("The beginning of its text"),
  due_at: time,
});

/** Number of audit lines per page, unless asked for, and its maximum. */
const AUDIT_LINES = 200;
const AUDIT_LINES_MAX = 1000;

/**
 * Objects of audit lines. `record`: a memory, todo or decision, which may be gone. `access`: credentials and agents.
 * `workspace`: everything else, such as members, maintenance and imports.
 */
export const auditObjects = ["record", "access", "workspace"] as const;

/** Maximum number of memories that one request queues for embedding. */
export const EMBEDDED_AT_ONCE_MAX = 10_000;

export const sessionServiceOperations = {
  figures: {
    ...read,
    summary: "Figures about the user's own memories, or a team's, over a time range",
    input: figuresRequest,
    output: figuresAnswer,
    errors: ["not_found"],
  },
  serviceState: {
    ...read,
    summary: "The service's dependencies, and how far its index is behind",
    input: z.object({
      team_id: uuid.nullish().describe("Count the vectors of this team's memories. Default: your own"),
    }),
    output: z.object({
      version: z.string(),
      dependencies: z.array(dependency),
      is_stopping: z.boolean(),
      changes_wait_seconds: z
        .number()
        .nullable()
        .describe("How long the oldest change has been waiting for the index"),
      is_embedding_late: z.boolean(),
      set_aside: z.array(z.string()).describe("Why some changes are no longer retried, by class of error"),
      indexes: z
        .array(z.object({ name: z.string(), state: z.enum(["building", "active", "retired"]), built: share }))
        .describe("The search engine's indexes; empty when recall uses the index in memory"),
      embeddings: z.array(
        z.object({
          provider: z.string(),
          model: z.string(),
          dimension: z.int(),
          is_current: z.boolean(),
          created_at: time,
          memories: z.int().describe("Memories of this workspace that have a vector from this model"),
          of: z.int().describe("Memories of this workspace that should have one"),
        }),
      ),
    }),
    errors: ["not_found"],
  },
  attention: {
    ...read,
    summary:
      "What needs a person's attention in the user's own memories, or a team's: conflicts and overdue items",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      conflicts: count.describe("Memories open to recall that state the same fact as another one"),
      conflicting: z.array(publicId).describe(`Their ids, fact by fact: at most ${CONFLICTS_NAMED_MAX}`),
      overdue_reminders: count,
      overdue_todos: count,
      overdue: z.array(overdueItem).describe(`The ${OVERDUE_NAMED_MAX} that have been overdue the longest`),
    }),
    errors: ["not_found"],
  },
  rateUsage: {
    ...read,
    summary:
      "How much of its rate limits each valid credential of the user, or of a team, has used in this window",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      is_limited: z.boolean().describe("False when the service has no rate limits; nothing is counted then"),
      window_seconds: count,
      resets_at: time.nullable().describe("When the window ends and every count starts again at 0"),
      limits: z.array(z.object({ category: z.enum(rateCategories), limit: count })),
      credentials: z.array(
        z.object({
          credential_id: uuid,
          counted_as: z
            .string()
            .describe("The agent, whose tokens are counted together; otherwise the credential"),
          used: z
            .array(count)
            .describe("Requests in this window, including refused ones, in the order of `limits`"),
        }),
      ),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  catchUpIndex: {
    ...write,
    summary:
      "Make the vectors that a workspace is missing, and retry the changes that its index did not take",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({
      embedding: z
        .int()
        .max(EMBEDDED_AT_ONCE_MAX)
        .describe(
          "Memories without a vector that were queued by this request; those already queued are not counted",
        ),
      retried: z.int().describe("Changes that had been set aside and are now retried"),
      truncated: z.boolean().describe("More memories have no vector: ask again when these are done"),
    }),
    errors: ["not_found", "role_forbidden"],
  },
  listAudit: {
    ...read,
    summary: "What was done with the user's own memories and credentials, or with a team's (for its admins)",
    input: z.object({
      team_id: uuid.nullish(),
      user_id: userId.nullish().describe("Only of this end user, instead of the user or the team"),
      operation: z.string().min(1).max(64).nullish(),
      agent_id: z.string().min(1).max(128).nullish(),
      person: z
        .string()
        .min(1)
        .max(200)
        .nullish()
        .describe("Only what was done with credentials of the user of this name"),
      object: z.enum(auditObjects).nullish(),
      memory_id: publicId.nullish(),
      after: time.nullish().describe("Only what was done at or after this instant"),
      before: time.nullish().describe("Only what was done before this instant"),
      cursor: z.string().min(1).max(64).nullish().describe("The `next_cursor` of the previous page"),
      limit: z.int().min(1).max(AUDIT_LINES_MAX).default(AUDIT_LINES),
    }),
    output: z.object({
      lines: z.array(auditLine).describe("Newest first"),
      next_cursor: z.string().nullable(),
    }),
    errors: ["not_found", "role_forbidden"],
  },
} as const;
