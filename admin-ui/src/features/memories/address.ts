import * as z from "zod/mini";
import { asOf, optional } from "../../shell/address.ts";

const text = optional(z.string());
const day = optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)));

/** A page of memories, so that a link shows the same: the query, the filters, the order, and the memory that is open. */
export const memoriesSearch = z.object({
  q: text,
  path: text,
  /** Values of facets, as `facet-values.ts` reads and writes them. */
  project: text,
  type: text,
  bucket: text,
  agent: text,
  authority: text,
  changed: text,
  expires: text,
  /** Stored from this day on, and until that one: whole days in the reader's time zone. */
  from: day,
  to: day,
  status: optional(z.enum(["active", "archived", "superseded", "expired", "any", "soft_deleted"])),
  /** By the recall log. */
  recalled: optional(z.enum(["ever", "never"])),
  /** Only these, with spaces between. */
  ids: text,
  /** The moment that is shown, instead of now. */
  as_of: asOf,
  sort: optional(
    z.enum(["stored", "changed", "content", "path", "type", "importance", "confidence", "recalls"]),
  ),
  order: optional(z.literal("ascending")),
  /** Columns besides the memory, with commas between. */
  columns: text,
  id: text,
  part: optional(z.enum(["history", "relations", "recall"])),
});

export type MemoriesSearch = z.output<typeof memoriesSearch>;

/** The part of an address that a saved view keeps. */
export function viewOf({ id: _, part: _part, ...view }: MemoriesSearch): MemoriesSearch {
  return view;
}
