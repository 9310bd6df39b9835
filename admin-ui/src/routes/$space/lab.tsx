import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { LabPage } from "../../features/lab/lab-page.tsx";

const said = z.string().min(1).optional().catch(undefined);

/** One side of a comparison, as the address has it. */
const side = {
  q: said,
  as: said,
  items: said,
  tokens: said,
  path: said,
  type: said,
  project: said,
  session: said,
  where: z.literal("here").optional().catch(undefined),
  knowledge: z.literal("yes").optional().catch(undefined),
};

/** What the page shows: side A, what side B has otherwise (`b_…`), and the memory that is asked about. */
const search = z.object({
  ...side,
  compare: z.literal("yes").optional().catch(undefined),
  b_q: said,
  b_as: said,
  b_items: said,
  b_tokens: said,
  b_path: said,
  b_type: said,
  b_project: said,
  b_session: said,
  b_where: z.enum(["here", "all"]).optional().catch(undefined),
  b_knowledge: z.enum(["yes", "no"]).optional().catch(undefined),
  why: said,
});

export type LabSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/lab")({
  validateSearch: (given) => search.parse(given),
  component: LabPage,
});
