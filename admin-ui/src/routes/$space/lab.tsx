import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { LabPage } from "../../features/lab/lab-page.tsx";
import { asOf, optional } from "../../shell/address.ts";

const said = optional(z.string().check(z.minLength(1)));

/** One side of a comparison, as the address has it. */
const side = {
  q: said,
  as: said,
  user: said,
  items: said,
  tokens: said,
  path: said,
  type: said,
  project: said,
  session: said,
  where: optional(z.literal("here")),
  knowledge: optional(z.literal("yes")),
};

/** What the page shows: side A, what side B has otherwise (`b_…`), and the memory that is asked about. */
const search = z.object({
  ...side,
  compare: optional(z.literal("yes")),
  b_q: said,
  b_as: said,
  b_user: said,
  b_items: said,
  b_tokens: said,
  b_path: said,
  b_type: said,
  b_project: said,
  b_session: said,
  b_where: optional(z.enum(["here", "all"])),
  b_knowledge: optional(z.enum(["yes", "no"])),
  why: said,
  /** The moment that is asked about, on both sides, instead of now. */
  as_of: asOf,
  /** The page of evaluation sets, and the set that is open. */
  view: optional(z.literal("sets")),
  set: said,
});

export type LabSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/lab")({
  validateSearch: (given) => search.parse(given),
  component: LabPage,
});
