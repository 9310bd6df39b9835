import { z } from "zod";
import { memoryScopes, memoryStatuses } from "./memory.ts";
import { normalForm } from "./normal-form.ts";
import {
  instant,
  jsonObject,
  labelFilter,
  path,
  pathFilter,
  projectId,
  publicId,
  text,
  uuid,
} from "./primitives.ts";

/** A word that is no status would match nothing, and its sender would take that for an answer. */
const status = labelFilter
  .refine((value) => value.includes("%") || memoryStatuses.some((known) => known === value), {
    params: { values: [...memoryStatuses, "%"] },
  })
  .meta({
    pattern: `%|^(${memoryStatuses.join("|")})$`,
    description:
      "`active` matches every live memory; any other status matches exactly that. Patterns never match soft_deleted",
  });

/** Kept as given, `__proto__` too: a filter that loses a member would match more than was asked for. */
const metadataFilter = jsonObject
  .refine((members) => Object.keys(members).length > 0, { error: "must name at least one member" })
  .refine((members) => Object.keys(members).every((key) => key.length >= 1 && key.length <= 256), {
    error: "must have names of 1 to 256 characters",
  })
  .refine((members) => Object.values(members).every((value) => typeof value === "string"), {
    error: "must have strings as values",
  })
  .transform((members) => inNfc(members as Record<string, string>))
  .meta({
    type: "object",
    minProperties: 1,
    propertyNames: { minLength: 1, maxLength: 256 },
    additionalProperties: { type: "string" },
    description:
      "Top-level metadata members and the text that each must equal, both in NFC. In a query string: metadata.<key>=<value>",
  });

function inNfc(members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, normalForm(value, "NFC")]));
}

/** The filters that search, list and delete-by-filter share. They only narrow what the credential allows. */
export const filters = {
  path: pathFilter.optional(),
  bucket: labelFilter.optional(),
  memory_type: labelFilter.optional(),
  status: status.optional(),
  scope: z.enum(memoryScopes).nullish(),
  team_id: uuid
    .nullish()
    .meta({ description: "Only this team's memories. Default: the caller's own and those of all its teams" }),
  project_id: projectId.nullish(),
  metadata: metadataFilter.nullish(),
};

/** The same with the defaults of a search and a list. */
export const filterFields = {
  ...filters,
  path: pathFilter.default("%"),
  bucket: labelFilter.default("%"),
  memory_type: labelFilter.default("%"),
  status: status.default("active"),
};

export const asOf = instant.nullish().meta({
  description:
    "As of this instant: stored by then, not yet superseded or expired, in the version of that time",
});

export const createdBefore = instant.optional();

/** What only an operator's pages narrow by: their operations have these besides. */
export const operatorFilters = {
  created_before: createdBefore,
  created_from: instant.nullish().meta({ description: "Only memories stored at or after this instant" }),
  path_under: path.nullish().meta({ description: "Only memories at or below this path" }),
  agent_id: text(1, 256).nullish().meta({ description: "Only memories that this agent produced" }),
  memory_ids: z
    .array(publicId)
    .min(1)
    .max(1000)
    .nullish()
    .meta({ description: "Only these memories, if they also pass the other filters" }),
};

/** Whose working memories are shown to a request that names a session. */
export const sessions = z.enum(["own", "all"]).default("all").meta({
  description:
    "own: of the working memories, only those of the session in X-Session-Id, or without a session. all: every session's, this one's first",
});

/** Every filter that there is. Each operation takes those that make sense for it, and the core translates all of them. */
export type RequestedFilter = Partial<
  z.output<
    z.ZodObject<
      typeof filters &
        typeof operatorFilters & {
          as_of: typeof asOf;
          sessions: typeof sessions;
        }
    >
  >
>;
