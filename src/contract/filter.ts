import { z } from "zod";
import { normalForm } from "../recall/language/normal-form.ts";
import { FACET_VALUES_MAX, facets } from "./facet.ts";
import { memoryScopes, memoryStatuses } from "./memory.ts";
import {
  attributionName,
  instant,
  jsonObject,
  label,
  labelFilter,
  path,
  pathFilter,
  projectId,
  publicId,
  text,
  uuid,
} from "./primitives.ts";

/** Rejects unknown statuses: they would match nothing, and the caller would mistake that for a valid result. */
const status = labelFilter
  .refine((value) => value === "" || value.includes("%") || memoryStatuses.some((known) => known === value), {
    params: { values: memoryStatuses },
  })
  .meta({
    pattern: `%|^(${memoryStatuses.join("|")})$`,
    description:
      "`active` matches every live memory; any other status matches exactly that. Patterns never match soft_deleted",
  });

/** Values that a metadata filter compares with. */
export type MetadataValue = string | number | boolean | null;

function isMetadataValue(value: unknown): value is MetadataValue {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Maximum number of metadata members in one filter. */
const MEMBERS_MAX = 64;

/** Keeps every member, even `__proto__`: a filter that lost a member would match too much. */
const metadataFilter = jsonObject
  .refine((members) => Object.keys(members).length > 0, { error: "must name at least one member" })
  .refine((members) => Object.keys(members).length <= MEMBERS_MAX, {
    error: `must name at most ${MEMBERS_MAX} members`,
  })
  .refine((members) => Object.keys(members).every((key) => key.length >= 1 && key.length <= 256), {
    error: "must have names of 1 to 256 characters",
  })
  .refine((members) => Object.values(members).every(isMetadataValue), {
    error: "must have a string, number, boolean or null as each value",
  })
  .transform((members) => inNfc(members as Record<string, MetadataValue>))
  .meta({
    type: "object",
    minProperties: 1,
    maxProperties: MEMBERS_MAX,
    propertyNames: { minLength: 1, maxLength: 256 },
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
    examples: [{ topic: "deploy", "owner.name": "Kim" }],
    description:
      "Metadata members and the value that each must equal. A list matches if one of its members does. Texts are compared in NFC. `owner.name` is the member name of the member owner, unless a member is called `owner.name` itself. A text also matches the number, boolean or null that it spells; null never matches a member that is missing. In a query string: metadata.<key>=<value>",
  });

function inNfc(members: Record<string, MetadataValue>): Record<string, MetadataValue> {
  const compared = (value: MetadataValue) => (typeof value === "string" ? normalForm(value, "NFC") : value);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, compared(value)]));
}

/** The filters that search, list and delete-by-filter share. They only narrow what the credential allows. */
export const filters = {
  path: pathFilter.optional(),
  path_under: path.nullish().meta({
    description: "Only memories at this path or below it, by whole segments: no `%`",
    examples: ["people/grace"],
  }),
  bucket: labelFilter.optional(),
  memory_type: labelFilter.optional(),
  status: status.optional(),
  scope: z.enum(memoryScopes).nullish(),
  team_id: uuid
    .nullish()
    .meta({ description: "Only this team's memories. Default: the caller's own and those of all its teams" }),
  project_id: projectId.nullish(),
  agent_id: attributionName
    .nullish()
    .meta({ description: "Only memories that this agent produced (provenance.agent_id)" }),
  source: label(256).nullish().meta({ description: "Only memories with this source" }),
  metadata: metadataFilter.nullish(),
};

/** The same filters with the defaults of search and list. */
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

const facetValues = z
  .array(z.union([z.literal(""), text(1, 256)]))
  .min(1)
  .max(FACET_VALUES_MAX);

/** Only memories that have one of the values, for each facet that is named. */
const oneOf = z.partialRecord(z.enum(facets), facetValues).meta({
  description: "For each facet, the values of which a memory must have one; an empty value: it has none",
});

/** Filters that only a session may use: the admin UI's pages narrow by them. */
export const sessionFilters = {
  created_before: createdBefore,
  created_from: instant.nullish().meta({ description: "Only memories stored at or after this instant" }),
  memory_ids: z
    .array(publicId)
    .min(1)
    .max(1000)
    .nullish()
    .meta({ description: "Only these memories, todos and decisions, if they also pass the other filters" }),
  one_of: oneOf.nullish(),
  recalled: z.boolean().nullish().meta({
    description:
      "Only memories that came in recalls of the log, by whomever they were asked, or in none of them",
  }),
};

/**
 * Fields by which a session may sort its lists. `stored`: when a memory was created, as lists are by default. `recalls`:
 * in how many recalls of the log it came.
 */
export const listSorts = [
  "stored",
  "changed",
  "content",
  "path",
  "type",
  "importance",
  "confidence",
  "recalls",
] as const;
export type ListSort = (typeof listSorts)[number];

/** Order of a list, for sessions. */
export const listOrder = {
  sort: z.enum(listSorts).default("stored").meta({
    description: "Other lists than those by `stored` go on by `offset`, not by `cursor`",
  }),
  ascending: z.boolean().default(false),
};

/** Which sessions' working memories a request with a session sees. */
export const sessions = z.enum(["own", "all"]).default("all").meta({
  description:
    "own: leaves out working memories of sessions other than X-Session-Id. all: includes every session's, this one's first",
});

/** All filters. Each operation accepts the ones that make sense for it; the core translates all of them. */
export type RequestedFilter = Partial<
  z.output<
    z.ZodObject<
      typeof filters &
        typeof sessionFilters & {
          as_of: typeof asOf;
          sessions: typeof sessions;
        }
    >
  >
>;
