/** Browsing memories in the admin UI: paths and labels to filter by, and bulk restore. */
import { z } from "zod";
import { FACET_MEMORIES_MAX, FACET_VALUES_MAX, facets } from "./facet.ts";
import { asOf, filterFields, sessionFilters } from "./filter.ts";
import { restoreMemory } from "./lifecycle-operations.ts";
import { memoryStatuses } from "./memory.ts";
import { path, publicId, time } from "./primitives.ts";

const read = { effect: "read", rate: "read" } as const;
const counted = z.object({
  value: z.string().meta({ description: "Empty: those without one" }),
  name: z.string().nullable().meta({ description: "The name of an agent that registered under one" }),
  memories: z.int().min(1),
});

const countedFacets = [...facets, "status"] as const;

/** How another memory is related to one. `same_fact`: of the same key, without being in its succession. */
export const relationKinds = [
  "conflicts_with",
  "superseded_by",
  "supersedes",
  "merged_from",
  "same_fact",
  "recalled_with",
] as const;
export type RelationKind = (typeof relationKinds)[number];

/** Maximum number of related memories of each kind. */
export const RELATED_MAX = 20;

/** Maximum number of folders. */
export const BROWSED_MAX = 500;

const narrowed = { ...filterFields, ...sessionFilters, as_of: asOf };

export const sessionMemoryOperations = {
  browsePaths: {
    ...read,
    summary: "The path segments directly below a path, with the number of memories at and below each",
    input: z.object({ below: path.nullish().meta({ description: "Default: the top" }), ...narrowed }),
    output: z.object({
      paths: z.array(
        z.object({
          name: z.string(),
          path: z.string(),
          memories: z.int().min(1).meta({ description: "At this path and below it" }),
          has_below: z.boolean(),
        }),
      ),
      truncated: z.boolean().meta({
        description: `True if there are more than those returned: at most ${BROWSED_MAX}, and about 1 MiB`,
      }),
    }),
    errors: ["knowledge_scope_required"],
  },
  memoryFacets: {
    ...read,
    summary:
      "How many memories there are by project, type, bucket, agent, authority, last change, expiry and status. The counts of each ignore what the filter says of it: its values in `one_of`, or the status",
    input: z.object(narrowed),
    output: z.object({
      ...(Object.fromEntries(
        countedFacets.map((facet) => [
          facet,
          z.array(counted).meta({ description: `Most frequent first, at most ${FACET_VALUES_MAX}` }),
        ]),
      ) as Record<(typeof countedFacets)[number], z.ZodArray<typeof counted>>),
      recalls_kept_days: z
        .int()
        .meta({ description: "How long recalls are kept; 0 if this service keeps none" }),
      incomplete: z.array(z.enum(countedFacets)).meta({
        description: `Facets whose counts are of the newest ${FACET_MEMORIES_MAX} memories alone, because there are more`,
      }),
    }),
    errors: ["knowledge_scope_required"],
  },
  memoryRelations: {
    ...read,
    summary:
      "The memories that one is related to: by succession, by its fact, by merging, and by coming in the same recalls",
    input: z.object({ memory_id: publicId }),
    output: z.object({
      relations: z
        .array(
          z.object({
            kind: z.enum(relationKinds),
            id: publicId,
            content: z.string().meta({ description: "The beginning" }),
            status: z.enum(memoryStatuses),
            agent_id: z.string().nullable(),
            updated_at: time,
            recalls: z
              .int()
              .nullable()
              .meta({ description: "In how many of the last 1,000 recalls both came; null for other kinds" }),
          }),
        )
        .meta({ description: `At most ${RELATED_MAX} of each kind` }),
    }),
    errors: ["not_found"],
  },
  restoreMemories: {
    effect: "write",
    rate: "write",
    summary:
      "Bring soft-deleted memories back, one after the other; one that cannot be stops none of the others",
    input: z.object({ memory_ids: z.array(publicId).min(1).max(200) }),
    output: z.object({
      restored: z.array(publicId),
      refused: z.array(z.object({ id: publicId, why: z.string() })),
    }),
    errors: restoreMemory.errors,
  },
} as const;
