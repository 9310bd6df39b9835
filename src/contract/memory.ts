import { z } from "zod";
import { markedShared } from "./end-user-member.ts";
import {
  bucket,
  chosenId,
  chosenMemoryType,
  instant,
  jsonObject,
  naming,
  path,
  projectId,
  publicId,
  statement,
  text,
  time,
  unitInterval,
  uuid,
} from "./primitives.ts";
import { storedMetadata, storedProvenance } from "./service-members.ts";

/** Statuses of a memory that recall treats as live; the filter value `active` means all of them. */
export const liveStatuses = ["active", "started", "completed"] as const;

/** Statuses that a caller may set. The others come from operations. */
export const settableStatuses = [...liveStatuses, "archived"] as const;

/** Every status an answer can carry. `expired` is computed from `expires_at`, never stored. */
export const memoryStatuses = [
  ...settableStatuses,
  "superseded",
  "soft_deleted",
  "redacted",
  "expired",
] as const;

/** The owner of a memory: its user alone, or its team. */
export const memoryScopes = ["private", "team"] as const;

/** Authority levels of a memory, weakest first. */
export const authorities = ["inference", "observation", "directive", "verified"] as const;

/** How a memory relates to the calling agent. For information only: it never grants access. */
export const boundary = z
  .object({
    relation: z.enum(["self", "same_agent_other_instance", "other_agent", "unattributed"]),
    ownership: z.enum(["self", "same_agent_other_instance", "other_agent", "unattributed"]),
    current_agent_id: z.string().nullable(),
    current_agent_trust: z.enum(["token_bound", "client_asserted"]),
    boundary_authority: z.literal("attribution_only"),
    memory_agent_id: z.string().nullable(),
    explanation: z.string(),
  })
  .meta({ id: "AgentBoundary" });
export type Boundary = z.infer<typeof boundary>;

/** A memory as every surface returns it. */
export const memoryItem = z
  .object({
    id: publicId,
    content: z.string(),
    path: z.string(),
    bucket: z.string(),
    scope: z.enum(memoryScopes),
    team_id: z.string().nullable(),
    memory_type: z.string(),
    status: z.enum(memoryStatuses),
    semantic_key: z.string().nullable(),
    version: z.int(),
    superseded_by: z.string().nullable(),
    importance: unitInterval,
    confidence: unitInterval,
    source: z.string().nullable(),
    logic_path: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    provenance: z.record(z.string(), z.unknown()),
    created_at: time,
    updated_at: time,
    expires_at: time.nullable(),
    boundary,
    ...markedShared,
  })
  .meta({ id: "Memory" });
export type MemoryItem = z.infer<typeof memoryItem>;

/** Replaces a memory in answers to callers without `memory:read`. */
export const memoryReference = z
  .object({ id: publicId, status: z.enum(memoryStatuses) })
  .meta({ id: "MemoryReference" });

export const content = statement(65_536).meta({
  description: "The text of the memory, stored as given",
  examples: ["The staging database moved to db-2 on Friday."],
});

const embedding = z
  .array(z.number())
  .min(1)
  .max(8192)
  .meta({ description: "Used for search only if its model and dimension match the index" });

/**
 * The optional members that creating and changing a memory share. Each may be null, which means omitted on creation and
 * cleared on change.
 */
export const describingFields = {
  source: naming(text(1, 256))
    .nullable()
    .meta({ description: "The agent or speaker that produced it; recorded for attribution only" }),
  logic_path: text(1, 512).nullable(),
  embedding: embedding.nullable(),
  embedding_provider: text(1, 128).nullable(),
  embedding_model: text(1, 256).nullable(),
  embedding_dimension: z.int().min(1).max(8192).nullable(),
  semantic_key: naming(text(1, 256)).nullable().meta({
    description: "Names a fact: a newer memory with the same key supersedes it",
  }),
  superseded_by: publicId.nullable(),
  expires_at: instant.nullable(),
  scope: z.enum(memoryScopes).nullable(),
  team_id: uuid.nullable(),
};

const optionalDescribingFields = z.object(describingFields).partial();

const createFields = optionalDescribingFields.extend({
  content,
  path,
  metadata: jsonObject.nullish(),
  bucket: bucket.default("public"),
  memory_id: chosenId.nullish().meta({ description: "An id of your choice, unique per owner" }),
  version: z.int().min(1).max(1_000_000_000).nullish(),
  status: z.enum(settableStatuses).nullish().meta({ description: "Default: active" }),
  project_id: projectId.nullish(),
  provenance: jsonObject.nullish(),
});

export const storeRequest = createFields
  .extend({
    memory_type: chosenMemoryType.default("semantic"),
    importance: unitInterval.default(0.5),
    confidence: unitInterval.default(1),
  })
  .meta({ id: "MemoryStoreRequest" });
export type StoreRequest = z.infer<typeof storeRequest>;

export const rememberRequest = storeRequest
  .extend({
    dedupe: z
      .boolean()
      .default(true)
      .meta({ description: "If an equal live memory exists, return it instead of storing another" }),
  })
  .meta({ id: "MemoryRememberRequest" });

export const updateRequest = optionalDescribingFields.extend({
  content: content.optional(),
  path: path.optional(),
  metadata: storedMetadata.nullish(),
  bucket: bucket.optional(),
  memory_type: chosenMemoryType.optional(),
  status: z.enum(settableStatuses).optional(),
  importance: unitInterval.optional(),
  confidence: unitInterval.optional(),
  provenance: storedProvenance.nullish(),
  supersession_reason: text(1, 1024).nullish(),
  merge_metadata: z.boolean().default(true),
  merge_provenance: z.boolean().default(true),
  detect_conflicts: z.boolean().default(true),
});

/** `note` of a completed reminder. */
export const completionNote = text(1, 4096).nullish();

/** How many secrets of one kind were masked. */
const maskedSecrets = z.object({ kind: z.string(), count: z.int() }).meta({ id: "MaskedSecrets" });
export type MaskedSecrets = z.infer<typeof maskedSecrets>;

/** How a write deviated from its request. A member is present only if it applies. */
export const writeRemarks = {
  reason: z.string().optional(),
  masked: z.array(maskedSecrets).optional().meta({
    description: "The secrets that were replaced with `[secret:<kind>]` before anything was stored",
  }),
};

/** Kinds of content that adds nothing new. */
export const junkKinds = ["echo", "empty", "trivial", "repetition"] as const;
export type JunkKind = (typeof junkKinds)[number];

/** Adds how a caller's embedding was used, and the junk verdict on the content. */
const storeRemarks = z.object({
  embedding: z
    .enum(["caller", "service"])
    .optional()
    .meta({ description: "Whose embedding is used for search: yours or the service's" }),
  junk: z.enum(junkKinds).optional().meta({
    description:
      "Set if the content adds nothing new. echo: recall had just shown it. empty: it has no words. trivial: it says nothing by itself. repetition: a live memory says the same. `reason` says what was done with it.",
  }),
  ...writeRemarks,
});

export const storeAnswer = z
  .object({ id: publicId, status: z.literal("stored"), version: z.int() })
  .extend(storeRemarks.shape)
  .extend({ superseded: z.array(publicId) })
  .meta({ id: "MemoryStoreAnswer" });
export type StoreAnswer = z.infer<typeof storeAnswer>;

export const rememberAnswer = z
  .object({
    id: publicId,
    status: z.literal("remembered"),
    deduplicated: z.boolean(),
    superseded: z.array(publicId).meta({ description: "The memories that this one supersedes" }),
  })
  .extend(storeRemarks.shape)
  .meta({ id: "MemoryRememberAnswer" });
export type RememberAnswer = z.infer<typeof rememberAnswer>;

/** Why two memories conflict: they share a key, or make the same statement with a different value. */
export const conflictReason = z
  .enum(["same_semantic_key", "other_values"])
  .meta({ id: "MemoryConflictReason" });

export const conflict = z
  .object({
    id: publicId,
    reason: conflictReason,
    same_author: z.boolean(),
  })
  .meta({ id: "MemoryConflict" });
