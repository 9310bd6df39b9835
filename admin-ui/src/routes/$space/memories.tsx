import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { MemoriesPage } from "../../features/memories/memories-page.tsx";

/** What the page shows, so that a link shows the same: the query, the filters, the memory that is open. */
const search = z.object({
  q: z.string().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
  bucket: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  project: z.string().optional().catch(undefined),
  status: z.enum(["active", "archived", "superseded", "soft_deleted"]).optional().catch(undefined),
  id: z.string().optional().catch(undefined),
});

export type MemoriesSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/memories")({
  validateSearch: (given) => search.parse(given),
  component: MemoriesPage,
});
