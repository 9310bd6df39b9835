import { z } from "zod";

const text = z.string().optional().catch(undefined);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .catch(undefined);

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
  status: z
    .enum(["active", "archived", "superseded", "expired", "any", "soft_deleted"])
    .optional()
    .catch(undefined),
  /** Only these, with spaces between. */
  ids: text,
  id: text,
});

export type MemoriesSearch = z.output<typeof memoriesSearch>;
