import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { AuditPage } from "../../../features/service/audit-page.tsx";

const text = z.string().optional().catch(undefined);
/** Which lines are shown; times without a zone are the reader's. */
const search = z.object({ operation: text, memory: text, person: text, agent: text, from: text, to: text });

export type AuditSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/service/audit")({
  validateSearch: (given) => search.parse(given),
  component: AuditPage,
});
