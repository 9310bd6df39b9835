/** Browsing memories in the admin UI: paths and labels to filter by, and bulk restore. */
import { z } from "zod";
import { filterFields, sessionFilters } from "./filter.ts";
import { restoreMemory } from "./lifecycle-operations.ts";
import { path, publicId } from "./primitives.ts";

const read = { effect: "read", rate: "read" } as const;
const counted = z.object({
  value: z.string(),
  memories: z.int().min(1),
});

/** Maximum number of folders, and of values of each kind. */
export const BROWSED_MAX = 500;

const narrowed = { ...filterFields, ...sessionFilters };

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
  browseLabels: {
    ...read,
    summary: "The buckets, types and agents of the memories, most frequent first",
    input: z.object(narrowed),
    output: z.object({
      buckets: z.array(counted),
      types: z.array(counted),
      agents: z.array(counted),
    }),
    errors: ["knowledge_scope_required"],
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
