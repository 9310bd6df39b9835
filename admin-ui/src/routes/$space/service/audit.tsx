import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AuditPage } from "../../../features/service/audit-page.tsx";
import { optional } from "../../../shell/address.ts";

const text = optional(z.string());
/** The filters of the log. `from` and `to` are in the reader's time zone if they name none. */
const search = z.object({
  operation: text,
  object: text,
  memory: text,
  user: text,
  person: text,
  agent: text,
  from: text,
  to: text,
  /** `no`: bursts are not grouped. */
  bursts: text,
});

export type AuditSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/service/audit")({
  validateSearch: (given) => search.parse(given),
  component: AuditPage,
});
