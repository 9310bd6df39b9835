/**
 * Facets of memories: fields by whose values the admin UI counts memories and narrows lists. An empty value stands for
 * memories without one.
 */
export const facets = ["project", "type", "bucket", "agent", "authority", "changed", "expires"] as const;
export type Facet = (typeof facets)[number];

/** Values of `changed`: how long ago a memory was last changed. Each is up to where the one before it ends. */
export const changedWithin = ["day", "week", "month", "quarter", "older"] as const;

/** Values of `expires`, besides the empty one: a memory that is past, ends within a week, or later. */
export const expiresWithin = ["past", "week", "later"] as const;

/** Maximum number of memories that one facet is counted in: the newest. Counting takes no longer the more there are. */
export const FACET_MEMORIES_MAX = 10_000;

/** Maximum number of values that one facet is counted by, and that one filter names. */
export const FACET_VALUES_MAX = 200;
