/** Looking through memories in the admin UI: the operations of the contract by more filters, and what there is to filter by. */
import { z } from "zod";
import { filterFields, filters, operatorFilters } from "./filter.ts";
import { deleteMatching, restoreMemory } from "./lifecycle-operations.ts";
import { listMemories } from "./memory-operations.ts";
import { path, publicId, text } from "./primitives.ts";
import { searchRequest } from "./recall.ts";
import { searchMemories } from "./recall-operations.ts";

const read = { effect: "read", rate: "read" } as const;
const write = { rate: "write" } as const;

const counted = z.object({
  value: z.string(),
  memories: z.int().min(1),
});

/** At most so many folders, and so many values of each kind. */
export const BROWSED_MAX = 500;

const narrowed = { ...filterFields, ...operatorFilters };

export const memoryBrowserOperations = {
  listMemories: {
    ...read,
    summary: "List memories, with every filter available",
    input: listMemories.input.extend(operatorFilters),
    output: listMemories.output,
    errors: listMemories.errors,
  },
  searchMemories: {
    ...read,
    summary: "Search memories, with every filter available",
    input: searchRequest.extend(operatorFilters),
    output: searchMemories.output,
    errors: searchMemories.errors,
  },
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
  deleteMatching: {
    ...write,
    effect: "destroy",
    summary:
      "Forget everything that matches, in two steps, with every filter available; returns what it removed",
    input: z.object({
      ...deleteMatching.input.shape,
      filter: z
        .strictObject({ ...filters, ...operatorFilters })
        .refine((filter) => Object.values(filter).some((value) => value !== undefined && value !== null), {
          error: "must name at least one filter",
        }),
      plan_hash: text(1, 128).nullish(),
    }),
    output: deleteMatching.output.extend({
      memory_ids: z
        .array(publicId)
        .meta({ description: "Those that match, and were removed unless it is a dry run" }),
    }),
    errors: deleteMatching.errors,
  },
  restoreMemories: {
    ...write,
    effect: "write",
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
