import * as z from "zod/mini";
import { optional } from "../../shell/address.ts";

const text = optional(z.string());
const day = optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)));

/** What a page of memories shows, so that a link shows the same: the query, the filters, the memory that is open. */
export const memoriesSearch = z.object({
  q: text,
  path: text,
  bucket: text,
  type: text,
  project: text,
  agent: text,
  /** Stored from this day on, and until that one: whole days where the reader is. */
  from: day,
  to: day,
  status: optional(z.enum(["active", "archived", "superseded", "expired", "any", "soft_deleted"])),
  /** Only these, with spaces between. */
  ids: text,
  id: text,
});

export type MemoriesSearch = z.output<typeof memoriesSearch>;
