import * as z from "zod/mini";
import { asOf, optional } from "../../shell/address.ts";

const text = optional(z.string());
const day = optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)));

/** The state of the page in its address, so that a link restores it: query, filters, order and the open memory. */
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
  /** First and last day on which a memory was stored, in the reader's time zone. */
  from: day,
  to: day,
  status: optional(z.enum(["active", "archived", "superseded", "expired", "any", "soft_deleted"])),
  /** Whether the log of recalls has it. */
  recalled: optional(z.enum(["ever", "never"])),
  /** Only the memories with these ids, separated by spaces. */
  ids: text,
  /** The past instant at which memories are shown. Default: now. */
  as_of: asOf,
  sort: optional(
    z.enum(["stored", "changed", "content", "path", "type", "importance", "confidence", "recalls"]),
  ),
  order: optional(z.literal("ascending")),
  /** Optional columns, separated by commas. */
  columns: text,
  id: text,
  part: optional(z.enum(["history", "relations", "recall"])),
});

export type MemoriesSearch = z.output<typeof memoriesSearch>;

/** The part of an address that a saved view keeps. */
export function viewOf({ id: _, part: _part, ...view }: MemoriesSearch): MemoriesSearch {
  return view;
}
