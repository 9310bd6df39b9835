import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AgentsPage } from "../../features/agents/agents-page.tsx";
import { optional } from "../../shell/address.ts";

/** Whether agents are shown whose access has ended. */
const search = z.object({ ended: optional(z.literal("shown")) });

export const Route = createFileRoute("/$space/agents")({
  validateSearch: (given) => search.parse(given),
  component: AgentsPage,
});
