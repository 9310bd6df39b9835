import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { recallOutcomes } from "../../../../src/contract/recall-outcome.ts";
import { RecallLogPage } from "../../features/recall-log/recall-log-page.tsx";
import { optional } from "../../shell/address.ts";

const text = optional(z.string().check(z.minLength(1)));

/** Which recalls are listed, and the one that is open beside them. */
const search = z.object({
  range: optional(z.enum(["hour", "week", "all"])),
  q: text,
  agent: text,
  key: text,
  project: text,
  answer: optional(z.enum(recallOutcomes)),
  slower: text,
  id: text,
});

export type RecallSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/recalls")({
  validateSearch: (given) => search.parse(given),
  component: RecallLogPage,
});
