import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { MemoriesPage } from "../../features/memories/memories-page.tsx";

const text = z.string().optional().catch(undefined);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .catch(undefined);

/** What the page shows, so that a link shows the same: the query, the filters, the memory that is open. */
const search = z.object({
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
  id: text,
});

export type MemoriesSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/memories")({
  validateSearch: (given) => search.parse(given),
  component: MemoriesPage,
});
